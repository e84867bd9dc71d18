package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// heard returns what a live region has announced since the page was opened.
func (p *person) heard(region string) []string {
	p.t.Helper()
	return ask[[]string](p, fmt.Sprintf("e2e.heard(%q)", region))
}

// asks types keys and waits until a live region has announced a text. Other
// announcements may have followed, such as the start of the game or the arrival
// of a player.
func (p *person) asks(keys, region, want string) {
	p.t.Helper()
	from := ask[int](p, "e2e.said.length")
	p.types(keys)
	p.until(fmt.Sprintf("e2e.heard(%q, %d).some((s) => s.includes(%q))", region, from, want))
}

// Each finished move is announced once and in these words. Single seeds are not
// announced.
func TestEachMoveIsAnnouncedOnce(t *testing.T) {
	t.Parallel()
	g, ada, ben := opposed(t, "kalah")
	for _, p := range g.players {
		p.tabsTo("[data-pit]")
	}
	a, b := ada.called(), ben.called()
	before := map[*person]int{ada: len(ada.heard("say")), ben: len(ben.heard("say"))}
	for n, play := range []struct {
		by  *person
		key string
	}{{ada, "3"}, {ada, "6"}, {ben, "3"}} {
		play.by.until("e2e.legal().length > 0")
		play.by.types(play.key)
		for _, p := range g.players {
			p.ply(n + 1)
		}
	}
	for p, want := range map[*person][]string{
		ada: {
			"You played 3. Last seed in your store. Play again.",
			"You played 6, sowed 5. Score 2 to 0. " + b + "'s turn.",
			b + " played 3, sowed 5. Score 2 to 1. Your turn.",
		},
		ben: {
			a + " played 3. Last seed in their store. " + a + " plays again.",
			a + " played 6, sowed 5. Score 0 to 2. Your turn.",
			"You played 3, sowed 5. Score 1 to 2. " + a + "'s turn.",
		},
	} {
		p.until(fmt.Sprintf("e2e.heard('say').at(-1) === %q", want[len(want)-1])) // the board is at rest before it is said
		got := p.heard("say")[before[p]:]
		if !slices.Equal(got, want) {
			t.Errorf("%s hears\n%q, want\n%q", p.name, got, want)
		}
	}
}

// A whole game is announced move by move, and its end once.
func TestWholeGameIsAnnounced(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "oware"}, 2)
	g.random = chosen(shortOware)
	v := g.playOut()
	for _, p := range g.all() {
		p.until(fmt.Sprintf("e2e.heard('say').filter((s) => / (played|passed)|had no move/.test(s)).length >= %d", v.Snap.Ply))
		moves := 0
		for _, s := range p.heard("say") {
			if strings.Contains(s, " played ") || strings.Contains(s, " passed") {
				moves++
			}
		}
		if moves != v.Snap.Ply {
			t.Errorf("%s hears %d moves, there were %d", p.name, moves, v.Snap.Ply)
		}
		ends := slices.DeleteFunc(p.heard("shout"), func(s string) bool { return !strings.Contains(s, " to ") })
		if len(ends) != 1 {
			t.Errorf("%s hears of the end %q", p.name, ends)
		}
	}
}

// The test plays whole games by keys alone, with directions, captures, passes,
// a lay-out and a choice of sides.
func TestWholeGamesByKeysAlone(t *testing.T) {
	t.Parallel()
	for _, how := range []settings{{rules: "oware"}, {rules: "giuthi"}, {rules: "wise", options: "max_rounds=1"}} {
		t.Run(how.rules, func(t *testing.T) {
			t.Parallel()
			g := deal(t, serve(t), how, 2)
			for _, p := range g.players {
				p.tabsTo("[data-pit]")
			}
			g.hurries()
			v := g.shows()
			for v.Snap.State != "over" {
				v = g.keyed(v)
			}
			g.ended(v)
		})
	}
}

// keyed plays a ply with keys alone, and checks that no page loses its focus.
func (g *table) keyed(v view) view {
	g.t.Helper()
	p := g.seat(v.Snap.Turn)
	p.until(mayAct)
	sign := ask[string](p, "e2e.sign()")
	press := func(name string) {
		g.t.Helper()
		p.tabsTo(action(name))
		p.types(kb.Enter)
	}
	switch {
	case v.Snap.Phase == "setup":
		press("layout-deal")
		press("layout-done")
	case v.Snap.Phase == "swap":
		press("keep")
	case ask[bool](p, `e2e.visible("[data-action=pass]")`):
		press("pass")
	default:
		if p.focus() < 0 {
			p.tabsTo("[data-pit]")
		}
		legal := ask[[]int](p, "e2e.legal()")
		to := legal[g.random.IntN(len(legal))]
		p.types(fmt.Sprint(to%v.Snap.Shape[2] + 1))
		if ask[bool](p, `e2e.visible("[data-way]")`) {
			p.types([]string{kb.ArrowLeft, kb.ArrowRight}[g.random.IntN(2)] + kb.Enter)
		}
	}
	p.until(fmt.Sprintf("e2e.sign() !== %q", sign))
	v = g.shows()
	for _, q := range g.players {
		q.placed("a ply")
	}
	return v
}
