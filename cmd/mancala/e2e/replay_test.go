package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// small is the smallest phone on which a whole game fits (UX.md §3).
var small = screen{w: 360, h: 640, touch: true}

// box returns the top and the bottom of an element in the window.
func (p *person) box(selector string) (top, bottom float64) {
	p.t.Helper()
	box := ask[[]float64](p, fmt.Sprintf("((r) => [r.top, r.bottom])(document.querySelector(%q).getBoundingClientRect())", selector))
	return box[0], box[1]
}

// finished plays some plies of a game and ends it.
func (g *table) finished(plies int) {
	g.t.Helper()
	g.hurries()
	v := g.shows()
	for v.Snap.Ply < plies {
		v = g.ply(v)
	}
	g.seat(v.Snap.Turn).resigns()
	for _, p := range g.all() {
		p.sees("#game[data-drawn] #result")
	}
}

// On a phone the invitation stands above the board, so that Play is in view for
// each game. When the game begins, the whole board is in view.
func TestBoardIsInViewWhenTheGameBegins(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, ben := s.person("Ada", small), s.person("Ben", small)
	id := ada.makes(settings{rules: "maruba"})
	ben.opens("/" + id)
	ben.online()
	top, _ := ben.box("[data-board]")
	if _, low := ben.box("#sit [data-action=play]"); low > top || low > 300 {
		t.Errorf("Play ends %v px down the page, the board begins at %v", low, top)
	}
	if host := ben.text(`.seats[data-place=top] .name`); host == "" || host == "Free seat" {
		t.Errorf("the seat of the host reads %q", host)
	}
	ask[bool](ben, "(scrollTo(0, 150), true)")
	ben.clicks(action("play"))
	for _, p := range []*person{ada, ben} {
		p.until(`e2e.board().state === "live"`)
		p.until(`((r) => r.top >= 0 && r.bottom <= innerHeight)(document.querySelector(".table").getBoundingClientRect())`)
	}
}

// The buttons of a replay are in view below the board. Arrow keys step, wherever the
// focus is. A button plays the moves and pauses.
func TestReplayIsMovedFromBesideTheBoard(t *testing.T) {
	t.Parallel()
	s := serve(t)
	g := dealAt(t, s, settings{rules: "oware"}, []screen{small, desktop}, tablet)
	g.finished(4)
	for _, p := range g.players {
		_, board := p.box("[data-board]")
		top, bottom := p.box(".stepping")
		if p.touch && (top < board || bottom > board+150 || bottom > 640) {
			t.Errorf("the buttons are from %v to %v, the board ends at %v", top, bottom, board)
		}
		p.hears("#at", "4 of 4")
		for _, step := range [][2]string{{kb.Home, "0 of 4"}, {kb.ArrowRight, "1 of 4"}, {kb.ArrowRight, "2 of 4"}, {kb.ArrowLeft, "1 of 4"}, {kb.End, "4 of 4"}} {
			p.types(step[0])
			p.hears("#at", step[1])
		}
		ask[bool](p, `(window.ats = [], new MutationObserver(() => ats.push(document.querySelector("#at").textContent)).observe(document.querySelector("#at"), { childList: true }), true)`)
		p.presses(action("replay"))
		p.until(`ats.join() === "0 of 4,1 of 4,2 of 4,3 of 4,4 of 4" && document.querySelector("[data-action=replay]").textContent === "▶"`)
		// The second press pauses: it comes with the first move.
		ask[bool](p, `(new MutationObserver(() => document.querySelector("#at").textContent === "1 of 4" && document.querySelector("[data-action=replay]").click()).observe(document.querySelector("#at"), { childList: true }), true)`)
		p.presses(action("replay"))
		p.until(`document.querySelector("[data-action=replay]").textContent === "▶" && document.querySelector("#at").textContent === "1 of 4"`)
		p.presses(".stepping .at")
		if open := ask[bool](p, `document.querySelector("#moves-panel:popover-open") !== null`); open != p.touch {
			t.Errorf("at %d px the list of moves is a sheet: %v", ask[int](p, "innerWidth"), open)
		}
		p.shuts()
	}
}

// Digits play a pit wherever the focus is, except in a field, unless single keys are
// switched off.
func TestDigitsPlayWithoutTheFocusOnTheBoard(t *testing.T) {
	t.Parallel()
	s := serve(t)
	g := dealAt(t, s, settings{start: "creator"}, []screen{desktop, desktop}, tablet)
	g.hurries()
	v := g.shows()
	p := g.seat(v.Snap.Turn)
	ask[bool](p, `(document.activeElement.blur(), true)`)
	p.pref("keys", "off")
	p.types("1")
	ask[bool](p, `(document.querySelector("#chat-form input").focus(), true)`)
	p.pref("keys", "on")
	p.types("1")
	if got := g.shows().Snap.Ply; got != 0 {
		t.Errorf("%d plies were played without the keys", got)
	}
	ask[bool](p, `(document.activeElement.blur(), true)`)
	p.types("1")
	p.until("e2e.board().ply === 1")
}
