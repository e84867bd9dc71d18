package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"mancala/cmd/internal/ledger"
	"mancala/web/webtest"
)

// balancer leads people to instances as a load balancer does that knows who is
// ready: everybody has a favourite, and while that one is out the others in turn.
type balancer struct {
	addrs []string
	out   []atomic.Bool
	turn  atomic.Int64
}

func (c *cluster) balancer() *balancer {
	b := &balancer{out: make([]atomic.Bool, len(c.list))}
	for _, i := range c.list {
		b.addrs = append(b.addrs, i.addr)
	}
	return b
}

// person is somebody whose favourite is an instance.
func (b *balancer) person(favourite int) *webtest.Person {
	p := webtest.NewPerson("http://mancala.test")
	p.AsPage = true
	p.HTTP.Transport = &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return b.dial(ctx, network, favourite)
	}}
	return p
}

func (b *balancer) dial(ctx context.Context, network string, favourite int) (net.Conn, error) {
	err := errors.New("all instances are out")
	turn, others := int(b.turn.Load()), len(b.addrs)-1
	for k := range b.addrs {
		i := favourite % len(b.addrs)
		if k > 0 {
			i = (i + 1 + (turn+k)%others) % len(b.addrs)
			b.turn.Add(1)
		}
		if b.out[i].Load() {
			continue
		}
		var conn net.Conn
		if conn, err = new(net.Dialer).DialContext(ctx, network, b.addrs[i]); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// get reads from whoever is ready.
func (b *balancer) get(path string) (string, error) {
	p := b.person(0)
	defer p.Leave()
	r, err := p.HTTP.Get(p.Base + path)
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err == nil && r.StatusCode != http.StatusOK {
		err = fmt.Errorf("GET %s: %s", path, r.Status)
	}
	return string(text), err
}

// pair is two people who play one game after the other, ply by ply.
type pair struct {
	balancer *balancer
	people   []*webtest.Person
	random   *rand.Rand
	games    *ledger.Ledger

	game    *ledger.Game
	clients []*webtest.Client
	worst   [2]time.Duration // for how long each could not play at a time, at most
	made    atomic.Int64     // plies
}

// pair gives two people whose favourites are these instances.
func (b *balancer) pair(games *ledger.Ledger, n uint64, favourites ...int) *pair {
	p := &pair{balancer: b, games: games, random: rand.New(rand.NewPCG(n, n))}
	for _, f := range favourites {
		p.people = append(p.people, b.person(f))
	}
	return p
}

var pairGame = url.Values{"rules": {"kalah"}, "options": {"seeds=10"}, "start": {"creator"}}

// begin makes the next game.
func (p *pair) begin(ctx context.Context) error {
	room, clients, err := ledger.Seat(ctx, p.people, pairGame)
	p.game, p.clients = ledger.NewGame(room, "kalah"), clients
	return err
}

// ply makes the next ply of the game and waits until both have seen it. It says
// whether there was one to make.
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

// disturbed notes that these seats could not play for a while.
func (p *pair) disturbed(d time.Duration, seats ...int) {
	for _, s := range seats {
		p.worst[s] = max(p.worst[s], d)
	}
}

// keep plays a ply every so often until the time has come, game after game.
func (p *pair) keep(ctx context.Context, every time.Duration, stop <-chan struct{}) error {
	if err := pause(ctx, time.Duration(p.random.Int64N(int64(every)))); err != nil {
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

// leave writes down what the players know, and closes the game.
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
