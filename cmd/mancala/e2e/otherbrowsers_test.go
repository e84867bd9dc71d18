package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// tab is a page in a browser other than Chromium, with cookies of its own.
type tab interface {
	// open goes to an address and returns when the page has loaded.
	open(ctx context.Context, url string) error
	// text evaluates an expression in the page, which may be a promise, and returns its value,
	// which must be a string.
	text(ctx context.Context, expression string) (string, error)
	// click presses the mouse at a point of the window.
	click(ctx context.Context, x, y float64) error
	// resize gives the window a size in CSS pixels.
	resize(ctx context.Context, w, h int64) error
	// picture returns what the window shows, as PNG.
	picture(ctx context.Context) ([]byte, error)
	// problems returns the errors that the page has reported.
	problems() []string
}

// guest is a person at a page of such a browser.
type guest struct {
	t       *testing.T
	name    string
	browser string
	base    string
	tab     tab
}

// longPatience is patience for a guest. WebKit paints a page in the thread that answers questions and takes
// clicks, so beside many other programs a page in motion answers after more than a minute.
const longPatience = 4 * patience

// limited returns the time limit of one action.
func (g *guest) limited() (context.Context, context.CancelFunc) {
	return context.WithTimeout(g.t.Context(), longPatience)
}

func (g *guest) opens(path string) {
	g.t.Helper()
	ctx, cancel := g.limited()
	defer cancel()
	if err := g.tab.open(ctx, g.base+path); err != nil {
		g.t.Fatalf("%s cannot open %s: %v", g.name, path, err)
	}
}

func (g *guest) resizes(size screen) {
	g.t.Helper()
	ctx, cancel := g.limited()
	defer cancel()
	if err := g.tab.resize(ctx, size.w, size.h); err != nil {
		g.t.Fatal(err)
	}
	g.until(fmt.Sprintf("innerWidth === %d", size.w))
}

// asks evaluates an expression in the page of a guest, with the functions of testdata/page.js.
func asks[T any](g *guest, expression string) T {
	g.t.Helper()
	ctx, cancel := g.limited()
	defer cancel()
	v, err := answer[T](ctx, g, expression)
	if err != nil {
		g.t.Fatalf("%s's page does not answer %s: %v", g.name, expression, err)
	}
	return v
}

// answer is asks for a question to which no answer may come.
func answer[T any](ctx context.Context, g *guest, expression string) (v T, err error) {
	text, err := g.tab.text(ctx, `(async () => { if (!window.e2e) {`+pageScript+`} return JSON.stringify((await (`+expression+`)) ?? null); })()`)
	if err == nil {
		err = json.Unmarshal([]byte(text), &v)
	}
	return v, err
}

// until waits until a condition holds. The page is asked again after a while, because a page
// that navigates forgets the question: it then answers later, or not at all.
func (g *guest) until(condition string) {
	g.t.Helper()
	for deadline := time.Now().Add(longPatience); ; {
		ctx, cancel := context.WithTimeout(g.t.Context(), patience/2)
		holds, err := answer[bool](ctx, g, fmt.Sprintf("e2e.when(() => (%s), 5000)", condition))
		cancel()
		switch {
		case holds:
			return
		case err != nil && !errors.Is(err, context.DeadlineExceeded):
			g.t.Fatalf("%s's page does not answer whether %s: %v", g.name, condition, err)
		case time.Now().After(deadline):
			g.shoots("failure")
			g.t.Fatalf("%s waits in vain for %s on %s", g.name, condition, asks[string](g, `location.href + "\n" + document.body.innerText.slice(0, 2000)`))
		}
	}
}

// clicks presses the mouse on an element.
func (g *guest) clicks(selector string) {
	g.t.Helper()
	var at []float64
	for len(at) != 2 { // until it does not move
		g.until(fmt.Sprintf("e2e.spot(%q)", selector))
		at = asks[[]float64](g, fmt.Sprintf("e2e.spot(%q) ?? []", selector))
	}
	ctx, cancel := g.limited()
	defer cancel()
	if err := g.tab.click(ctx, at[0], at[1]); err != nil {
		g.t.Fatal(err)
	}
}

// goes follows a link or a button that leads to another page, and waits for that page.
func (g *guest) goes(selector, there string) {
	g.t.Helper()
	g.clicks(selector)
	g.until(there)
}

// looks checks what holds for every page: it needs no sideways scroll, and on a phone its scroll
// bar is thin, and not there beside a board. With MANCALA_PICTURES, a folder, the page is kept there for people to look at.
func (g *guest) looks(what string) {
	g.t.Helper()
	if over := asks[string](g, `((page) => page.scrollWidth > page.clientWidth ? page.scrollWidth + " of " + page.clientWidth : "")(document.scrollingElement)`); over != "" {
		g.t.Errorf("%s: %s needs a sideways scroll: %s px", g.name, what, over)
	}
	const barWidth = `innerWidth < 480 ? innerWidth - document.documentElement.clientWidth - (document.querySelector(".game") ? 0 : 8) : 0`
	if lost := asks[int](g, barWidth); lost > 0 {
		g.t.Errorf("%s: %s gives %d px too many to a scroll bar", g.name, what, lost)
	}
	g.shoots(what)
}

func (g *guest) shoots(what string) {
	g.t.Helper()
	keepPicture(g.t, fmt.Sprintf("%s-%s-%s", g.browser, what, g.name), func() ([]byte, error) {
		ctx, cancel := g.limited()
		defer cancel()
		return g.tab.picture(ctx)
	})
}

// keepPicture stores a picture as PNG in the folder MANCALA_PICTURES, for people to look at. It takes none
// if no folder is given.
func keepPicture(t *testing.T, name string, take func() ([]byte, error)) {
	t.Helper()
	folder := os.Getenv("MANCALA_PICTURES")
	if folder == "" {
		return
	}
	picture, err := take()
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o600)
	}
	if err != nil {
		t.Error(err)
	}
}

// Two play and one watches, from the home page to the analysis, in Firefox and in WebKit.
func TestGameOfTwoWithAWatcherIsPlayedInFirefoxAndWebKit(t *testing.T) {
	t.Parallel()
	for name, newTab := range map[string]func(t *testing.T) tab{"firefox": firefoxTab, "webkit": webkitTab} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			needs(t)
			s := serve(t)
			arrives := func(who string, size screen) *guest {
				g := &guest{t: t, name: who, browser: name, base: "http://" + s.addr, tab: newTab(t)}
				g.opens("/")
				g.resizes(size)
				t.Cleanup(func() {
					for _, problem := range g.tab.problems() {
						t.Errorf("%s's page: %s", who, problem)
					}
				})
				return g
			}
			tourInAnotherBrowser(t, s, arrives("Ada", desktop), arrives("Ben", phone), arrives("Wanda", tablet))
		})
	}
}

func tourInAnotherBrowser(t *testing.T, s *server, ada, ben, wanda *guest) {
	all := []*guest{ada, ben, wanda}
	for _, g := range all {
		g.until(`document.querySelectorAll(".hero svg circle, .hero svg use").length > 0`)
		g.looks("home")
	}
	ada.goes(action("new"), `location.pathname.length === 11 && document.querySelector("[data-board]")?.dataset.conn === "on"`)
	ada.clicks("#settings > summary")
	ada.until(`e2e.visible("#settings [name=start]")`)
	ada.looks("waiting room")
	path := asks[string](ada, "location.pathname")
	for _, g := range []*guest{wanda, ben} {
		g.opens(path)
		g.until(`document.querySelector("[data-board]").dataset.conn === "on"`)
		g.looks("invitation")
	}
	ben.clicks("#sit " + action("play"))
	for _, g := range all {
		g.until(`e2e.board().state === "live"`)
	}
	random := fixed()
	const plies = 20 // more than the list of moves shows at once
	v := s.game(path[1:])
	for v.Snap.State == "live" && v.Snap.Ply < plies {
		mover := ada
		if asks[string](ada, `document.querySelector("[data-board]").dataset.role`) != fmt.Sprint(v.Snap.Turn) {
			mover = ben
		}
		mover.until("(e2e.choices = e2e.legal()).length > 0") // read once: there are none while a page connects again
		legal := asks[[]int](mover, "e2e.choices")
		mover.clicks(pit(legal[random.IntN(len(legal))]))
		for _, g := range all {
			g.until(fmt.Sprintf(`e2e.board().ply === %d && e2e.board().anim === "idle"`, v.Snap.Ply+1))
		}
		v = s.game(path[1:])
		if v.Snap.Ply == 4 { // enough of the motion
			for _, g := range all {
				g.looks("game")
				asks[bool](g, `(document.documentElement.dataset.speed = "instant", true)`)
			}
		}
	}
	if v.Snap.Ply != plies {
		t.Fatalf("the game ended after %d moves", v.Snap.Ply)
	}
	ada.until(`((list, last) => list.scrollTop > 0 && last.getAttribute("aria-current") && last.getBoundingClientRect().bottom <= list.getBoundingClientRect().bottom + 1)(document.querySelector("#moves"), [...document.querySelectorAll("#moves button")].at(-1))`)
	ada.looks("late")
	asks[bool](ada, `((button) => (button.click(), button.click(), true))(document.querySelector("[data-action=resign]"))`)
	for _, g := range all {
		g.until(`e2e.visible("#result")`)
		g.looks("result")
	}
	ada.opens(path + "/analysis")
	ada.clicks(action("ask"))
	ada.until(`e2e.visible(".analysed table")`)
	ada.looks("analysis")
	ben.opens("/settings")
	ben.until(`e2e.visible("[data-pref=theme]")`)
	ben.looks("settings")
	wanda.opens("/watch")
	wanda.looks("watch")
}
