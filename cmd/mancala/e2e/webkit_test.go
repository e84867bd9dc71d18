package e2e

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"mancala/match/testenv"
)

// WebKitGTK's driver speaks WebDriver, as the W3C has written it down: a few commands in JSON over
// HTTP. These tests need seven commands, which are less than a library.
// A driver has one session at a time, so each person has a driver and a browser of their own.

// webkitStyle makes the tool bar of the browser small, or no window would be narrower than 447 px.
const webkitStyle = `* { font-size: 1px; min-width: 0; min-height: 0; padding: 0; margin: 0; border-width: 0; -gtk-icon-source: none; }`

// withoutOpenGL lets WebKit paint pages itself, in one thread. Otherwise threads of each page use OpenGL.
// A machine for tests has no graphics card, so Mesa does that work on the processor. It takes most of the time
// of a test, and Mesa 22.3 crashes now and then: one thread reads a list that another one frees
// (lp_scene_is_resource_referenced). That ends the page's process, and the driver ends the session with it.
const withoutOpenGL = "WEBKIT_DISABLE_COMPOSITING_MODE=1"

// display starts the one X server of this run, on which WebKit's windows are. It returns its name.
var display = sync.OnceValues(func() (string, error) {
	program, err := testenv.Find("Xvfb")
	if err != nil {
		return "", err
	}
	dir, err := testenv.TempDir("xvfb")
	if err != nil {
		return "", err
	}
	run, err := testenv.Start(dir, "TERM", program, "-displayfd", "1", "-screen", "0", "1600x1300x24", "-nolisten", "tcp")
	if err != nil {
		return "", err
	}
	shop.stop = append(shop.stop, func() { run.Stop(false) })
	var number string
	err = run.Await(func() error { // it writes its number when it is ready
		if number = strings.TrimSpace(displayNumber.FindString(run.Log())); number == "" {
			return errors.New("there is no display yet")
		}
		return nil
	})
	return ":" + number, err
})

var displayNumber = regexp.MustCompile(`(?m)^\d+\n`)

// webdriver is a session of WebDriver: a window of WebKit with a driver of its own.
type webdriver struct {
	address string // of the session
	run     *testenv.Process
}

// webkitTab opens a window with cookies of its own.
func webkitTab(t *testing.T) tab {
	t.Helper()
	w := &webdriver{}
	program, err := testenv.Find("WebKitWebDriver")
	if err != nil {
		testenv.SkipOrFail(t, err)
	}
	browser, err := testenv.Find("MiniBrowser", "/usr/lib/*/webkit2gtk-4.*")
	if err != nil {
		testenv.SkipOrFail(t, err)
	}
	screen, err := display()
	if err != nil {
		testenv.SkipOrFail(t, err)
	}
	dir, err := testenv.TempDir("webkit")
	if err != nil {
		t.Fatal(err)
	}
	styles := filepath.Join(dir, "gtk-3.0")
	if err := errors.Join(os.Mkdir(styles, 0o755), os.WriteFile(filepath.Join(styles, "gtk.css"), []byte(webkitStyle), 0o644)); err != nil {
		t.Fatal(err)
	}
	addr := testenv.Addr(t)
	_, port, _ := strings.Cut(addr, ":")
	w.run, err = testenv.Start(dir, "TERM", "env", "HOME="+dir, "XDG_CONFIG_HOME="+dir, "DISPLAY="+screen,
		"NO_AT_BRIDGE=1", withoutOpenGL, program, "--port="+port)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the browser said:\n%s", w.run.Log())
		}
		w.run.Stop(false)
		_ = os.RemoveAll(dir) // the user nobody may not remove the style sheet of root
	})
	w.address = "http://" + addr
	if err := w.run.Await(func() error { return w.get(t.Context(), "/status", nil) }); err != nil {
		t.Fatal(err)
	}
	var session struct{ SessionID string }
	if err := w.post(t.Context(), "/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"webkitgtk:browserOptions": map[string]any{"binary": browser, "args": []string{"--automation", "--enable-write-console-messages-to-stdout=true"}},
	}}}, &session); err != nil {
		t.Fatal(err, w.run.Log())
	}
	w.address += "/session/" + session.SessionID
	t.Cleanup(func() {
		if err := w.send(context.Background(), http.MethodDelete, "", nil, nil); err != nil {
			t.Error(err)
		}
	})
	return w
}

// driverError is a command that the driver refuses.
type driverError struct {
	command string
	Code    string `json:"error"` // of the standard
	Message string
}

func (e *driverError) Error() string { return fmt.Sprintf("%s: %s: %s", e.command, e.Code, e.Message) }

// passing reports whether the same question may be answered later. The page refuses it while it navigates, or
// for a promise that it does not keep. No answer comes from a driver that has ended, nor for a page that has
// crashed: the driver then ends the session.
func passing(err error) bool {
	refused, ok := errors.AsType[*driverError](err)
	return ok && refused.Code != "invalid session id"
}

func (w *webdriver) get(ctx context.Context, path string, result any) error {
	return w.send(ctx, http.MethodGet, path, nil, result)
}

func (w *webdriver) post(ctx context.Context, path string, params, result any) error {
	body, err := json.Marshal(params)
	if err != nil {
		return err
	}
	return w.send(ctx, http.MethodPost, path, body, result)
}

func (w *webdriver) send(ctx context.Context, method, path string, body []byte, result any) error {
	r, err := http.NewRequestWithContext(ctx, method, w.address+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var answer struct{ Value json.RawMessage }
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		refused := &driverError{command: method + " " + path}
		return errors.Join(json.Unmarshal(answer.Value, refused), refused)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(answer.Value, result)
}

func (w *webdriver) open(ctx context.Context, url string) error {
	return w.post(ctx, "/url", map[string]any{"url": url}, nil)
}

func (w *webdriver) text(ctx context.Context, expression string) (string, error) {
	var text string
	for {
		err := w.post(ctx, "/execute/sync", map[string]any{"script": "return " + expression, "args": []any{}}, &text)
		if !passing(err) {
			return text, err
		}
		if ctx.Err() != nil {
			return text, errors.Join(ctx.Err(), err)
		}
	}
}

func (w *webdriver) click(ctx context.Context, x, y float64) error {
	return w.post(ctx, "/actions", map[string]any{"actions": mouseClick(x, y)}, nil)
}

// resize asks for a window, whose tool bar takes some of its height.
func (w *webdriver) resize(ctx context.Context, width, height int64) error {
	const bar = 20
	return w.post(ctx, "/window/rect", map[string]any{"x": 0, "y": 0, "width": width, "height": height + bar}, nil)
}

// picture lets a point of the page blink, in a colour that nobody sees: without OpenGL, WebKit answers when the
// page next paints, which a page at rest never does.
func (w *webdriver) picture(ctx context.Context) ([]byte, error) {
	if _, err := w.text(ctx, `(() => {
		const point = document.documentElement.appendChild(document.createElement("i"));
		Object.assign(point.style, { position: "fixed", inset: "0 auto auto 0", width: "1px", height: "1px" });
		point.animate({ background: ["#0000", "#0001"] }, { duration: 200, iterations: Infinity });
		return "blinks";
	})()`); err != nil {
		return nil, err
	}
	var shot string
	if err := w.get(ctx, "/screenshot", &shot); err != nil {
		return nil, err
	}
	if _, err := w.text(ctx, `(document.querySelector("html > i")?.remove(), "rests")`); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(shot)
}

// problems reads what the page has written to its console.
func (w *webdriver) problems() []string {
	return webkitProblem.FindAllString(w.run.Log(), -1)
}

var webkitProblem = regexp.MustCompile(`(?m)^.*CONSOLE \S+ (ERROR|WARN).*$`)

// A crash of the page must fail the test with the words of the driver, not with a timeout minutes later.
func TestWebKitIsAskedAgainUntilItsSessionHasEnded(t *testing.T) {
	answers := []string{
		`{"value":{"error":"javascript error","message":"the page has gone"}}`,
		`{"value":{"error":"invalid session id","message":"session deleted because of page crash or hang."}}`,
	}
	asked := 0
	ctx, cancel := context.WithCancel(t.Context())
	driver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked > len(answers) {
			cancel()
			return
		}
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(answers[asked-1]))
	}))
	defer driver.Close()
	w := &webdriver{address: driver.URL}
	_, err := w.text(ctx, "1")
	if err == nil || !strings.Contains(err.Error(), "page crash or hang") || asked != len(answers) {
		t.Errorf("asked %d times, with the error %v", asked, err)
	}
}
