package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"mancala/cmd/internal/cli"
	"mancala/cmd/internal/ledger"
)

const pairsPerFault = 8

// failure is what happens to the owner of some games.
type failure struct {
	fail  func(*instance) error
	heal  func(context.Context, *instance) error
	alone bool // no player is connected to the victim
}

// runKills kills one instance after the other while it owns games, and measures when each
// game goes on. In every second game one of the players was connected to the victim, in
// the other games neither of them.
func (p plan) runKills(ctx context.Context, c *cluster, games *ledger.Ledger, r *result) error {
	return p.failOwners(ctx, c, games, r, failure{
		fail: func(i *instance) error { i.Kill(); return nil },
		heal: func(ctx context.Context, i *instance) error { return i.start(ctx) },
	})
}

// runFreezes stops the process of one instance after the other while it owns games, without
// ending it, and measures when each game goes on. No player is connected to the victim: their
// sockets would stay open until a load balancer cuts them.
func (p plan) runFreezes(ctx context.Context, c *cluster, games *ledger.Ledger, r *result) error {
	return p.failOwners(ctx, c, games, r, failure{
		fail:  func(i *instance) error { return i.suspend() },
		heal:  func(_ context.Context, i *instance) error { return i.resume() },
		alone: true,
	})
}

// failOwners makes one instance after the other fail while it owns games, and measures when
// each game goes on.
func (p plan) failOwners(ctx context.Context, c *cluster, games *ledger.Ledger, r *result, f failure) error {
	b := c.balancer()
	for n := range p.faults {
		victim := n % len(c.list)
		pairs := make([]*pair, pairsPerFault)
		owners := make([]string, pairsPerFault)
		err := inParallel(ctx, len(pairs), func(i int) error {
			one, other := victim+1, victim+2
			switch {
			case f.alone:
				other = victim + 1 + 1%(len(c.list)-1)
			case i%2 == 0:
				one, other = victim, victim+1
			}
			pairs[i] = b.pair(games, uint64(n*pairsPerFault+i), one, other)
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
		b.out[victim].Store(true) // a load balancer learns this from failed checks
		failed := time.Now()
		if err := f.fail(c.list[victim]); err != nil {
			return err
		}
		var again [pairsPerFault]time.Duration
		err = inParallel(ctx, len(pairs), func(i int) error {
			_, err := pairs[i].ply(ctx)
			again[i] = time.Since(failed)
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
		if err := f.heal(ctx, c.list[victim]); err != nil {
			return err
		}
		if f.alone { // the victim has just woken, and had the state before the last ply
			if err := p.compare(ctx, b.only(victim), games.Games()[n*pairsPerFault:], r); err != nil {
				return err
			}
		}
		b.out[victim].Store(false)
	}
	return nil
}

// runRolling restarts one instance after the other in good order while many games go on
// slowly.
func (p plan) runRolling(ctx context.Context, c *cluster, games *ledger.Ledger, r *result) error {
	b := c.balancer()
	going, err := b.startSlowGames(ctx, games, p.slowGames(), func(int) int { return 1 }, 2*time.Second)
	if err != nil {
		return err
	}
	defer going.leave()
	for i, instance := range c.list {
		if err := cli.Pause(ctx, 3*time.Second); err != nil {
			return err
		}
		b.out[i].Store(true) // a load balancer learns this from /readyz
		if err := instance.Stop(); err != nil {
			return fmt.Errorf("an instance did not shut down in good order: %w", err)
		}
		if err := instance.start(ctx); err != nil {
			return err
		}
		b.out[i].Store(false)
		r.Faults++
	}
	if err := cli.Pause(ctx, 4*time.Second); err != nil { // every player moves in this time
		return err
	}
	return going.finish(r)
}

// slowGames returns how many games go on during the rolling restart.
func (p plan) slowGames() int { return cmp.Or(p.games, 1000) }
