package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"mancala/cmd/internal/cli"
	"mancala/cmd/internal/ledger"
	"mancala/match/journal"
	"mancala/web/webtest"
)

// fault is what happens to an instance, and when.
type fault struct {
	after  time.Duration // since the end of the fault before
	kind   string        // kill, pause, restart
	victim int
	length time.Duration // of a pause
}

// schedule returns faults that depend only on its arguments. Some pauses are longer
// than the lease of an instance: other instances then take its rooms, and it must
// notice that.
func schedule(run uint64, faults, instances int) (all []fault) {
	r := rand.New(rand.NewPCG(run, 0))
	for range faults {
		f := fault{after: time.Duration(r.Int64N(int64(2 * time.Second))), victim: r.IntN(instances), kind: "kill"}
		switch r.IntN(5) {
		case 0:
			f.kind = "restart"
		case 1:
			f.kind, f.length = "pause", time.Duration(r.Int64N(int64(time.Second)))
		case 2:
			f.kind, f.length = "pause", journal.DeadAfter+time.Duration(r.Int64N(int64(3*time.Second)))
		}
		all = append(all, f)
	}
	return all
}

func (f fault) String() string {
	if f.kind == "pause" {
		return fmt.Sprintf("instance %d is paused for %v", f.victim, f.length.Round(time.Millisecond))
	}
	return fmt.Sprintf("instance %d: %s", f.victim, f.kind)
}

// do inflicts the fault on an instance, and returns when the instance runs again.
func (f fault) do(ctx context.Context, i *instance) error {
	switch f.kind {
	case "pause":
		return errors.Join(i.suspend(), cli.Pause(ctx, f.length), i.resume())
	case "restart":
		if err := i.Stop(); err != nil {
			return fmt.Errorf("an instance did not shut down in good order: %w", err)
		}
	default:
		i.Kill()
	}
	return i.start(ctx)
}

// chaosRules are the games that are played during the faults. The last has four
// players.
var chaosRules = []string{"kalah", "oware", "giuthi", "maruba", "basic-four"}

const chaosTables = 10

// runChaos plays one game after the other at full speed while faults happen to the
// instances. The players of each game are on different instances. All games are played
// to their end.
func (p plan) runChaos(ctx context.Context, c *cluster, games *ledger.Ledger, r *result) error {
	b := c.balancer()
	life := ctx // of the instances: they must answer the checks afterwards
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var ending atomic.Bool
	var pulse atomic.Int64
	var group sync.WaitGroup
	for n := range chaosTables {
		group.Go(func() {
			if err := p.playOn(ctx, b, n, games, &pulse, &ending); err != nil {
				cancel(err) // keeps the first error, which ends the other tables too
			}
		})
	}
	err := cli.Pause(ctx, time.Second)
	for _, f := range schedule(p.runNumber, p.faults, len(c.list)) {
		if err = errors.Join(err, cli.Pause(ctx, f.after)); err != nil {
			break
		}
		fmt.Fprintf(p.errOut, "mancala-bench: after %d looks of clients at their games: %v\n", pulse.Load(), f)
		if err = f.do(life, c.list[f.victim]); err != nil {
			break
		}
		r.Faults++
	}
	if err != nil {
		cancel(err)
	}
	ending.Store(true)
	group.Wait()
	for _, g := range games.Games() {
		r.latency = append(r.latency, g.Away...)
	}
	return context.Cause(ctx)
}

// playOn plays one game after the other at table n until ending is set.
func (p plan) playOn(ctx context.Context, b *balancer, n int, games *ledger.Ledger, pulse *atomic.Int64, ending *atomic.Bool) error {
	rules := chaosRules[n%len(chaosRules)]
	seats := 2
	if rules == "basic-four" {
		seats = 4
	}
	var people []*webtest.Person
	for i := range seats {
		people = append(people, b.person(n+i))
	}
	defer ledger.Leave(people)
	if err := ledger.Arrive(ctx, people); err != nil {
		return err
	}
	for k := uint64(0); !ending.Load(); k++ {
		g, err := ledger.Play(ctx, people, rules, rand.New(rand.NewPCG(p.runNumber, uint64(n)<<32|k)), pulse)
		if err != nil {
			return err
		}
		games.Add(g)
	}
	return nil
}
