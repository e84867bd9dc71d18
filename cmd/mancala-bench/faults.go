package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"mancala/cmd/internal/ledger"
)

// addFaults adds the workloads in which faults happen to instances.
func (p plan) addFaults(add func(kind, name string, do func(context.Context, target) (result, error))) {
	type trial func(context.Context, *cluster, *ledger.Ledger, *result) error
	checked := func(try trial) func(context.Context, target) (result, error) {
		return func(ctx context.Context, t target) (result, error) {
			var games ledger.Ledger
			var r result
			began := time.Now()
			if err := try(ctx, t.cluster, &games, &r); err != nil {
				return r, err
			}
			r.Took, r.RSS = time.Since(began), t.cluster.process().rss()
			return r, p.verify(ctx, t.cluster, &games, &r)
		}
	}
	add("kills", fmt.Sprintf("%d owners killed", p.faults), checked(p.runKills))
	add("freezes", fmt.Sprintf("%d owners frozen", p.faults), checked(p.runFreezes))
	add("rolling", fmt.Sprintf("%d games, all instances restarted", p.games), checked(p.runRolling))
	add("outage", fmt.Sprintf("%d games, Redis and PostgreSQL away for %v", p.rooms, p.away), checked(p.runOutage))
	add("chaos", fmt.Sprintf("%d faults, seed %d", p.faults, p.seed), checked(p.runChaos))
}

// verify checks every game against the answers of the service, and looks for holes in
// the journal.
func (p plan) verify(ctx context.Context, c *cluster, games *ledger.Ledger, r *result) error {
	b := c.balancer()
	var mu sync.Mutex
	report := func(what string) {
		mu.Lock()
		defer mu.Unlock()
		if r.Wrong++; r.Wrong <= 20 {
			fmt.Fprintln(p.errOut, "mancala-bench: WRONG:", what)
		}
	}
	all := games.Games()
	err := inParallel(ctx, len(all), func(i int) error {
		g := all[i]
		for _, wrong := range g.Check(b.get) {
			report(wrong)
		}
		mu.Lock()
		defer mu.Unlock()
		r.Acknowledged += len(g.Plies)
		return nil
	})
	if err != nil {
		return err
	}
	found, err := c.holes(ctx)
	for _, what := range found {
		report(what)
	}
	return err
}
