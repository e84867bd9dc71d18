package e2e

import "testing"

// inTwoTabs returns a game for two. Its first player has it open in two tabs,
// and the second tab plays.
func inTwoTabs(t *testing.T) (g *table, first, second *person) {
	t.Helper()
	g = deal(t, serve(t), settings{rules: "oware", start: "creator"}, 2)
	first = g.players[0]
	second = first.tab("Ada's second tab", phone)
	second.opens("/" + g.id)
	second.online()
	first.sees("#superseded")
	return g, first, second
}

// One seat is open in two tabs. The newest tab plays. The other one shows that,
// and can take the game over.
func TestNewestTabTakesTheSeat(t *testing.T) {
	t.Parallel()
	g, first, second := inTwoTabs(t)
	g.watchers = append(g.watchers, first)
	g.players[0] = second
	g.seats = nil
	if n := ask[int](first, "e2e.legal().length"); n != 0 {
		t.Errorf("the old tab offers %d moves", n)
	}
	first.clicks(pit(0))
	first.hears("#status", "You are watching")
	v := g.plays(g.shows(), 2)

	first.clicks(action("takeover"))
	first.loses("#superseded")
	second.sees("#superseded")
	first.until(mayAct)
	g.watchers[len(g.watchers)-1], g.players[0], g.seats = second, first, nil
	v = g.plays(v, 2)

	// A reload of the tab that only reads makes it the newest.
	second.opens("/" + g.id)
	second.online()
	first.sees("#superseded")
	second.loses("#superseded")
	g.watchers[len(g.watchers)-1], g.players[0], g.seats = first, second, nil
	g.plays(v, 2)
}

// A reload during the game loses nothing, whichever player is on turn.
func TestReloadLosesNothing(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "wise", clock: "30+10"}, 2)
	v := g.shows()
	for range 10 { // through lay-out, choice of side and play
		for _, p := range g.all() {
			role := p.role()
			p.opens("/" + g.id)
			p.online()
			if now := p.role(); now != role {
				t.Fatalf("%s was %s and is %s after a reload", p.name, role, now)
			}
		}
		g.shows()
		v = g.ply(v)
	}
}

// After the server was killed and restarted, the tab that was used last plays
// on, whichever tab reconnects first.
func TestLastUsedTabPlaysOnAfterAKill(t *testing.T) {
	t.Parallel()
	g, first, second := inTwoTabs(t)
	g.watchers = append(g.watchers, second)
	first.clicks(action("takeover"))
	second.sees("#superseded")
	g.lasts()
	v := g.plays(g.shows(), 2)
	for range 3 { // the tabs reconnect in any order
		g.restarts(g.server.kill)
		v = g.plays(g.returns(v), 2)
		second.sees("#superseded")
		first.loses("#superseded")
	}
}
