package e2e

import (
	"fmt"
	"testing"
	"time"
)

// sizesOfPages are the screens at which layout shifts are measured.
var sizesOfPages = []screen{phone, tablet, desktop}

// Nothing on a page moves by itself: not when the waiting room becomes the
// game, and not when chat, offers, clocks and the end of the game come
// (UX.md §11, Q4).
func TestNothingOnAPageMovesByItself(t *testing.T) {
	t.Parallel()
	needs(t)
	s := serve(t)
	for _, size := range sizesOfPages {
		for _, page := range shifts(dealAt(t, s, settings{clock: "10+5", start: "creator"}, []screen{size, size}, size), 6) {
			if page.sum > 0.01 {
				t.Errorf("%s's page at %d px: things have moved by %.4f: %s", page.name, size.w, page.sum, page.what)
			}
		}
	}
}

// Names, clocks and scores do not move when the turn changes, with two players
// and with four.
func TestTurnMovesNoName(t *testing.T) {
	t.Parallel()
	needs(t)
	const strips = `Array.from(document.querySelectorAll(".seat"), (seat) => [seat.dataset.turn, seat.dataset.seat + ": " +
		Array.from(seat.querySelectorAll("bdi, .name span, .clock, .score"), (el) => { const r = el.getBoundingClientRect(); return [r.x, r.y, r.width, r.height].map((n) => n.toFixed(1)).join(" "); }).join(", ")])`
	s := serve(t)
	for _, how := range []settings{{clock: "10+5"}, {clock: "10+5", rules: "basic-four"}} {
		players := []screen{phone, desktop}
		if how.rules != "" {
			players = append(players, tablet, phone)
		}
		g := dealAt(t, s, how, players, phone)
		before := map[*person][][]string{}
		for _, p := range g.all() {
			p.until("e2e.arrived()")
			before[p] = ask[[][]string](p, strips)
		}
		v := g.shows()
		for first := v.Snap.Turn; v.Snap.Turn == first; {
			v = g.ply(v)
		}
		for _, p := range g.all() {
			p.sees(fmt.Sprintf(`.seat[data-seat="%d"][data-turn="1"]`, v.Snap.Turn))
			for seat, strip := range ask[[][]string](p, strips) {
				if was := before[p][seat]; strip[1] != was[1] {
					t.Errorf("%s's page: turn %s, now %s: a strip was\n%s, now\n%s", p.name, was[0], strip[0], was[1], strip[1])
				}
			}
		}
	}
}

// Nothing moves when the game ends while its last move is still being sown, or
// on a finished page that loads slowly.
func TestResultMovesNothingOnThePage(t *testing.T) {
	t.Parallel()
	needs(t)
	s := serve(t)
	for _, size := range sizesOfPages {
		g := dealAt(t, s, settings{options: "pits=3 seeds=1", start: "creator"}, []screen{size, size}, size)
		for v := g.shows(); v.Snap.State != "over"; {
			v = g.ply(v)
		}
		late := s.person("Late", size)
		late.behind(t, s).Lag(200 * time.Millisecond)
		late.forgive("fetching the script") // the worker's script, when the server stops
		late.opens("/" + g.id)
		g.watchers = append(g.watchers, late)
		for _, p := range g.all() {
			p.sees("#game[data-drawn] #after")
		}
		for _, page := range g.shifted() {
			if page.sum > 0.01 {
				t.Errorf("%s's page at %d px: things have moved by %.4f: %s", page.name, size.w, page.sum, page.what)
			}
		}
	}
}

// shift is how far things have moved on a person's page without their action,
// and which things.
type shift struct {
	name, what string
	sum        float64
}

// shifts plays some plies of a game, or the whole game, with unrequested
// events: a line of chat, an offer and its refusal, a resignation, an offer of
// a rematch.
func shifts(g *table, plies int) []shift {
	g.t.Helper()
	g.hurries()
	v := g.shows()
	for i := 0; v.Snap.State == "live" && i < plies; i++ {
		p := g.seat(v.Snap.Turn)
		switch i {
		case 2:
			p.hastens("#chat-form .presets button")
			g.other(p).until(`document.querySelector("#chat li") !== null`)
		case 4:
			p.hastens(action("draw"))
			g.other(p).sees(action("decline"))
			g.other(p).presses(action("decline"))
		}
		v = g.ply(v)
	}
	loser := g.seat(v.Snap.Turn)
	if v.Snap.State == "live" {
		loser.confirms("#actions " + action("resign"))
	}
	for _, p := range g.all() {
		p.sees("#result")
	}
	loser.presses("#result " + action("rematch"))
	g.other(loser).sees(action("accept"))
	return g.shifted()
}

// shifted returns what has moved on each page since it was opened.
func (g *table) shifted() []shift {
	g.t.Helper()
	var all []shift
	for _, p := range g.all() {
		all = append(all, p.shifted())
	}
	return all
}

func (p *person) shifted() shift {
	p.t.Helper()
	ask[bool](p, `new Promise((seen) => {
		window.shifts = 0; window.shifted = [];
		const at = (box) => " " + Math.round(box.x) + "," + Math.round(box.y);
		new PerformanceObserver((list) => {
			for (const e of list.getEntries()) if (!e.hadRecentInput) {
				window.shifts += e.value;
				window.shifted.push(...e.sources.map((s) => (s.node?.id || s.node?.className || s.node?.nodeName) + at(s.previousRect) + at(s.currentRect)));
			}
		}).observe({ type: "layout-shift", buffered: true });
		requestAnimationFrame(() => setTimeout(() => seen(true))); // what has happened is told after a frame
	})`)
	return shift{p.name, ask[string](p, `[...new Set(window.shifted)].slice(0, 6).join(", ")`), ask[float64](p, "window.shifts")}
}

// Home and a game do not move while they arrive: their layout depends on nothing
// that the server sends later in the page.
func TestPagesKeepTheirPlacesWhileTheyArriveSlowly(t *testing.T) {
	t.Parallel()
	needs(t)
	s := serve(t)
	game := "/" + deal(t, s, settings{clock: "10+5"}, 2).id
	slow := inPieces(t, s)
	for _, size := range sizesOfPages {
		p := s.person("Late", size)
		p.base = slow
		for _, page := range []string{"/", game} {
			p.opens(page) // keeps the styles, so that the next loads draw the page piece by piece
			for range 2 {
				p.opens(page)
				if moved := p.shifted(); moved.sum > 0.01 {
					t.Errorf("%s at %d px: things have moved by %.4f: %s", page, size.w, moved.sum, moved.what)
				}
			}
		}
	}
}
