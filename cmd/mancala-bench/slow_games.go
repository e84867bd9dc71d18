package main

import (
	"context"
	"sync"
	"time"

	"mancala/cmd/internal/cli"
	"mancala/cmd/internal/ledger"
)

// slowGames are games that go on slowly in the background while faults happen.
type slowGames struct {
	pairs []*pair
	stop  chan struct{}      // closed to end each game after its current ply
	drop  context.CancelFunc // ends all games at once
	group sync.WaitGroup
	mu    sync.Mutex
	errs  []error
}

// startSlowGames begins n games with one ply per every in each. The numbers of the
// instances of the two players of game i differ by apart(i).
func (b *balancer) startSlowGames(ctx context.Context, games *ledger.Ledger, n int, apart func(n int) int, every time.Duration) (*slowGames, error) {
	ctx, cancel := context.WithCancel(ctx)
	g := &slowGames{pairs: make([]*pair, n), stop: make(chan struct{}), drop: cancel}
	err := inParallel(ctx, n, func(i int) error {
		g.pairs[i] = b.pair(games, uint64(i), i, i+apart(i))
		return g.pairs[i].begin(ctx)
	})
	if err != nil {
		g.leave()
		return nil, err
	}
	for _, p := range g.pairs {
		g.group.Go(func() {
			if err := p.keep(ctx, every, g.stop); err != nil {
				g.mu.Lock()
				g.errs = append(g.errs, err)
				g.mu.Unlock()
			}
		})
	}
	return g, nil
}

// leave closes the games at once and adds what the players know to the ledger.
func (g *slowGames) leave() {
	g.drop()
	g.group.Wait()
	for _, p := range g.pairs {
		if p != nil {
			p.leave()
		}
	}
}

// finish ends each game after its current ply, and adds the longest wait of each player
// to r.
func (g *slowGames) finish(r *result) error {
	close(g.stop)
	g.group.Wait()
	g.leave()
	for _, p := range g.pairs {
		r.latency = append(r.latency, p.worst[:]...)
	}
	return firstOf(g.errs)
}

// plies returns how many plies have been made so far.
func (g *slowGames) plies() (n int64) {
	for _, p := range g.pairs {
		n += p.made.Load()
	}
	return n
}

// allGoOn waits until one more ply has been made in every game.
func (g *slowGames) allGoOn(ctx context.Context) error {
	from := make([]int64, len(g.pairs))
	for i, p := range g.pairs {
		from[i] = p.made.Load()
	}
	for i, p := range g.pairs {
		for p.made.Load() == from[i] {
			if err := cli.Pause(ctx, 10*time.Millisecond); err != nil {
				return err
			}
		}
	}
	return nil
}
