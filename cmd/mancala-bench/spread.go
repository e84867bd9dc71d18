package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// How people are spread over the instances of a service: all on one, the games on
// all with both players together, or the players of each game apart. The first is
// what the others are compared with.
var spreads = []string{"one", "together", "apart"}

// instanceWorks is the work for which there must be several instances, and what each
// is, as --help says it.
var instanceWorks = []struct{ kind, what string }{
	{"span", "moves at a fixed rate, with the players on one instance and on different ones"},
	{"durable", "games at full speed through PostgreSQL, with every spread"},
	{"crowd", "spectators of one room, on one instance and on all"},
	{"kills", "owners killed with -9: when their rooms can be played again"},
	{"rolling", "every instance restarted in turn, with games going on"},
	{"outage", "Redis away for a while, then PostgreSQL"},
	{"chaos", "instances killed, paused and restarted, every acknowledged move checked"},
}

// needsInstances says whether the work is about several instances.
func (w work) needsInstances() bool {
	for _, m := range instanceWorks {
		if m.kind == w.kind {
			return true
		}
	}
	return false
}

// hasFaults says whether the work does something to instances, which must be ours.
func (w work) hasFaults() bool {
	return w.needsInstances() && !slices.Contains([]string{"span", "durable", "crowd"}, w.kind)
}

func instanceWorksHelp() string {
	var all []string
	for _, m := range instanceWorks {
		all = append(all, m.kind+" ("+m.what+")")
	}
	return strings.Join(all, ", ")
}

// startSpread makes several instances ready, with their people spread in one way.
func (p plan) startSpread(ctx context.Context, spread string) (target, error) {
	t := target{stop: func() {}}
	if len(p.targets) > 0 {
		t.driver, t.admins = newMancalaDriver(slices.Clone(p.targets)...), p.admins
		for _, base := range p.targets {
			if pid := listenerPID(base); pid != 0 {
				t.proc.pids = append(t.proc.pids, pid)
			}
		}
	} else {
		c, err := p.startCluster(ctx, p.instances)
		if err != nil {
			return target{}, err
		}
		t = c.target()
	}
	t.saveTo, t.many = p.profile, true
	d := t.driver.(*mancalaDriver)
	switch spread {
	case "one":
		d.bases = d.bases[:1]
	case "together":
		d.together = true
	}
	return t, nil
}

// addSpreads is the work that is compared between spreads.
func (p plan) addSpreads(add func(kind, name string, do func(context.Context, target) (result, error))) {
	load := func(l roomLoad) func(context.Context, target) (result, error) {
		return func(ctx context.Context, t target) (result, error) { return playRooms(ctx, t, l) }
	}
	add("span", fmt.Sprintf("%d rooms, %.0f moves/s, spread", p.rooms, p.rate), load(roomLoad{rooms: p.rooms, length: p.length, rate: p.rate}))
	add("durable", fmt.Sprintf("%d rooms, full speed, spread", p.durable), load(roomLoad{rooms: p.durable, length: p.length}))
	add("crowd", fmt.Sprintf("%d watchers, spread", p.crowd), load(roomLoad{rooms: 1, length: p.length, rate: p.deliveries / float64(p.crowd), watchers: p.crowd}))
}

// usage is what several instances have cost so far beside their own CPU.
type usage struct {
	Publishes, Rows, Statements int           // messages through Redis; entries, and statements that wrote them
	DatabaseCPU, RelayCPU       time.Duration // of PostgreSQL and Redis, if they are ours
}

func (t target) usage(ctx context.Context) (r usage) {
	if !t.many {
		return r
	}
	database, relay := t.with.processes()
	r.DatabaseCPU, r.RelayCPU = database.cpu(), relay.cpu()
	if len(t.admins) > 0 {
		r.Publishes, _ = t.metric(ctx, "mancala_messages_sent_total") // without --redis there are none
		r.Rows, _ = t.metric(ctx, "mancala_append_rows_sum")
		r.Statements, _ = t.metric(ctx, "mancala_append_rows_count")
	}
	return r
}

// plus adds what has been read in between.
func (r usage) plus(from, to usage) usage {
	return usage{
		r.Publishes + to.Publishes - from.Publishes, r.Rows + to.Rows - from.Rows, r.Statements + to.Statements - from.Statements,
		r.DatabaseCPU + to.DatabaseCPU - from.DatabaseCPU, r.RelayCPU + to.RelayCPU - from.RelayCPU,
	}
}
