package main

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"mancala/cmd/internal/ledger"
)

const pairsPerKill = 8

// runKills kills one instance after the other while it owns games, and measures when each
// game goes on. In every second game one of the players was connected to the victim, in
// the other games neither of them.
func (p plan) runKills(ctx context.Context, c *cluster, games *ledger.Ledger, r *result) error {
	b := c.balancer()
	for n := range p.faults {
		victim := n % len(c.list)
		pairs := make([]*pair, pairsPerKill)
		owners := make([]string, pairsPerKill)
		err := inParallel(ctx, len(pairs), func(i int) error {
			near := 0
			if i%2 == 0 {
				near = 1
			}
			pairs[i] = b.pair(games, uint64(n*pairsPerKill+i), victim+1-near, victim+2-near)
			if err := pairs[i].beginAt(ctx, victim); err != nil {
				return err
			}
			for range 2 {
				if _, err := pairs[i].ply(ctx); err != nil {
					return err
				}
			}
			var err error
			owners[i], err = c.owner(ctx, pairs[i].game.Room)
			return err
		})
		if err != nil {
			return err
		}
		killed := time.Now()
		c.list[victim].child.stop()
		var again [pairsPerKill]time.Duration
		err = inParallel(ctx, len(pairs), func(i int) error {
			_, err := pairs[i].ply(ctx)
			again[i] = time.Since(killed)
			return err
		})
		if err != nil {
			return err
		}
		for i, pair := range pairs {
			owner, err := c.owner(ctx, pair.game.Room)
			if err != nil {
				return err
			}
			if owner != owners[i] { // the victim owned it
				r.latency = append(r.latency, again[i])
			}
			pair.leave()
		}
		r.Faults++
		if err := c.list[victim].start(ctx); err != nil {
			return err
		}
	}
	return nil
}

// runRolling restarts one instance after the other in good order while many games go on
// slowly.
func (p plan) runRolling(ctx context.Context, c *cluster, games *ledger.Ledger, r *result) error {
	b := c.balancer()
	going, err := b.startSlowGames(ctx, games, p.games, func(int) int { return 1 }, 2*time.Second)
	if err != nil {
		return err
	}
	defer going.leave()
	for i, instance := range c.list {
		if err := pause(ctx, 3*time.Second); err != nil {
			return err
		}
		b.out[i].Store(true) // a load balancer learns this from /readyz
		if err := instance.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			return err
		}
		if err := instance.cmd.Wait(); err != nil {
			return fmt.Errorf("an instance did not shut down in good order: %w", err)
		}
		if err := instance.start(ctx); err != nil {
			return err
		}
		b.out[i].Store(false)
		r.Faults++
	}
	if err := pause(ctx, 4*time.Second); err != nil { // every player moves in this time
		return err
	}
	return going.finish(r)
}
