package e2e

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// lays fills the board with the page's controls and confirms the lay-out.
func (g *table) lays(p *person, v view) {
	g.t.Helper()
	pits := v.Snap.Shape[2]
	paired := v.Snap.Rules == "wise"
	count := func(n, want int) {
		g.t.Helper()
		p.until(fmt.Sprintf(`document.querySelector(%q).dataset.count === "%d"`, pit(n), want))
	}
	if v.Snap.Round > 1 {
		g.laysAgain(p)
		return
	}
	p.until("e2e.laid() === 0")
	own := g.side(p) * pits
	p.clicks(pit(own + 2))
	count(own+2, 1)
	if paired { // the opposite pit fills too, and the corners stay empty
		count((1-g.side(p))*pits+pits-3, 1)
		p.clicks(pit(own))
		p.hears("#status", "corner")
		count(own, 0)
	}
	p.clicks(action("layout-more"))
	count(own+2, 2)
	p.clicks(action("layout-less"))
	count(own+2, 1)
	p.clicks("#layout [name=seeds]")
	ask[bool](p, `(document.querySelector("#layout [name=seeds]").select(), true)`)
	p.types("11" + kb.Tab)
	count(own+2, 11)
	p.clicks(action("layout-more"))
	g.other(p).hears("#status", fmt.Sprintf("is filling the board: %d of 72", ask[int](p, "e2e.laid()")))
	laid := ask[int](p, "e2e.laid()")
	for _, q := range g.all() { // all see the seeds that are being laid
		q.until(fmt.Sprintf("e2e.laid() === %d", laid))
	}
	p.clicks(action("layout-clear"))
	p.until("e2e.laid() === 0")
	if !ask[bool](p, `document.querySelector("[data-action=layout-done]").disabled`) {
		g.t.Error("an empty board can be handed over")
	}
	p.clicks(pit(own + 1))
	p.clicks(action("layout-deal"))
	p.until("e2e.laid() === 72")
	g.draft[p] = ask[shown](p, "e2e.board()").Pits
	p.clicks(action("layout-done"))
}

// laysAgain fills the board in a later round. It repeats the player's last
// lay-out if there is one.
func (g *table) laysAgain(p *person) {
	g.t.Helper()
	p.sees(action("layout-done"))
	same := ask[bool](p, `e2e.visible("[data-action=layout-same]")`)
	if same != (g.draft[p] != nil) {
		g.t.Errorf("%s has laid out %v before, and can do the same again: %t", p.name, g.draft[p], same)
	}
	if same {
		p.clicks(action("layout-same"))
		if got := ask[shown](p, "e2e.board()").Pits; !slices.Equal(got, g.draft[p]) {
			g.t.Errorf("the same as last time is %v, it was %v", got, g.draft[p])
		}
	} else {
		p.clicks(action("layout-deal"))
		p.until("e2e.laid() === 72")
		g.draft[p] = ask[shown](p, "e2e.board()").Pits
	}
	p.clicks(action("layout-done"))
}

// other returns the opponent in a game for two.
func (g *table) other(p *person) *person { return g.players[1-slices.Index(g.players, p)] }

// A match by difference has lay-outs, a choice of side, rounds and a sum of
// scores.
func TestMatchByDifferenceHasRoundsAndASum(t *testing.T) {
	t.Parallel()
	for _, rules := range []string{"ignorant", "wise"} {
		t.Run(rules, func(t *testing.T) {
			t.Parallel()
			// The target is out of reach, so that no lucky lay-out ends the
			// match in the first round.
			g := deal(t, serve(t), settings{rules: rules, options: "target=200 max_rounds=2"}, 2)
			v := g.playOut()
			if len(v.Snap.Rounds) != 2 {
				t.Errorf("the match had %d rounds", len(v.Snap.Rounds))
			}
			g.replays(v)
			for _, p := range g.all() {
				g.stepsThroughRounds(p, v)
			}
			reader := g.server.person("Reader", desktop)
			reader.opens("/" + g.id)
			reader.sees("#rounds [data-round='1']")
			_, low := reader.box(action("copy-moves"))
			if _, edge := reader.box("#moves-panel"); low > edge || low > float64(desktop.h) {
				t.Errorf("the button that copies the moves ends at %v, the panel of moves at %v", low, edge)
			}
			reader.base = g.server.framed(t)
			reader.opens("/embed/" + g.id)
			for i, round := range v.Snap.Rounds {
				choose := fmt.Sprintf(`document.querySelector(".rounds [data-round='%d']").click()`, i)
				reader.framesShow(choose+` ?? [0, 1].map((side) => document.querySelector("[data-store='" + side + "']").dataset.count).join()`, join(round.Scores))
			}
		})
	}
}

// stepsThroughRounds opens the end of each round of a finished match.
func (g *table) stepsThroughRounds(p *person, v view) {
	g.t.Helper()
	for i, round := range v.Snap.Rounds { // the rounds can be chosen above the bars and in the list
		above := fmt.Sprintf(".result .rounds [data-round='%d']", i)
		ask[bool](p, fmt.Sprintf("(document.querySelector(%q).focus(), true)", above))
		p.presses(above)
		p.until(fmt.Sprintf("document.activeElement.matches(%q) && document.activeElement.ariaCurrent === 'true'", above))
		p.presses(action("last"))
		p.draws("moves")
		p.presses(fmt.Sprintf("#rounds [data-round='%d']", i))
		p.until(fmt.Sprintf("e2e.board().stores.join() === %q", fmt.Sprintf("%d,%d", round.Scores[0], round.Scores[1])))
		p.shuts()
		p.presses(action("first"))
		p.until("e2e.board().ply === 0 && e2e.board().stores.join() === '0,0'")
	}
	p.presses(action("last"))
	g.shows()
}
