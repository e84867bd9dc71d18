package e2e

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"

	"mancala/match/testenv"
)

// Firefox is driven by WebDriver BiDi, which it speaks itself: Debian has no geckodriver. The
// protocol is JSON over one WebSocket. These tests need eight of
// its commands, which are less than a library.

// firefoxPrefs quieten a new profile. Scroll bars take space, as on many desktops.
const firefoxPrefs = `user_pref("widget.gtk.overlay-scrollbars.enabled", false);
user_pref("app.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "data:,#remote-settings-dummy/v1");
`

// bidi is a connection to a browser by WebDriver BiDi.
type bidi struct {
	conn *websocket.Conn

	mu      sync.Mutex
	last    int
	answers map[int]chan bidiMessage
	said    map[string][]string // problems by page
	err     error               // why the connection has ended
}

type bidiMessage struct {
	ID     int             `json:"id"`
	Type   string          `json:"type"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Params json.RawMessage `json:"params"`

	Error   string `json:"error"`
	Message string `json:"message"`
}

// firefox starts the one Firefox of this run.
var firefox = sync.OnceValues(func() (*bidi, error) {
	program, err := testenv.Find("firefox-esr")
	if err != nil {
		return nil, err
	}
	dir, err := testenv.TempDir("firefox")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "user.js"), []byte(firefoxPrefs), 0o644); err != nil {
		return nil, err
	}
	addr, err := testenv.FreeAddr()
	if err != nil {
		return nil, err
	}
	_, port, _ := strings.Cut(addr, ":")
	run, err := testenv.Start(dir, "TERM", "env", "HOME="+dir, program, "--headless", "--no-remote", "--profile", dir, "--remote-debugging-port", port)
	if err != nil {
		return nil, err
	}
	shop.stop = append(shop.stop, func() { run.Stop(false) })
	b := &bidi{answers: map[int]chan bidiMessage{}, said: map[string][]string{}}
	ctx := context.Background()
	if err := run.Await(func() (err error) {
		b.conn, _, err = websocket.Dial(ctx, "ws://"+addr+"/session", nil)
		return err
	}); err != nil {
		return nil, err
	}
	b.conn.SetReadLimit(1 << 26) // pictures are long
	go b.listen(ctx)
	if err := b.call(ctx, "session.new", map[string]any{"capabilities": map[string]any{}}, nil); err != nil {
		return nil, err
	}
	return b, b.call(ctx, "session.subscribe", map[string]any{"events": []string{"log.entryAdded"}}, nil)
})

// listen hands on answers and keeps what pages report, until the connection ends.
func (b *bidi) listen(ctx context.Context) {
	for {
		_, data, err := b.conn.Read(ctx)
		var m bidiMessage
		if err == nil {
			err = json.Unmarshal(data, &m)
		}
		b.mu.Lock()
		if err != nil {
			b.err = err
			for _, answer := range b.answers {
				close(answer)
			}
			b.mu.Unlock()
			return
		}
		if answer, ok := b.answers[m.ID]; ok && m.Type != "event" {
			delete(b.answers, m.ID)
			answer <- m
		} else if m.Method == "log.entryAdded" {
			b.note(m.Params)
		}
		b.mu.Unlock()
	}
}

// note keeps an error or a warning of a page. The caller holds the lock.
func (b *bidi) note(params json.RawMessage) {
	var e struct {
		Level, Text string
		Source      struct{ Context string }
	}
	if err := json.Unmarshal(params, &e); err != nil || (e.Level != "error" && e.Level != "warn") {
		return
	}
	b.said[e.Source.Context] = append(b.said[e.Source.Context], e.Text)
}

// call sends a command and reads its result.
func (b *bidi) call(ctx context.Context, method string, params, result any) error {
	answer := make(chan bidiMessage, 1)
	b.mu.Lock()
	b.last++
	id := b.last
	if b.err != nil {
		b.mu.Unlock()
		return b.err
	}
	b.answers[id] = answer
	b.mu.Unlock()
	text, err := json.Marshal(map[string]any{"id": id, "method": method, "params": params})
	if err != nil {
		return err
	}
	if err := b.conn.Write(ctx, websocket.MessageText, text); err != nil {
		return err
	}
	select {
	case m, ok := <-answer:
		switch {
		case !ok:
			return fmt.Errorf("%s: Firefox has gone", method)
		case m.Error != "":
			return fmt.Errorf("%s: %s: %s", method, m.Error, m.Message)
		case result == nil:
			return nil
		}
		return json.Unmarshal(m.Result, result)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

// bidiTab is a window of Firefox.
type bidiTab struct {
	browser *bidi
	context string
}

// firefoxTab opens a window with cookies of its own.
func firefoxTab(t *testing.T) tab {
	t.Helper()
	b, err := firefox()
	if err != nil {
		testenv.SkipOrFail(t, err)
	}
	var user struct {
		UserContext string `json:"userContext"`
	}
	if err := b.call(t.Context(), "browser.createUserContext", map[string]any{}, &user); err != nil {
		t.Fatal(err)
	}
	f := &bidiTab{browser: b}
	made := struct{ Context *string }{&f.context}
	// A window: a tab in the background would be slowed down.
	if err := b.call(t.Context(), "browsingContext.create", map[string]any{"type": "window", "userContext": user.UserContext}, &made); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.call(context.Background(), "browser.removeUserContext", user, nil); err != nil {
			t.Error(err)
		}
	})
	return f
}

func (f *bidiTab) open(ctx context.Context, url string) error {
	return f.browser.call(ctx, "browsingContext.navigate", map[string]any{"context": f.context, "url": url, "wait": "complete"}, nil)
}

func (f *bidiTab) text(ctx context.Context, expression string) (string, error) {
	var answer struct {
		Type             string
		Result           struct{ Value string }
		ExceptionDetails struct{ Text string }
	}
	for {
		err := f.browser.call(ctx, "script.evaluate", map[string]any{
			"expression": expression, "awaitPromise": true, "target": map[string]any{"context": f.context},
		}, &answer)
		if err == nil && answer.Type != "success" {
			err = errors.New(answer.ExceptionDetails.Text)
		}
		if err == nil || ctx.Err() != nil || !strings.Contains(err.Error(), "no such frame") && !strings.Contains(err.Error(), "aborted") && !strings.Contains(err.Error(), "unknown error") {
			return answer.Result.Value, err
		}
	}
}

func (f *bidiTab) click(ctx context.Context, x, y float64) error {
	return f.browser.call(ctx, "input.performActions", map[string]any{"context": f.context, "actions": mouseClick(x, y)}, nil)
}

func (f *bidiTab) resize(ctx context.Context, w, h int64) error {
	return f.browser.call(ctx, "browsingContext.setViewport", map[string]any{"context": f.context, "viewport": map[string]any{"width": w, "height": h}}, nil)
}

func (f *bidiTab) picture(ctx context.Context) ([]byte, error) {
	var shot struct{ Data string }
	if err := f.browser.call(ctx, "browsingContext.captureScreenshot", map[string]any{"context": f.context}, &shot); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(shot.Data)
}

func (f *bidiTab) problems() []string {
	f.browser.mu.Lock()
	defer f.browser.mu.Unlock()
	return f.browser.said[f.context]
}

// mouseClick returns the actions of one click, in the words that both protocols share.
func mouseClick(x, y float64) []any {
	return []any{map[string]any{
		"type": "pointer", "id": "mouse", "parameters": map[string]any{"pointerType": "mouse"},
		"actions": []any{
			map[string]any{"type": "pointerMove", "x": int(x), "y": int(y)},
			map[string]any{"type": "pointerDown", "button": 0},
			map[string]any{"type": "pointerUp", "button": 0},
		},
	}}
}
