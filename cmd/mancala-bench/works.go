package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// work is one piece of work.
type work struct {
	kind, name string
	do         func(context.Context, target) (result, error)
}

// serverWorks is the work for one server.
var serverWorks = []string{"full", "rate", "watch", "stalled", "idle", "live", "lobby", "bots"}

// fits says whether a server does this work.
func (w work) fits(name string, names []string) bool {
	switch {
	case w.needsInstances():
		return name == "one" && !w.hasFaults() || name == "apart" || name == "together" && w.kind == "durable"
	case slices.Contains(spreads, name):
		return false
	case name == "hub" && w.kind == "stalled":
		return false // it would wait for a stalled reader for ever
	case (name == "hub" || name == "transport") && (w.kind == "live" || w.kind == "lobby" || w.kind == "bots"):
		return false // rooms that know nothing
	case name == "memory" && w.kind != "full":
		return !slices.Contains(names, "sqlite") // how people run it says more
	}
	return true
}

// rounds is how often it makes sense to repeat the work: how much memory
// something takes varies little, and faults say how many they are.
func (w work) rounds() int {
	if w.kind == "idle" || w.kind == "live" || w.kind == "lobby" || w.hasFaults() {
		return 1
	}
	return 100
}

func (p plan) pieces() []work {
	var all []work
	add := func(kind, name string, do func(context.Context, target) (result, error)) {
		if slices.Contains(p.works, kind) {
			all = append(all, work{kind, name, do})
		}
	}
	add("full", fmt.Sprintf("%d rooms, full speed", p.rooms), func(ctx context.Context, t target) (result, error) {
		return playRooms(ctx, t, roomLoad{rooms: p.rooms, length: p.length})
	})
	add("rate", fmt.Sprintf("%d rooms, %.0f moves/s", p.rooms, p.rate), func(ctx context.Context, t target) (result, error) {
		return playRooms(ctx, t, roomLoad{rooms: p.rooms, length: p.length, rate: p.rate})
	})
	for _, n := range p.watchers {
		l := roomLoad{rooms: 1, length: p.length, rate: p.deliveries / float64(n), watchers: n}
		add("watch", fmt.Sprintf("%d watchers", n), func(ctx context.Context, t target) (result, error) {
			return playRooms(ctx, t, l)
		})
		some := l
		some.stalled = n / 10
		add("stalled", fmt.Sprintf("%d watchers, %d stalled", n, some.stalled), func(ctx context.Context, t target) (result, error) {
			return playRooms(ctx, t, some)
		})
	}
	add("idle", fmt.Sprintf("%d idle sockets", p.idle), func(ctx context.Context, t target) (result, error) {
		return measureIdleSockets(ctx, t, p.idle)
	})
	add("live", fmt.Sprintf("%d live rooms", p.live), func(ctx context.Context, t target) (result, error) {
		return measureLiveRooms(ctx, t, p.live)
	})
	add("lobby", fmt.Sprintf("%d visitors of the lobby, %.0f changes/s", p.visitors, p.changes), func(ctx context.Context, t target) (result, error) {
		return measureLobby(ctx, t, lobbyLoad{visitors: p.visitors, seekers: 200, changes: p.changes, length: max(p.length, 10*time.Second)})
	})
	humans := roomLoad{rooms: besideBots, length: max(p.length, 5*time.Second), rate: 2 * besideBots}
	add("bots", fmt.Sprintf("%d rooms, %.0f moves/s", humans.rooms, humans.rate), func(ctx context.Context, t target) (result, error) {
		return playRooms(ctx, t, humans)
	})
	add("bots", fmt.Sprintf("the same, %d games against bots beside them", besideBots), func(ctx context.Context, t target) (result, error) {
		r, err := playBesideBots(ctx, t, humans)
		r.Beside = besideBots
		return r, err
	})
	p.addSpreads(add)
	p.addFaults(add)
	return all
}

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
