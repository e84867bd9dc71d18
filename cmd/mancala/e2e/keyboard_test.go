package e2e

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// placed checks that an element has the focus. With the focus on the page's
// body, a keyboard user must start from the top.
func (p *person) placed(after string) {
	p.t.Helper()
	if ask[bool](p, "document.activeElement === document.body || document.activeElement === null") {
		p.t.Fatalf("after %s %s's keyboard is nowhere\n%s", after, p.name, p.describe())
	}
}

// focus returns the pit with the focus, or -1.
func (p *person) focus() int {
	p.t.Helper()
	return ask[int](p, `Number(document.activeElement?.dataset.pit ?? -1)`)
}

// walks moves the focus to a pit with the arrow keys alone. The player's own
// pits are at the bottom, from left to right.
func (p *person) walks(to int) {
	p.t.Helper()
	for range 20 {
		at := p.focus()
		switch {
		case at == to:
			return
		case at < 0 || at/6 != to/6: // on a store, or in the other row
			p.types(kb.ArrowDown)
			if p.focus() < 0 {
				p.types(kb.ArrowLeft)
			}
		case at < to:
			p.types(kb.ArrowRight)
		default:
			p.types(kb.ArrowLeft)
		}
		p.placed("an arrow")
	}
	p.t.Fatalf("%s does not come to pit %d with the arrows\n%s", p.name, to, p.describe())
}

// Two players play a whole game by keyboard alone, from the home page to the
// rematch.
func TestWholeGameByKeyboardFromHomeToRematch(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, ben := s.person("Ada", desktop), s.person("Ben", desktop)
	g := &table{t: t, server: s, random: fixed(), players: []*person{ada, ben}}
	ada.opens("/")
	ada.tabsTo(action("new"))
	ada.types(kb.Enter)
	ada.until("location.pathname.length === 11")
	ada.online()
	g.id = ask[string](ada, "location.pathname.slice(1)")
	ada.keepsAsking()
	ada.tabsTo(action("copy"))
	ada.types(kb.Enter)
	ada.until(`/Copied|Selected/.test(document.querySelector("[data-action=copy]").textContent)`)

	ben.opens("/" + g.id)
	ben.online()
	ben.tabsTo(action("play"))
	ben.types(kb.Enter)
	for _, p := range g.players {
		p.until("e2e.board()?.state === 'live'")
		p.online()
	}
	ada.placed("the start") // the pressed button is gone
	v := g.shows()
	for _, p := range g.players {
		p.tabsTo("[data-pit]")
	}
	g.hurries()
	for n := 0; v.Snap.State != "over"; n++ {
		v = g.keys(v, n)
	}
	g.ended(v)

	loser, winner := ada, ben
	loser.tabsTo("#result " + action("rematch"))
	loser.types(kb.Enter)
	loser.placed("asking for a rematch")
	winner.sees("#offers")
	winner.placed("being asked for one")
	winner.tabsTo("#offers " + action("accept"))
	winner.types(kb.Enter)
	for _, p := range g.players {
		p.until(fmt.Sprintf("location.pathname !== '/%s' && e2e.board()?.state === 'live'", g.id))
	}
}

// keys plays a ply by keys: a digit, or arrows with Enter or Space.
func (g *table) keys(v view, n int) view {
	g.t.Helper()
	p := g.seat(v.Snap.Turn)
	p.until(mayAct)
	legal := ask[[]int](p, "e2e.legal()")
	to := legal[g.random.IntN(len(legal))]
	switch n % 3 {
	case 0:
		p.types(strconv.Itoa(to%6 + 1))
	case 1:
		p.walks(to)
		p.types(kb.Enter)
	default:
		p.walks(to)
		p.types(" ")
	}
	p.until(fmt.Sprintf("e2e.board().ply === %d", v.Snap.Ply+1))
	v = g.shows()
	for _, q := range g.players {
		q.placed("a ply")
	}
	if v.Snap.State != "over" && p.focus() != to {
		g.t.Fatalf("%s played pit %d, and the focus went to %d", p.name, to, p.focus())
	}
	return v
}

// Directions, lay-outs and sides can be chosen by keys too.
func TestDirectionsAndLayoutsAreChosenByKeys(t *testing.T) {
	t.Parallel()
	t.Run("direction", func(t *testing.T) {
		t.Parallel()
		g := deal(t, serve(t), settings{rules: "giuthi", start: "creator"}, 2)
		ada := g.players[0]
		ada.tabsTo("[data-pit]")
		for i, keys := range []string{kb.Enter + kb.ArrowLeft + kb.Enter, kb.Enter + kb.ArrowRight + kb.Enter} {
			v := g.shows()
			for v.Snap.Turn != 0 {
				v = g.ply(v)
			}
			ada.walksToChoice()
			ada.types(kb.Enter)
			ada.sees("[data-way]")
			ada.types(kb.Escape)
			ada.loses("[data-way]")
			ada.placed("Escape")
			ada.types(keys)
			ada.until(fmt.Sprintf("e2e.board().ply > %d", v.Snap.Ply))
			ada.placed("choosing a way")
			moves := g.shows().Snap.Moves
			if got := moves[len(moves)-1]; got[len(got)-1:] != []string{"<", ">"}[i] {
				t.Errorf("the move was %s", got)
			}
		}
	})
	t.Run("lay-out", func(t *testing.T) {
		t.Parallel()
		g := deal(t, serve(t), settings{rules: "ignorant", options: "max_rounds=1"}, 2)
		p := g.seat(g.shows().Snap.Turn)
		p.tabsTo("[data-pit]")
		p.types(" ")
		p.until("e2e.laid() === 1")
		p.tabsTo(action("layout-deal"))
		p.types(kb.Enter)
		p.tabsTo(action("layout-done"))
		p.types(kb.Enter)
		p.until("e2e.board().ply === 1")
		p.placed("handing the board over")
		q := g.other(p)
		q.tabsTo(action("keep"))
		q.types(kb.Enter)
		q.until("e2e.board().ply === 2")
		q.placed("choosing a side")
	})
}

// walksToChoice moves right to a pit that can be sown in both directions.
func (p *person) walksToChoice() {
	p.t.Helper()
	p.types(kb.Home)
	for range 20 {
		if ask[bool](p, `document.activeElement.dataset.legal === "1"`) {
			p.types(kb.Enter)
			if ask[bool](p, `e2e.visible("[data-way]")`) {
				p.types(kb.Escape)
				return
			}
			p.t.Fatalf("%s has a pit that goes one way only\n%s", p.name, p.describe())
		}
		p.types(kb.ArrowRight)
	}
	p.t.Fatalf("%s finds no pit to play\n%s", p.name, p.describe())
}
