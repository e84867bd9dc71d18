package e2e

import (
	"fmt"
	"strconv"
	"strings"
)

// press uses an element of a page, by hand or by script as the table is set.
func (g *table) press(p *person, selector string) {
	g.t.Helper()
	if g.hands {
		p.clicks(selector)
	} else {
		p.presses(selector)
	}
}

// mayAct holds on the page of the player on turn.
const mayAct = `e2e.legal().length > 0 || e2e.choices().length > 0`

// ply lets the player on turn act, waits until all pages show it, and returns
// the server's new state.
func (g *table) ply(before view) view {
	g.t.Helper()
	p := g.seat(before.Snap.Turn)
	p.until(mayAct)
	sign := ask[string](p, "e2e.sign()")
	switch {
	case before.Snap.State == "pause":
		g.press(p, action("next"))
	case before.Snap.Phase == "setup":
		g.lays(p, before)
	case before.Snap.Phase == "swap":
		// The player keeps the side in the first round and turns the board in
		// the next.
		g.press(p, action([]string{"swap", "keep"}[before.Snap.Round%2]))
	case ask[bool](p, `e2e.visible("[data-action=pass]")`):
		g.press(p, action("pass"))
	default:
		g.sows(p)
	}
	p.until(fmt.Sprintf("e2e.sign() !== %q", sign))
	return g.shows()
}

// sows plays one of the legal pits. If the rules allow several directions, it
// chooses one of them.
func (g *table) sows(p *person) {
	g.t.Helper()
	legal := ask[[]int](p, "e2e.legal()")
	if len(legal) == 0 {
		g.t.Fatalf("%s has nothing to play\n%s", p.name, p.describe())
	}
	to := legal[g.random.IntN(len(legal))]
	const armed, asks = `document.querySelector("[data-armed]") !== null`, `e2e.visible("[data-way]")`
	sown := fmt.Sprintf("e2e.sign() !== %q", ask[string](p, "e2e.sign()"))
	g.press(p, pit(to))
	p.until(sown + " || " + asks + " || " + armed) // a page can get a tap after it was sent
	if ask[bool](p, armed) {                       // small pits need a second tap
		g.press(p, pit(to))
		p.until(sown + " || " + asks)
	}
	if ask[bool](p, asks) {
		ways := ask[[]string](p, `Array.from(document.querySelectorAll("[data-way]"), (w) => w.dataset.way)`)
		g.press(p, fmt.Sprintf("[data-way='%s']", ways[g.random.IntN(len(ways))]))
	}
}

// hurries makes all pages show moves at once, because whole games are long.
func (g *table) hurries() {
	g.t.Helper()
	for _, p := range g.all() {
		p.pref("speed", "instant")
	}
}

// playOut plays to the end and returns the server's final state.
func (g *table) playOut() view {
	g.t.Helper()
	g.hurries()
	v := g.shows()
	for plies := 0; v.Snap.State != "over"; plies++ {
		if plies > 1000 {
			g.t.Fatal("the game does not end")
		}
		v = g.ply(v)
	}
	g.ended(v)
	return v
}

// ended checks that every page tells how the game ended.
func (g *table) ended(v view) {
	g.t.Helper()
	for _, p := range g.all() {
		p.sees("#result")
		side := -1
		if n, err := strconv.Atoi(p.role()); err == nil {
			side = n % len(v.Snap.Stores)
		}
		got := p.text("#headline")
		if want := headline(v, side); !strings.HasSuffix(got, want) || p.text("#reason") == "" {
			g.t.Errorf("%s reads %q, %q, want …%q and a reason", p.name, got, p.text("#reason"), want)
		}
	}
}
