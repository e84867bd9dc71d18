package e2e

import (
	"fmt"
	"testing"
)

// apart makes a game of two in which Ada, who begins, has a network of her own.
func apart(t *testing.T, rules string) (*table, *person, *proxy) {
	t.Helper()
	s := serve(t)
	g := &table{t: t, server: s, random: fixed(), players: []*person{s.person("Ada", desktop), s.person("Ben", phone)}}
	ada, ben := g.players[0], g.players[1]
	net := ada.behind(t, s)
	g.id = ada.makes(settings{rules: rules, start: "creator"})
	ben.joins(g.id)
	for _, p := range g.players {
		p.until(`e2e.board().state === "live"`)
		p.online()
	}
	g.shows()
	g.lasts()
	return g, ada, net
}

// The connection breaks on Ada's turn. What she plays meanwhile arrives, once.
func TestCut(t *testing.T) {
	t.Parallel() // most of it is waiting
	g, ada, net := apart(t, "oware")
	ben := g.other(ada)
	v := g.shows()
	net.cut()
	ada.hears("#status", "Reconnecting")
	ada.until(`document.querySelector("[data-board]").dataset.conn === "retrying"`)
	ben.hears("[data-seat='0'] .name", "reconnecting")
	ada.clicks(pit(2))
	ada.until(`document.querySelector("[data-pit='2']").dataset.mark?.includes("premove")`)
	ada.clicks(pit(3)) // one move waits, not two
	net.heal()
	v = g.returns(v)
	if v.Snap.Ply != 1 || v.Snap.Moves[0] != "c" {
		t.Fatalf("Ada played c while she was away; the server knows %v", v.Snap.Moves)
	}
	ben.until(`!document.querySelector("[data-seat='0'] .name").textContent.includes("reconnecting")`)

	// And on Ben's: what he played is there when she is back.
	net.cut()
	ada.hears("#status", "Reconnecting")
	ben.clicks(pit(7))
	ben.until("e2e.board().ply === 2")
	net.heal()
	g.plays(g.returns(v), 2)
}

// A long time without a connection: the page says what that means, and a button
// tries at once.
func TestOffline(t *testing.T) {
	t.Parallel() // most of it is waiting
	g, ada, net := apart(t, "kalah")
	net.cut()
	ada.sees("#offline")
	ada.until(`document.querySelector("[data-board]").dataset.conn === "off"`)
	net.heal()
	ada.clicks(action("retry"))
	v := g.returns(g.shows())
	ada.loses("#offline")
	g.plays(v, 2)
}

// The connection falls silent and nobody is told, as in a tunnel. A move that is
// not answered gives it away, and a new connection carries it.
func TestStalledOnTurn(t *testing.T) {
	t.Parallel() // most of it is waiting
	g, ada, net := apart(t, "oware")
	v := g.shows()
	net.stall()
	ada.clicks(pit(2))
	ada.hears("#status", "Reconnecting")
	net.heal()
	if v = g.returns(v); v.Snap.Ply != 1 {
		t.Fatalf("Ada played once; the server knows %v", v.Snap.Moves)
	}
	g.plays(v, 2)
}

// The same for somebody who only waits: a page must not go on showing an old
// board as if it were the present one.
func TestStalledWaiting(t *testing.T) {
	t.Parallel() // most of it is waiting
	g, ada, net := apart(t, "oware")
	v := g.plays(g.shows(), 1)
	net.stall()
	g.other(ada).clicks(pit(8))
	g.other(ada).until(fmt.Sprintf("e2e.board().ply === %d", v.Snap.Ply+1))
	ada.hears("#status", "Reconnecting")
	net.heal()
	g.plays(g.returns(v), 2)
}
