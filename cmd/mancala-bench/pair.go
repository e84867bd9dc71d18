package main

import (
	"context"
	"math/rand/v2"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"mancala/cmd/internal/cli"
	"mancala/cmd/internal/ledger"
	"mancala/web/webtest"
)

// pair is two people who play one game after the other, ply by ply.
type pair struct {
	balancer *balancer
	people   []*webtest.Person
	random   *rand.Rand
	games    *ledger.Ledger

	game    *ledger.Game
	clients []*webtest.Client
	worst   [2]time.Duration // the longest time for which each could not play
	made    atomic.Int64     // plies
}

var pairGame = url.Values{"rules": {"kalah"}, "options": {"seeds=10"}, "start": {"creator"}}

// pair returns two new people with these favourite instances.
func (b *balancer) pair(games *ledger.Ledger, n uint64, favourites ...int) *pair {
	p := &pair{balancer: b, games: games, random: rand.New(rand.NewPCG(n, n))}
	for _, f := range favourites {
		p.people = append(p.people, b.person(f))
	}
	return p
}

// begin makes the next game.
func (p *pair) begin(ctx context.Context) error {
	room, clients, err := ledger.Seat(ctx, p.people, pairGame)
	p.game, p.clients = ledger.NewGame(room, "kalah"), clients
	return err
}

// ply makes the next ply of the game and waits until both players have seen it. It
// returns false if the game is over.
func (p *pair) ply(ctx context.Context) (bool, error) {
	began := time.Now()
	mover := -1
	for i, c := range p.clients {
		err := c.Until(ctx, "the game's beginning", func(g *webtest.Game) bool {
			if g.Text("state") == "live" && g.Number("turn") == g.As {
				mover = i
			}
			return g.Text("state") != "waiting"
		})
		if err != nil {
			return false, err
		}
	}
	if mover < 0 {
		return false, nil
	}
	turn, ok, err := p.clients[mover].MyTurn(ctx, p.random, nil)
	if err != nil || !ok {
		return false, err
	}
	if err := p.clients[mover].Play(ctx, turn); err != nil {
		return false, err
	}
	err = p.clients[1-mover].Until(ctx, "the other's move", func(g *webtest.Game) bool { return g.Over() || g.Number("ply") > turn.Ply })
	p.disturbed(time.Since(began), 0, 1)
	p.made.Add(1)
	return true, err
}

// disturbed records that the players of these seats could not play for d.
func (p *pair) disturbed(d time.Duration, seats ...int) {
	for _, s := range seats {
		p.worst[s] = max(p.worst[s], d)
	}
}

// keep makes one ply per every, game after game, until stop is closed.
func (p *pair) keep(ctx context.Context, every time.Duration, stop <-chan struct{}) error {
	if err := cli.Pause(ctx, time.Duration(p.random.Int64N(int64(every)))); err != nil {
		return err
	}
	for {
		there, err := p.ply(ctx)
		if err == nil && !there {
			p.leave()
			err = p.begin(ctx)
		}
		if err != nil {
			return err
		}
		select {
		case <-time.After(every):
		case <-stop:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// leave closes the game and adds what the players know to the ledger.
func (p *pair) leave() {
	for i, c := range p.clients {
		if away := c.Away(); len(away) > 0 {
			p.disturbed(slices.Max(away), i)
		}
		p.game.Acknowledge(c.Played())
		c.Close()
	}
	if len(p.clients) > 0 {
		p.games.Add(p.game)
	}
	p.clients = nil
	ledger.Leave(p.people)
}

// beginAt makes and opens the game at the instance owner, which then owns it. The players are
// connected to other instances.
func (p *pair) beginAt(ctx context.Context, owner int) error {
	maker := p.balancer.person(owner)
	defer maker.Leave()
	maker.HTTP.Jar = p.people[0].HTTP.Jar
	room, err := maker.Make(ctx, pairGame)
	if err != nil {
		return err
	}
	opened := maker.Open(room) // the first instance that opens a room owns it
	defer opened.Close()
	if err := opened.Ready(ctx); err != nil {
		return err
	}
	p.game = ledger.NewGame(room, "kalah")
	p.clients, err = ledger.Enter(ctx, p.people, room)
	return err
}
