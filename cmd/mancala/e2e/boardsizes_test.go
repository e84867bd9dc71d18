package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"mancala/lobby"
)

// measured is the geometry of a board on a page.
type measured struct {
	Orient       string
	W, H         float64 // of the player's own first pit, in the orientation of geometry.js
	Page, Window int     // widths
}

// geometryOf returns geometry.js as an expression for the page. It must agree
// with the style sheet.
func geometryOf(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile("../../../web/static/board/geometry.js")
	if err != nil {
		t.Fatal(err)
	}
	return "(() => {" + strings.ReplaceAll(string(source), "export ", "") + "\nreturn lay; })()"
}

// The test compares boards in a real browser with the formulas: the style sheet
// and geometry.js must agree (UX.md §4).
func TestBoardsHaveTheSizesOfTheFormulas(t *testing.T) {
	t.Parallel()
	lay := geometryOf(t)
	s := serve(t)
	windows := append([]screen{{w: 360, h: 740}, {w: 390, h: 590}, {w: 568, h: 320}, {w: 599, h: 900}, {w: 600, h: 800}, {w: 1280, h: 600}, {w: 1920, h: 1080}}, sizes...)
	for _, rules := range []struct{ name, options string }{
		{"kalah", ""}, {"kalah", "pits=8"}, {"kalah", "pits=10"}, {"kalah", "pits=13 seeds=3"},
		{"oware", "pits=1 seeds=9"}, {"giuthi", ""}, {"giuthi", "pits=10"}, {"maruba", ""},
		{"basic-four", "pits=4"}, {"basic-four", ""}, {"basic-four", "pits=9 seeds=3"}, {"basic-four", "pits=13 seeds=3"},
	} {
		t.Run(strings.TrimSpace(rules.name+" "+rules.options), func(t *testing.T) {
			p := s.person("Ada", desktop)
			id := p.makes(settings{rules: rules.name, options: rules.options})
			guest := s.person("Guest", desktop) // sees the board beside the offer of a seat
			guest.opens("/" + id)
			guest.online()
			for _, size := range windows {
				guest.resize(size)
				guest.until(fmt.Sprintf("innerWidth === %d", size.w))
				got := guest.measures(lay, "auto", false)
				if got.Page > got.Window {
					t.Errorf("on %d×%d the page is %d wide", size.w, size.h, got.Page)
				}
				if small := ask[string](guest, cramped); small != "" {
					t.Errorf("on %d×%d %s", size.w, size.h, small)
				}
			}
			guest.resize(phone)
			for _, pin := range []string{"v", "h"} {
				ask[string](guest, fmt.Sprintf("document.documentElement.dataset.orient = %q", pin))
				guest.measures(lay, pin, false)
			}
			ask[string](guest, `document.documentElement.dataset.screen = ""`)
			for _, size := range []screen{{w: 1920, h: 1080}, {w: 1280, h: 720}, {w: 3840, h: 2160}} { // projectors
				guest.resize(size)
				guest.until(fmt.Sprintf("innerWidth === %d", size.w))
				guest.measures(lay, "auto", true)
			}
		})
	}
}

// cramped names the pits that are too small for a finger or overlap.
const cramped = `(() => {
	const pits = [...document.querySelectorAll("[data-pit], [data-sides='4'] [data-store]")];
	const boxes = pits.map((pit) => pit.getBoundingClientRect());
	const meet = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
	const name = (i) => pits[i].getAttribute("aria-label");
	for (const [i, box] of boxes.entries()) {
		if (Math.min(box.width, box.height) < 23.9) return name(i) + " is " + box.width + "×" + box.height;
		for (let k = 0; k < i; k++) if (meet(box, boxes[k])) return name(i) + " lies on " + name(k);
	}
	return "";
})()`

// measures compares the board of a page with the formulas.
func (p *person) measures(lay, pin string, projected bool) measured {
	p.t.Helper()
	got, want := measure(p), wanted(p, lay, pin, projected)
	if got.Orient != want.Orient || math.Abs(got.W-want.W) > 2 || math.Abs(got.H-want.H) > 2 {
		p.t.Errorf("on %s (pinned: %s, projected: %t) it is %s %.1f×%.1f, want %s %.1f×%.1f",
			ask[string](p, "innerWidth + '×' + innerHeight"), pin, projected, got.Orient, got.W, got.H, want.Orient, want.W, want.H)
	}
	return got
}

// measure returns what the page shows once its board has its final orientation.
func measure(p *person) measured {
	p.t.Helper()
	return ask[measured](p, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
		const board = document.querySelector("mancala-board");
		const mine = [...board.querySelectorAll(".row")].at(-1).querySelector("[data-pit]").getBoundingClientRect();
		const turn = getComputedStyle(board).getPropertyValue("--turn").trim();
		const page = document.scrollingElement;
		done({ Orient: board.dataset.sides === "4" ? "ring" : turn === "1" ? "v" : "h", W: mine.width, H: mine.height, Page: page.scrollWidth, Window: page.clientWidth });
	})))`)
}

// wanted returns what geometry.js computes for the board in this window.
func wanted(p *person, lay, pin string, projected bool) measured {
	p.t.Helper()
	text := ask[string](p, `(() => {
		const { sides, rows, cols, stores } = document.querySelector("mancala-board").dataset;
		const form = { sides: +sides, rows: sides === "2" ? rows / 2 : 1, cols: +cols, stores: stores === "1" };
		const { orient, w, h } = (`+lay+`)({ w: innerWidth, h: innerHeight }, form, "`+pin+`", `+strconv.FormatBool(projected)+`);
		return JSON.stringify({ Orient: orient, W: w, H: h });
	})()`)
	var m measured
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		p.t.Fatal(err)
	}
	return m
}

// With larger text, and with the spacing of WCAG 1.4.12, no page of a game needs a
// sideways scroll. No part of the title or of the controls is cut off.
func TestLargeTextFitsThePageOfAGame(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for _, how := range []settings{{rules: "maruba"}, {rules: "kalah"}, {rules: "kalah", clock: "30+10", rated: true}} {
		g, rules := deal(t, s, how, 2), how.rules
		g.plays(g.shows(), 2) // so that all controls are there
		for _, how := range []string{
			"html { font-size: 200% }",
			"* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }",
		} {
			p, what := g.players[0], rules+" with "+how
			ask[bool](p, fmt.Sprintf(`(() => { const sheet = new CSSStyleSheet(); sheet.replaceSync(%q); document.adoptedStyleSheets = [sheet]; return true; })()`, how))
			p.fits(what, false)
			p.readsAll(what, screen{w: 360, h: 740}, screen{w: 740, h: 360}, screen{w: 820, h: 1180}, desktop)
		}
	}
}

// The page of a match has the most texts and controls, and must fit on a phone.
func TestLargeTextFitsThePageOfAMatch(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "wise", options: "target=200 max_rounds=3"}, 2)
	v := g.ply(g.ply(g.ply(g.ply(g.shows()))))
	p := g.seat(v.Snap.Turn)
	all := []screen{{w: 360, h: 640}, {w: 320, h: 568}, {w: 740, h: 360}, desktop}
	p.readsAll("a match", all...)
	p.keepsAsking()
	p.presses(action("resign-match"))
	p.sees(".armed")
	p.readsAll("a question", screen{w: 360, h: 640})
}

// No part of the longest name of a game is cut off, in any language and on any screen.
func TestLongestNameOfAGameIsReadInEveryLanguage(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "basic-first-out"}, 2)
	g.plays(g.shows(), 2)
	for _, language := range lobby.Languages {
		for _, p := range []*person{g.players[1], g.watchers[0]} {
			p.opens("/" + g.id + "?lang=" + language.Tag)
			p.until(fmt.Sprintf("document.documentElement.lang === %q", language.Tag))
			p.online()
			on := []screen{small, {w: 320, h: 568}, {w: 740, h: 360}, tablet, {w: 1200, h: 800}, desktop}
			if p == g.watchers[0] { // who watches has links beside the title
				on = on[4:]
			}
			p.readsAll(p.name+" in "+language.Tag, on...)
		}
		pupil := g.watchers[0]
		pupil.opens("/learn/basic-first-out/lesson?lang=" + language.Tag)
		for _, size := range []screen{small, phone, desktop} {
			pupil.resize(size)
			pupil.until(fmt.Sprintf("e2e.arrived() && innerWidth === %d", size.w))
			if cut := ask[string](pupil, `((title) => title.scrollHeight > title.clientHeight + 1 || title.scrollWidth > title.clientWidth + 1 ? title.textContent : "")(document.querySelector(".teach h1"))`); cut != "" {
				t.Errorf("%q is cut on %d px", cut, size.w)
			}
		}
		pupil.resize(tablet)
	}
}

// The links are longer in French than in English.
func TestTitleOfAGameTouchesNoLinkOfThePage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	g := deal(t, s, settings{rules: "toguz-kumalak"}, 2)
	p := s.person("Watcher", desktop)
	p.opens("/settings")
	p.clicks(choice("language", "fr"))
	p.until(`document.documentElement.lang === "fr"`)
	p.opens("/" + g.id)
	p.online()
	for _, size := range []screen{desktop, {w: 1200, h: 800}} {
		p.resize(size)
		p.until(fmt.Sprintf("e2e.arrived() && innerWidth === %d", size.w))
		if touched := ask[string](p, `(() => {
			const title = document.querySelector("h1.title").getBoundingClientRect();
			const links = [...document.querySelectorAll(".top a")].filter((a) => a.checkVisibility());
			const near = links.filter((a) => a.getBoundingClientRect().right > title.left && a.getBoundingClientRect().left < title.right);
			return title.width > 100 && links.length > 7 ? near.map((a) => a.textContent).join() : "there is no title, or no links";
		})()`); touched != "" {
			t.Errorf("on %d×%d the title touches %s", size.w, size.h, touched)
		}
	}
}

// readsAll checks that no text around the board is cut off and that fingers can
// reach the controls.
func (p *person) readsAll(what string, on ...screen) {
	p.t.Helper()
	for _, size := range on {
		p.resize(size)
		p.until(fmt.Sprintf("e2e.arrived() && innerWidth === %d", size.w))
		const cut = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
			const shown = (q) => [...document.querySelectorAll(q)].filter((el) => el.checkVisibility());
			for (const el of shown("h1, h1 span, .bar button, .line button")) {
				if (el.scrollWidth > el.clientWidth + 1 && el.clientWidth > 0 || el.scrollHeight > el.clientHeight + 1 && el.clientHeight > 0) return done(el.textContent + " is cut off: " + el.scrollWidth + "×" + el.scrollHeight + " in " + el.clientWidth + "×" + el.clientHeight);
			}
			for (const el of shown(".actions button, .openers button, .line button")) if (el.offsetHeight < 44) return done(el.textContent + " is " + el.offsetHeight + " high");
			const words = document.createRange();
			words.selectNodeContents(document.querySelector("#status"));
			if (words.getBoundingClientRect().width < 100) return done("the status is too narrow");
			const title = document.querySelector("h1").getBoundingClientRect();
			for (const el of shown(".top a, .tools > *, .seat")) {
				const box = el.getBoundingClientRect();
				if (title.left < box.right - 1 && box.left < title.right - 1 && title.top < box.bottom - 1 && box.top < title.bottom - 1) return done("the title lies on " + el.textContent);
			}
			done("");
		})))`
		if got := ask[string](p, cut); got != "" {
			p.t.Errorf("%s on %d×%d: %s", what, size.w, size.h, got)
		}
	}
}

// Adding a seed moves no other seed, and no count lies under seeds.
func TestSeedsNeitherMoveNorHideCounts(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := s.person("Ada", phone)
	id := p.makes(settings{rules: "kalah", options: "pits=6 seeds=12"})
	guest := s.person("Guest", phone)
	guest.opens("/" + id)
	guest.online()
	const moved = `(() => {
		const board = document.querySelector("mancala-board");
		const places = () => [...board.cell(0).querySelectorAll("[data-slot]")].map((s) => [s.dataset.slot, s.getBoundingClientRect().x, s.getBoundingClientRect().y].join());
		board.put(0, 3);
		const three = places();
		board.put(0, 200);
		const many = places();
		return three.length === 3 && many.length === 12 && three.every((s, i) => s === many[i]) ? "" : three.join(" ") + " | " + many.join(" ");
	})()`
	if got := ask[string](guest, moved); got != "" {
		t.Errorf("seeds moved: %s", got)
	}
	const covered = `(() => {
		const round = (seed) => { // its box without the corners that turning adds
			const { left, top, width, height } = seed.getBoundingClientRect();
			const [x, y, r] = [left + width / 2, top + height / 2, seed.offsetWidth / 2];
			return { left: x - r, right: x + r, top: y - r, bottom: y + r };
		};
		const meet = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
		const board = document.querySelector("mancala-board");
		for (let game = 0; game < 10; game++) { // in which seeds lie elsewhere
			board.dataset.game = String(game);
			for (const s of [...Array(12).keys(), "s0", "s1"]) board.put(s, 0), board.put(s, 200);
			for (const pit of board.querySelectorAll("[data-pit], [data-store]")) {
				const count = pit.querySelector(".count").getBoundingClientRect();
				for (const seed of pit.querySelectorAll("[data-slot]")) if (meet(count, round(seed))) return (pit.dataset.pit ?? "store " + pit.dataset.store) + " in game " + game;
			}
		}
		return "";
	})()`
	for _, size := range sizes {
		guest.resize(size)
		guest.until(fmt.Sprintf("innerWidth === %d", size.w))
		if pit := ask[string](guest, covered); pit != "" {
			t.Errorf("on %d×%d a seed lies on the count of %s", size.w, size.h, pit)
		}
	}
}
