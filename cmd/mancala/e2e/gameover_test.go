package e2e

import "testing"

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
