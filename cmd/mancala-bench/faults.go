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
	add("rolling", fmt.Sprintf("%d games, all instances restarted", p.slowGames()), checked(p.runRolling))
	add("outage", fmt.Sprintf("%d games, Redis and PostgreSQL away for %v", p.rooms, p.away), checked(p.runOutage))
	add("tournament", p.event.String(), p.runTournament)
	add("chaos", fmt.Sprintf("%d faults, run %d", p.faults, p.runNumber), checked(p.runChaos))
}

// verify checks every game against the answers of the service, and looks for holes in
// the journal.
func (p plan) verify(ctx context.Context, c *cluster, games *ledger.Ledger, r *result) error {
	all := games.Games()
	for _, g := range all {
		r.Acknowledged += len(g.Plies)
	}
	if err := p.compare(ctx, c.balancer(), all, r); err != nil {
		return err
	}
	found, err := c.holes(ctx)
	for _, what := range found {
		p.wrong(r, what)
	}
	return err
}

// compare checks games against the answers of the instances of b.
func (p plan) compare(ctx context.Context, b *balancer, games []*ledger.Game, r *result) error {
	var mu sync.Mutex
	return inParallel(ctx, len(games), func(i int) error {
		found := games[i].Check(func(path string) (string, error) { return b.get(ctx, path) })
		mu.Lock()
		defer mu.Unlock()
		for _, what := range found {
			p.wrong(r, what)
		}
		return nil
	})
}

// wrong reports what must not be.
func (p plan) wrong(r *result, what string) {
	if r.Wrong++; r.Wrong <= 20 {
		fmt.Fprintln(p.errOut, "mancala-bench: WRONG:", what)
	}
}
