package main

import (
	"context"
	"fmt"
	"slices"
)

// spreads are the ways in which clients are spread over the instances of a service. With
// "one" all clients are on one instance, and the others are compared with it. With
// "together" the games are on all instances, with both players of a game on the same one.
// With "apart" the players of a game are on different instances.
var spreads = []string{"one", "together", "apart"}

// startSpread starts several instances, unless they run already, and spreads the clients
// over them.
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

// addSpreads adds the workloads that are compared between spreads.
func (p plan) addSpreads(add func(kind, name string, do func(context.Context, target) (result, error))) {
	load := func(l roomLoad) func(context.Context, target) (result, error) {
		return func(ctx context.Context, t target) (result, error) { return playRooms(ctx, t, l) }
	}
	add("span", fmt.Sprintf("%d rooms, %.0f moves/s, spread", p.rooms, p.rate), load(roomLoad{rooms: p.rooms, length: p.length, rate: p.rate}))
	add("durable", fmt.Sprintf("%d rooms, full speed, spread", p.durable), load(roomLoad{rooms: p.durable, length: p.length}))
	add("crowd", fmt.Sprintf("%d watchers, spread", p.crowd), load(roomLoad{rooms: 1, length: p.length, rate: p.deliveries / float64(p.crowd), watchers: p.crowd}))
}
