package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// Each refusal that depends on the position is read on the page, after a tap or a command of the move field.
// The moves that lead to the position are sent without the board, because they are many.
func TestRefusalsOfAPositionAreReadOnThePage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, ben := s.person("Ada", desktop), s.person("Ben", tablet)
	tap := func(at int) func(*person) { return func(p *person) { p.clicks(pit(at)) } }
	typed := func(text string) func(*person) {
		return func(p *person) {
			p.tabsTo("#order")
			p.types(text + kb.Enter)
		}
	}
	id, played := "", "" // the game on the pages, and its moves
	for _, tt := range []struct {
		code, rules, moves string
		does               func(*person) // the player on turn
		said               string        // {name}: the opponent
		why                string        // the section of the rules
	}{
		{"must-feed", "oware-abapa", fed, tap(6), "{name} has no seeds. Play 2, 4 or 5, so that {name} gets some.", "feed"},
		{"inwards", "bao", "k> k< m<", typed("10>"), "What you capture from pit 10 is sown inwards from that end.", "capture"},
		{"gives-up-row", "bao", "k> k< m< k< o<* o<", typed("16<"), "Sowing pit 16 this way would empty your inner row.", "lift"},
		{"blocked-pit", "bao", blocks, tap(24), "Pit 9 is blocked for this move.", "capture"},
		{"must-take-blocked", "bao", blocks + " l>", typed("6>"), "You must capture the blocked pit.", "capture"},
	} {
		moves := strings.Fields(tt.moves)
		rest, goesOn := strings.CutPrefix(tt.moves, played)
		if played == "" || !goesOn {
			id, rest = ada.makes(settings{rules: tt.rules, start: "creator"}), tt.moves
			ben.joins(id)
			ben.until(`e2e.board()?.state === "live"`)
		}
		played = tt.moves
		left := strings.Fields(rest)
		for i, move := range left {
			ply := len(moves) - len(left) + i
			[]*person{ada, ben}[ply%2].orders(id, ply, move)
		}
		p := []*person{ada, ben}[len(moves)%2]
		name := []*person{ben, ada}[len(moves)%2].called()
		p.until(fmt.Sprintf(`e2e.board().ply === %d && e2e.board().anim === "idle" && e2e.legal().length > 0`, len(moves)))
		tt.does(p)
		p.hears("#status", strings.ReplaceAll(tt.said, "{name}", name))
		p.until(fmt.Sprintf(`document.querySelector("#why")?.getAttribute("href").endsWith("#%s")`, tt.why))
		if got := ask[int](p, "e2e.board().ply"); got != len(moves) {
			t.Errorf("%s: the page shows ply %d, want %d", tt.code, got, len(moves))
		}
	}
}

// orders sends a move by the API, as a program does.
func (p *person) orders(id string, ply int, move string) {
	p.t.Helper()
	body := fmt.Sprintf(`{"id":"o%d","kind":"move","ply":%[1]d,"move":%q}`, ply, move)
	if status := ask[int](p, fmt.Sprintf(`fetch("/api/v1/games/%s/commands", { method: "POST",
		headers: { "Content-Type": "application/json" }, body: %q }).then((answer) => answer.status)`, id, body)); status != 200 {
		p.t.Fatalf("ply %d, %s, is answered with %d", ply, move, status)
	}
}

// Moves after which the player on turn must feed the opponent, and may not play a blocked pit.
const (
	fed    = "b e c c f e d f a a e f f"
	blocks = "k< j< i> i< k< k< i< j> j> i> o< k>* l> n> i>* n< n> n> i> n< i> l< k< m< i> l> o< n> j> n< l> n< p< k< " +
		"m> m> n< i> n> j> k> l< i> l< i<"
)
