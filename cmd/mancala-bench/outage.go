package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"mancala/cmd/internal/ledger"
)

// runOutage takes Redis away for a while, and then PostgreSQL, under games that go
// on, and sees how much more memory the instances take meanwhile. Each time every
// game must go on afterwards; without Redis those go on meanwhile whose players
// are on the same instance, and that is every second one.
func (p plan) runOutage(ctx context.Context, c *cluster, games *ledger.Ledger, r *result) error {
	if c.backends.redis == nil || c.backends.postgres == nil {
		return errors.New("only servers that mancala-bench has started can be taken away")
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
		if err := pause(ctx, 5*time.Second); err != nil {
			return err
		}
		before, most, watched := c.process().rss(), new(atomic.Int64), make(chan struct{})
		watching, stop := context.WithCancel(ctx)
		go func() {
			defer close(watched)
			for pause(watching, 200*time.Millisecond) == nil {
				most.Store(max(most.Load(), c.process().rss()))
			}
		}()
		from := going.plies()
		server.stop()
		err := pause(ctx, p.away)
		meanwhile := going.plies() - from
		err = errors.Join(err, server.restart())
		back := time.Now()
		if err == nil {
			err = going.allGoOn(ctx)
		}
		stop()
		<-watched
		if err != nil {
			return fmt.Errorf("with %s away: %w", server.name, err)
		}
		r.Faults++
		growth := most.Load() - before
		r.Growth = max(r.Growth, growth)
		fmt.Fprintf(p.errOut, "mancala-bench: %s was away for %v: %d moves meanwhile, every game went on %v after it was back, %.1f MiB more in all instances\n",
			server.name, p.away, meanwhile, time.Since(back).Round(10*time.Millisecond), float64(growth)/(1<<20))
	}
	return going.finish(r)
}
