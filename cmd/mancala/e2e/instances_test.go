package e2e

import (
	"fmt"
	"testing"

	"mancala/match/bus/redistest"
	"mancala/match/journal/pgtest"
)

// several starts instances of one service, with a real PostgreSQL and a real
// Redis.
func several(t *testing.T, n int) []*server {
	t.Helper()
	needs(t)
	database, redis := pgtest.Open(t), redistest.Open(t)
	var all []*server
	for range n {
		all = append(all, serveOn(t, database, "--redis", redis))
	}
	return all
}

// spread makes a game with people on two instances. Ada and Wanda are on the
// first, which runs the game. Ben is on the other. If the instance of Ada and
// Wanda dies, they reconnect to the other one.
func spread(t *testing.T, one, two *server, how settings) *table {
	t.Helper()
	g := &table{t: t, server: one, random: fixed(), players: []*person{one.person("Ada", desktop), two.person("Ben", phone)}}
	ada, ben, wanda := g.players[0], g.players[1], one.person("Wanda", tablet)
	g.watchers = []*person{wanda}
	ada.behind(t, one, two)
	ben.behind(t, two, one)
	wanda.behind(t, one, two)
	g.id = ada.makes(how)
	ben.joins(g.id)
	wanda.opens("/" + g.id)
	for _, p := range g.all() {
		p.until(`e2e.board()?.state === "live"`)
		p.online()
	}
	g.lasts()
	return g
}

// sown lets the player on turn sow, and waits for the answer, even while no
// instance runs the game. before is the state before the sowing.
func (g *table) sown(before view, meanwhile func()) view {
	g.t.Helper()
	p := g.seat(before.Snap.Turn)
	p.until(mayAct)
	g.sows(p)
	meanwhile()
	p.until(fmt.Sprintf("e2e.board().ply > %d", before.Snap.Ply))
	v := g.returns(before)
	if v.Snap.Ply != before.Snap.Ply+1 {
		g.t.Fatalf("one click at ply %d led to ply %d", before.Snap.Ply, v.Snap.Ply)
	}
	return v
}

// Two people play on two instances, and a third watches. The instance that runs
// their game is killed during a sowing and started again. Then the other
// instance is killed. No move is lost.
func TestGameGoesOnWhenItsInstanceIsKilled(t *testing.T) {
	t.Parallel()
	both := several(t, 2)
	g := spread(t, both[0], both[1], settings{rules: "kalah", clock: "5+3"})
	v := g.plays(g.shows(), 4)
	for i, dies := range both {
		g.server = both[1-i]
		v = g.sown(v, dies.kill)
		for range 2 { // the other instance runs the game now, or will soon
			v = g.sown(v, func() {})
		}
		dies.start()
	}
	g.replays(g.playOut())
}

// A player on one instance accepts the seek of a player on another. A watcher
// on a third instance sees their game.
func TestSeekIsAcceptedOnAnotherInstance(t *testing.T) {
	t.Parallel()
	all := several(t, 3)
	ada, ben, wanda := all[0].person("Ada", desktop), all[1].person("Ben", phone), all[2].person("Wanda", tablet)
	ada.comesIn()
	ben.comesIn()
	wanda.opens("/watch")
	seek := ada.seeks("kalah", "none")
	ben.clicks(row(seek) + " button")
	for _, p := range []*person{ada, ben} {
		if id := p.isPlaying(); id != seek {
			t.Errorf("%s plays %s, not %s", p.name, id, seek)
		}
	}
	g := &table{t: t, server: all[2], id: seek, random: fixed(), players: []*person{ada, ben}}
	v := g.plays(g.shows(), 2)
	wanda.sees(card(seek))
	wanda.hears(card(seek)+" .said", fmt.Sprintf("%d moves", v.Snap.Ply))
	wanda.clicks(card(seek) + " a")
	wanda.online()
	g.watchers = []*person{wanda}
	g.plays(g.shows(), 2)
}
