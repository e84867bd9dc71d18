package e2e

import (
	"fmt"
	"math"
	"testing"
	"time"

	"mancala/cmd/mancala/proxytest"
)

// apart makes a game for two. Ada starts and has a separate network.
func apart(t *testing.T, how settings) (*table, *person, *proxytest.Proxy) {
	t.Helper()
	s := serve(t).inWholeBrowser()
	g := &table{t: t, server: s, random: fixed(), players: []*person{s.person("Ada", desktop), s.person("Ben", phone)}}
	ada, ben := g.players[0], g.players[1]
	net := ada.behind(t, s)
	how.start = "creator"
	g.id = ada.makes(how)
	ben.joins(g.id)
	for _, p := range g.players {
		p.until(`e2e.board().state === "live"`)
		p.online()
	}
	g.shows()
	g.lasts()
	return g, ada, net
}

// The connection breaks on Ada's turn. Her move arrives later, exactly once.
func TestMoveArrivesOnceAfterACutConnection(t *testing.T) {
	t.Parallel()
	g, ada, net := apart(t, settings{rules: "oware"})
	ben := g.other(ada)
	v := g.shows()
	net.Cut()
	ada.hears("#status", "Reconnecting")
	ada.until(`document.querySelector("[data-board]").dataset.conn === "retrying"`)
	ben.hears("[data-seat='0'] .name", "away")
	ada.clicks(pit(2))
	ada.until(`document.querySelector("[data-pit='2']").dataset.mark?.includes("premove")`)
	ada.clicks(pit(3)) // only one move waits
	net.Heal()
	ben.until("e2e.board().ply === 1") // before that all pages may agree that nothing was played
	v = g.returns(v)
	if v.Snap.Ply != 1 || v.Snap.Moves[0] != "c" {
		t.Fatalf("Ada played c while she was away; the server knows %v", v.Snap.Moves)
	}
	ben.until(`!document.querySelector("[data-seat='0'] .name").textContent.includes("away")`)

	// Ada's connection breaks on Ben's turn. Ben's move is shown when Ada is back.
	net.Cut()
	ada.hears("#status", "Reconnecting")
	ben.clicks(pit(7))
	ben.until("e2e.board().ply === 2")
	net.Heal()
	g.plays(g.returns(v), 2)
}

// After a long time offline the page explains the state. A button reconnects at
// once.
func TestPageExplainsThatItIsOfflineAndReconnects(t *testing.T) {
	t.Parallel()
	g, ada, net := apart(t, settings{rules: "kalah"})
	net.Cut()
	ada.sees("#offline")
	ada.until(`document.querySelector("[data-board]").dataset.conn === "off"`)
	ada.sees(action("retry"))
	net.Heal()
	// The button connects at once. The page also tries by itself, and may be faster than the click.
	ada.until(`!e2e.visible("#offline") || document.querySelector("[data-action=retry]")?.click()`)
	v := g.returns(g.shows())
	ada.loses("#offline")
	g.plays(v, 2)
}

// The connection stalls without an error, as in a tunnel. The page notices it
// by a move without an answer, and sends the move over a new connection.
func TestPlayerOnTurnNoticesAStalledConnection(t *testing.T) {
	t.Parallel()
	g, ada, net := apart(t, settings{rules: "oware"})
	v := g.shows()
	net.Stall()
	ada.clicks(pit(2))
	ada.hears("#status", "Reconnecting")
	net.Heal()
	if v = g.returns(v); v.Snap.Ply != 1 {
		t.Fatalf("Ada played once; the server knows %v", v.Snap.Moves)
	}
	g.plays(v, 2)
}

// The connection of a waiting player stalls. The page must not show an old
// board as the present one.
func TestWaitingPlayerNoticesAStalledConnection(t *testing.T) {
	t.Parallel()
	g, ada, net := apart(t, settings{rules: "oware"})
	v := g.plays(g.shows(), 1)
	net.Stall()
	g.other(ada).clicks(pit(8))
	g.other(ada).until(fmt.Sprintf("e2e.board().ply === %d", v.Snap.Ply+1))
	ada.hears("#status", "Reconnecting")
	net.Heal()
	g.plays(g.returns(v), 2)
}

// In a game with a clock, every page shows that a player is away and for how
// long the opponent must wait. If the player returns in time, the game goes on.
// Otherwise the opponent can claim it.
func TestGameIsClaimedWhenTheOpponentStaysAway(t *testing.T) {
	t.Parallel()
	g, ada, net := apart(t, settings{rules: "oware", clock: "10+5"})
	ben := g.other(ada)
	v := g.plays(g.shows(), 4)
	net.Cut()
	ben.hears("#status", "reconnecting")
	ben.hears("#due", "until you can claim the game")
	net.Heal()
	ben.loses("#due")
	v = g.plays(g.returns(v), 2)

	net.Cut()
	if claimable, err := ben.comes(`e2e.visible("[data-action=claim]")`, 3*patience); err != nil || !claimable {
		t.Fatalf("Ben cannot claim the game: %v\n%s", err, ben.describe())
	}
	ben.clicks(action("wait")) // Ben decides to wait longer
	ben.loses(action("claim"))
	if claimable, err := ben.comes(`e2e.visible("[data-action=claim]")`, 2*patience); err != nil || !claimable {
		t.Fatalf("Ben has waited and cannot claim the game: %v\n%s", err, ben.describe())
	}
	ben.clicks(action("claim"))
	ben.hears("#headline", "You won")
	ben.hears("#reason", "left the game")
	net.Heal()
	g.returns(v)
	ada.hears("#reason", "You left the game")
}

// Without a clock a game cannot be claimed. It can be kept for later. The button for that moves no other one, however
// long the opponent's name is.
func TestGameWithoutAClockIsKeptForLater(t *testing.T) {
	t.Parallel()
	g, ada, net := apart(t, settings{rules: "kalah", name: "Wandering Nightingale Bo"})
	ben := g.other(ada)
	v := g.plays(g.shows(), 2)
	below := func() float64 { // from the board to the actions
		_, board := ben.box(".table")
		actions, _ := ben.box(".bar")
		return actions - board
	}
	before := below()
	net.Cut()
	ben.sees(action("later"))
	if after := below(); math.Abs(after-before) >= 1 {
		t.Errorf("the actions are %.0f px below the board, and were %.0f px below it", after, before)
	}
	ben.loses(action("claim"))
	ben.clicks(pit(0)) // Ada's pit: the refusal is more urgent
	ben.sees("#why")
	ben.loses(action("later"))
	ben.opens("/" + g.id)
	ben.clicks(action("later"))
	ben.until("location.pathname === '/'")
	net.Heal()
	ben.opens("/" + g.id)
	ask[bool](ben, "window.unbroken = true")
	g.plays(g.returns(v), 2)
}

// A slow connection is called slow, and nothing else changes.
func TestSlowConnectionIsCalledSlow(t *testing.T) {
	t.Parallel()
	g, ada, net := apart(t, settings{rules: "kalah"})
	v := g.shows()
	net.Lag(700 * time.Millisecond)
	g.plays(v, 1)
	ada.sees("#slow")
	net.Heal()
	g.plays(g.shows(), 1)
	ada.loses("#slow")
}

// After a reconnection a page notices a new release. It shows this in a place
// that moves nothing.
func TestPageSaysThatThereIsANewRelease(t *testing.T) {
	t.Parallel()
	g, ada, net := apart(t, settings{rules: "kalah"})
	ask[bool](ada, `(() => {
		const real = fetch;
		window.fetch = (url, how) => url === location.pathname ? Promise.resolve(new Response('<script type="module" src="/static/game.ffff.js"></script>')) : real(url, how);
		return true;
	})()`)
	net.Cut()
	ada.hears("#status", "Reconnecting")
	net.Heal()
	v := g.returns(g.shows())
	ada.sees("#updated")
	ada.hears("#updated", "Reload when you like")
	g.plays(v, 2)
}
