package e2e

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

//go:embed testdata/page.js
var pageScript string

// person is a person at a page: a tab, with separate cookies and storage.
type person struct {
	t     *testing.T
	name  string
	base  string // the address at which the person reaches the server
	touch bool   // has a touch screen and no mouse
	ctx   context.Context

	server *server // its outages are no problems of the page

	mu       sync.Mutex
	problems []string
	forgiven []string
}

// screen is a size in CSS pixels. touch makes it a phone.
type screen struct {
	w, h  int64
	touch bool
}

var (
	desktop = screen{w: 1440, h: 900}
	tablet  = screen{w: 820, h: 1180}
	phone   = screen{w: 360, h: 740, touch: true}
)

// person returns a new person without an open page.
func (s *server) person(name string, size screen) *person {
	s.t.Helper()
	browser := shell
	if s.whole {
		browser = chromium
	}
	parent, err := browser()
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(parent, chromedp.WithNewBrowserContext())
	p := &person{t: s.t, name: name, base: "http://" + s.addr, ctx: ctx, server: s}
	p.sitDown(cancel, size)
	return p
}

// tab opens a second tab of the same person, with the same cookies.
func (p *person) tab(name string, size screen) *person {
	p.t.Helper()
	ctx, cancel := chromedp.NewContext(p.ctx)
	second := &person{t: p.t, name: name, base: p.base, ctx: ctx, server: p.server, forgiven: p.forgiven}
	second.sitDown(cancel, size)
	return second
}

func (p *person) sitDown(cancel context.CancelFunc, size screen) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx); err != nil { // opens the tab, which lives as long as this context
		p.t.Fatalf("%s has no page: %v", p.name, err)
	}
	p.t.Cleanup(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, problem := range p.problems {
			p.t.Errorf("%s's page: %s", p.name, problem)
		}
		p.problems = nil
		cancel()
	})
	if err := chromedp.Listen(p.ctx, p.notice); err != nil {
		p.t.Fatal(err)
	}
	yes, script := true, pageScript
	if !p.server.whole {
		script += "delete Navigator.prototype.serviceWorker;\n"
	}
	if !p.painted() {
		script += unpainted
	}
	p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		if _, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script, RunImmediately: &yes}); err != nil {
			return chromedp.Void{}, err
		}
		if !p.server.whole && !p.server.small {
			if err := acceptGzipOnly(ctx, t); err != nil {
				return chromedp.Void{}, err
			}
		}
		// Each page believes that it has the focus, as if each person had their
		// own computer.
		_, err := cdp.Call(ctx, t, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
		return chromedp.Void{}, err
	})
	p.resize(size)
	p.moves(false)
}

// unpainted is a script that takes gradients and shadows from a page. They have no effect on its layout.
const unpainted = `
{
	const sheet = new CSSStyleSheet();
	const gone = ["background-image", "box-shadow", "text-shadow"].map((name) => name + ": none !important").join(";");
	sheet.replaceSync("*, *::before, *::after {" + gone + "}");
	document.adoptedStyleSheets.push(sheet);
}
`

// painted reports whether a person's pages have gradients and shadows. Pictures that are kept have them.
func (p *person) painted() bool {
	return p.server.whole || p.server.drawn || os.Getenv("MANCALA_PICTURES") != ""
}

// needsPaint ends a test that looks at the colours of pages which are not painted.
func (p *person) needsPaint() {
	p.t.Helper()
	if !p.painted() {
		p.t.Fatalf("%s looks at the colours of a server whose pages are not painted", p.name)
	}
}

// acceptGzipOnly lets the page ask for gzip and nothing else. Chromium sends the header only while it
// reports requests, so it is told to keep nothing of them.
func acceptGzipOnly(ctx context.Context, t *chromedp.Target) error {
	least := int64(1)
	if _, err := cdp.Call(ctx, t, network.Enable, network.EnableParams{MaxTotalBufferSize: &least, MaxResourceBufferSize: &least}); err != nil {
		return err
	}
	_, err := cdp.Call(ctx, t, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: network.Headers{"Accept-Encoding": "gzip"}})
	return err
}

// moves turns motion on or off. Long games are played without it, because other
// tests cover motion.
func (p *person) moves(yes bool) {
	p.t.Helper()
	want := "reduce"
	if yes {
		want = "no-preference"
	}
	p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: want}},
		})
		return chromedp.Void{}, err
	})
}

// resize changes the person's screen.
func (p *person) resize(size screen) {
	p.t.Helper()
	var how []chromedp.EmulateViewportOption
	if size.touch {
		how = append(how, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	p.touch = size.touch
	p.do(chromedp.EmulateViewport(size.w, size.h, how...))
}

// do runs actions in the page.
func (p *person) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		p.t.Fatalf("%s's page: %v", p.name, err)
	}
}

// ask evaluates JavaScript in a person's page. If the page navigates meanwhile,
// ask tries again.
func ask[T any](p *person, expression string) T {
	p.t.Helper()
	v, err := tryAsk[T](p, expression)
	if err != nil {
		p.t.Fatal(err)
	}
	return v
}

// tryAsk is ask for goroutines, which must not end a test.
func tryAsk[T any](p *person, expression string) (T, error) {
	return askWithin[T](p, expression, patience)
}

func askWithin[T any](p *person, expression string, limit time.Duration) (T, error) {
	ctx, cancel := context.WithTimeout(p.ctx, limit)
	defer cancel()
	for {
		v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
		if err == nil {
			return v, nil
		}
		select {
		case <-ctx.Done():
			return v, fmt.Errorf("%s's page does not answer %s: %w", p.name, expression, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// until waits until a JavaScript condition holds, also through reloads.
func (p *person) until(condition string) {
	p.t.Helper()
	if held, err := p.comes(condition, patience); err != nil {
		p.t.Fatal(err)
	} else if !held {
		p.t.Fatalf("%s waits in vain for %s\n%s", p.name, condition, p.describe())
	}
}

// comes reports whether a condition becomes true within a time. A page that navigates
// forgets the pending condition, and Chromium does not always tell so. So the condition is
// asked again after a while, also without an answer. If a navigation itself gets no answer,
// the person loads the page again: Chromium forgets a navigation that begins in the moment
// in which a new service worker replaces the old one.
func (p *person) comes(condition string, within time.Duration) (held bool, err error) {
	for deadline := time.Now().Add(within); time.Now().Before(deadline); {
		left := min(time.Until(deadline), 5*time.Second)
		held, err = askWithin[bool](p, fmt.Sprintf("e2e.when(() => (%s), %d)", condition, left.Milliseconds()), left+answerTime)
		if held || p.ctx.Err() != nil {
			return held, err
		}
		if errors.Is(err, context.DeadlineExceeded) {
			p.t.Logf("%s's page does not answer, and is loaded again: %s", p.name, condition)
			if err := p.reloads(); err != nil {
				return false, err
			}
		}
	}
	return false, err
}

// reloads begins to load a page again.
func (p *person) reloads() error {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	return chromedp.Do(ctx, func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, page.Reload, page.ReloadParams{})
		return chromedp.Void{}, err
	})
}

// answerTime is how long a page may take to answer after a condition's time. A slow
// machine needs seconds.
const answerTime = 15 * time.Second

// describe returns a short description of the page for error messages.
func (p *person) describe() string {
	return ask[string](p, `location.pathname + " " + (document.querySelector("#status")?.textContent ?? document.body.innerText.slice(0, 2000)) + "\n" + e2e.sign() +
		"\nmay play " + e2e.legal() + ", conn " + document.querySelector("[data-board]")?.dataset.conn + ", role " + document.querySelector("[data-board]")?.dataset.role + "\n" + e2e.pointers()`)
}

// opens goes to a path of the server. A navigation that Chromium forgets is tried again.
func (p *person) opens(path string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience/3)
	defer cancel()
	err := chromedp.Do(ctx, chromedp.Navigate(p.base+path))
	if errors.Is(err, context.DeadlineExceeded) {
		p.t.Logf("%s's page does not open, and is requested again: %s", p.name, path)
		p.do(chromedp.Navigate(p.base + path))
	} else if err != nil {
		p.t.Fatalf("%s's page: %v", p.name, err)
	}
}

// online waits until the page follows its game.
func (p *person) online() {
	p.t.Helper()
	p.until(`document.querySelector("[data-board]")?.dataset.conn === "on"`)
}

// text returns the text of an element.
func (p *person) text(selector string) string {
	p.t.Helper()
	return ask[string](p, fmt.Sprintf("document.querySelector(%q)?.textContent.trim() ?? ''", selector))
}

// hears waits until an element contains a text.
func (p *person) hears(selector, text string) {
	p.t.Helper()
	p.until(fmt.Sprintf("document.querySelector(%q)?.textContent.includes(%q)", selector, text))
}

// sees waits until an element is visible.
func (p *person) sees(selector string) {
	p.t.Helper()
	p.until(fmt.Sprintf("e2e.arrived() && e2e.visible(%q)", selector))
}

// loses waits until an element is not visible.
func (p *person) loses(selector string) {
	p.t.Helper()
	p.until(fmt.Sprintf("e2e.arrived() && !e2e.visible(%q)", selector))
}
