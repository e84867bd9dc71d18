package e2e

import (
	"fmt"
	"testing"
)

// An aborted game offers neither an analysis nor a passkey. A finished game has one
// button for the analysis.
func TestOneButtonLeadsToTheAnalysisOfAFinishedGame(t *testing.T) {
	t.Parallel()
	s := serve(t)
	aborted := dealAt(t, s, settings{}, []screen{small, desktop}, tablet)
	aborted.hurries()
	aborted.ply(aborted.shows())
	ada := aborted.players[0]
	ada.confirms("#actions " + action("abort"))
	for _, p := range aborted.all() {
		p.sees("#game[data-drawn] #result")
		for _, offer := range []string{"analyse", "ask", "upgrade"} {
			p.loses(action(offer))
		}
	}
	g := dealAt(t, s, settings{}, []screen{small, desktop}, tablet)
	g.finished(4)
	for _, p := range g.all() {
		p.sees(action("ask"))
		p.loses(action("analyse"))
	}
	g.players[1].presses(action("ask"))
	g.players[1].sees(action("analyse"))
	g.players[1].loses(action("ask"))
}

// The buttons for the next game are in the window when a game is over, beside what is said and not over it.
func TestNextGameIsOfferedWithoutScrolling(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{}, 2)
	g.finished(4)
	for _, p := range g.all() {
		for _, size := range []screen{desktop, {w: 1280, h: 720}, {w: 1024, h: 768}, {w: 900, h: 700}} {
			p.resize(size)
			p.until(fmt.Sprintf("innerWidth === %d && innerHeight === %d", size.w, size.h))
			p.sees(".leads")
			p.until(`document.querySelector("mancala-board").dataset.orient === "h" && (scrollTo(0, 0), scrollY === 0)`)
			if _, bottom := p.box(".leads"); bottom > float64(size.h) {
				t.Errorf("%s, %v: the buttons for the next game end at %.0f", p.name, size, bottom)
			}
			for _, text := range []string{"#status", ".stepping", ".bar"} {
				if ask[bool](p, fmt.Sprintf(overlap, ".leads", text)) {
					t.Errorf("%s, %v: the buttons for the next game lie over %s", p.name, size, text)
				}
			}
		}
	}
}

// overlap reports whether any two visible parts of two elements lie over each other.
const overlap = `(([a, b]) => a.some((r) => b.some((q) => r.left < q.right - 1 && q.left < r.right - 1 && r.top < q.bottom - 1 && q.top < r.bottom - 1)))(
	[%q, %q].map((at) => [...document.querySelectorAll(at + "," + at + " *")].filter((el) => el.checkVisibility() && el.childElementCount === 0)
		.map((el) => el.getBoundingClientRect())))`

// The help opens at its top.
func TestHelpOpensAtItsTop(t *testing.T) {
	t.Parallel()
	s := serve(t)
	g := dealAt(t, s, settings{}, []screen{small, desktop}, tablet)
	ada := g.players[0]
	ada.presses(action("help"))
	ada.sees("#help[open]")
	if top := ask[float64](ada, `document.querySelector("#help").scrollTop`); top > 0 {
		t.Errorf("the help is scrolled down by %v px", top)
	}
	if first := ask[bool](ada, `!!(document.querySelector("#help-rules").compareDocumentPosition(document.querySelector("#help-keys")) & Node.DOCUMENT_POSITION_FOLLOWING)`); !first {
		t.Error("the keys come before the rules")
	}
}

// A tap on the board after the end is answered aloud. The line goes on saying who won: on a phone, the panel with
// the result can be below the window.
func TestTapAfterTheEndLeavesTheResultInTheLine(t *testing.T) {
	t.Parallel()
	g := dealAt(t, serve(t), settings{rules: "bao"}, []screen{small, desktop}, tablet)
	g.finished(2)
	for _, p := range g.players {
		line := p.text("#status")
		p.clicks(pit(0))
		p.hears("#shout", "The game is over.")
		p.rests() // the line has been drawn again
		if got := p.text("#status"); got != line {
			t.Errorf("%s reads %q after a tap, and read %q before", p.name, got, line)
		}
	}
}

// The number of a long game's move is not wider than its button.
func TestNumberOfAMoveFitsItsButton(t *testing.T) {
	t.Parallel()
	g := dealAt(t, serve(t), settings{}, []screen{small, desktop}, tablet)
	g.finished(2)
	p := g.players[0]
	if over := ask[int](p, `(() => {
		document.querySelector("#at").textContent = "130 of 130";
		const at = document.querySelector(".stepping .at");
		return at.scrollWidth - at.clientWidth;
	})()`); over > 0 {
		t.Errorf("the number is %d px wider than its button", over)
	}
	if over := p.overflow(); over > 0 {
		t.Errorf("the page is %d px too wide", over)
	}
}
