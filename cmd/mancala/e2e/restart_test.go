package e2e

import (
	"fmt"
	"slices"
	"testing"
)

// lasts marks every page, so that a reload is noticed.
func (g *table) lasts() {
	g.t.Helper()
	for _, p := range g.all() {
		ask[bool](p, "window.unbroken = true")
	}
}

// restarts ends the server with kill or stop, and starts it again when every page has noticed.
func (g *table) restarts(end func()) {
	g.t.Helper()
	end()
	for _, p := range g.all() {
		p.hears("#status", "Reconnecting")
	}
	g.server.start()
}

// returns checks that every page is back without a reload and that no move is
// lost. It returns the server's state.
func (g *table) returns(before view) view {
	g.t.Helper()
	for _, p := range g.all() {
		p.online()
		if !ask[bool](p, "window.unbroken === true") {
			g.t.Errorf("%s's page was reloaded", p.name)
		}
		p.until(`!document.querySelector("#status").textContent.includes("Reconnecting")`)
	}
	v := g.shows()
	if n := len(before.Snap.Moves); len(v.Snap.Moves) < n || !slices.Equal(v.Snap.Moves[:n], before.Snap.Moves) {
		g.t.Fatalf("moves were lost: %v, then %v", before.Snap.Moves, v.Snap.Moves)
	}
	return v
}

// plays plays some plies.
func (g *table) plays(v view, plies int) view {
	g.t.Helper()
	for range plies {
		if v.Snap.State == "over" {
			g.t.Fatal("the game is over too soon for this test")
		}
		v = g.ply(v)
	}
	return v
}

// The server is killed right after a click, while the seeds are being sown. The
// move may or may not have arrived. The page repeats it until it is answered,
// and it counts once.
func TestMoveCountsOnceWhenTheServerIsKilled(t *testing.T) {
	t.Parallel()
	for _, clock := range []string{"none", "5+3"} {
		t.Run(clock, func(t *testing.T) {
			t.Parallel()
			g := deal(t, serve(t).inWholeBrowser(), settings{rules: "kalah", clock: clock}, 2)
			g.lasts()
			v := g.plays(g.shows(), 4)
			for round := range 3 {
				p := g.seat(v.Snap.Turn)
				p.until(mayAct)
				g.sows(p)
				if round == 1 { // an acknowledged move must not be lost
					p.until(fmt.Sprintf("e2e.board().ply === %d", v.Snap.Ply+1))
				}
				g.restarts(g.server.kill)
				p.until(fmt.Sprintf("e2e.board().ply === %d", v.Snap.Ply+1))
				after := g.returns(v)
				if after.Snap.Ply != v.Snap.Ply+1 {
					t.Fatalf("one click at ply %d led to ply %d", v.Snap.Ply, after.Snap.Ply)
				}
				v = g.plays(after, 2)
			}
			g.replays(g.playOut())
		})
	}
}

// A server that is asked to stop announces it, and the next server continues
// the game.
func TestGameGoesOnAfterAnAnnouncedStop(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "oware"}, 2)
	g.lasts()
	v := g.plays(g.shows(), 3)
	for range 2 {
		g.restarts(g.server.stop)
		v = g.plays(g.returns(v), 2)
	}
}

// A game without an open page also survives a restart: its link still works.
func TestGameWithoutAnOpenPageSurvivesARestart(t *testing.T) {
	t.Parallel()
	s := serve(t)
	g := deal(t, s, settings{rules: "giuthi"}, 2)
	v := g.plays(g.shows(), 3)
	for _, p := range g.all() {
		p.opens("/")
	}
	s.kill()
	s.start()
	for _, p := range g.all() {
		p.opens("/" + g.id)
		p.online()
	}
	if after := g.shows(); !slices.Equal(after.Snap.Moves, v.Snap.Moves) {
		t.Fatalf("moves were lost: %v, then %v", v.Snap.Moves, after.Snap.Moves)
	}
	g.plays(v, 2)
}
