package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"mancala/cmd/internal/cli"
	"mancala/cmd/internal/ledger"
)

// runOutage stops Redis for a while, and then PostgreSQL, while games go on slowly. It
// measures how much the memory of the instances grows meanwhile. After each outage every
// game must go on. In every second game both players are on one instance, and these games
// also go on without Redis.
func (p plan) runOutage(ctx context.Context, c *cluster, games *ledger.Ledger, r *result) error {
	if c.backends.redis == nil || c.backends.postgres == nil {
		return errors.New("mancala-bench can stop only a PostgreSQL and a Redis that it has started")
	}
	going, err := c.balancer().startSlowGames(ctx, games, p.rooms, func(n int) int { return n % 2 }, 500*time.Millisecond)
	if err != nil {
		return err
	}
	defer going.leave()
	for _, server := range []struct {
		name    string
		stop    func()
		restart func() error
	}{
		{"Redis", c.backends.redis.Stop, c.backends.redis.Restart},
		{"PostgreSQL", c.backends.postgres.Stop, c.backends.postgres.Restart},
	} {
		if err := cli.Pause(ctx, 5*time.Second); err != nil {
			return err
		}
		before, most, watched := c.process().rss(), new(atomic.Int64), make(chan struct{})
		watching, stop := context.WithCancel(ctx)
		go func() {
			defer close(watched)
			for cli.Pause(watching, 200*time.Millisecond) == nil {
				most.Store(max(most.Load(), c.process().rss()))
			}
		}()
		from := going.plies()
		server.stop()
		err := cli.Pause(ctx, p.away)
		meanwhile := going.plies() - from
		err = errors.Join(err, server.restart())
		back := time.Now()
		if err == nil {
			err = going.allGoOn(ctx)
		}
		stop()
		<-watched
		if err != nil {
			return fmt.Errorf("while %s was away: %w", server.name, err)
		}
		r.Faults++
		growth := most.Load() - before
		r.Growth = max(r.Growth, growth)
		fmt.Fprintf(p.errOut, "mancala-bench: %s was away for %v: %d moves meanwhile, every game went on within %v of its return, all instances grew by %.1f MiB\n",
			server.name, p.away, meanwhile, time.Since(back).Round(10*time.Millisecond), float64(growth)/(1<<20))
	}
	return going.finish(r)
}
