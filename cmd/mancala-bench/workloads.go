package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// workload is what clients do to a server while it is measured.
type workload struct {
	kind, name string
	do         func(context.Context, target) (result, error)
}

// serverWorkloads are the kinds of workloads for one server.
var serverWorkloads = []string{"full", "rate", "whole", "whole-rate", "watch", "stalled", "idle", "live", "lobby", "bots"}

// fits reports whether this workload runs on the server of this name. names are all
// servers that are measured.
func (w workload) fits(name string, names []string) bool {
	switch {
	case w.needsInstances():
		return name == "one" && !w.hasFaults() || name == "apart" || name == "together" && w.kind == "durable"
	case slices.Contains(spreads, name):
		return false
	case name == "hub" && w.kind == "stalled":
		return false // it would wait for a stalled watcher forever
	case (name == "hub" || name == "transport") && (w.kind == "live" || w.kind == "lobby" || w.kind == "bots"):
		return false // their rooms have no rules, lobby or bots
	case name == "memory" && w.kind != "full" && w.kind != "whole" && w.kind != "whole-rate":
		return !slices.Contains(names, "sqlite") // the journal that is used in practice says more
	}
	return true
}

// rounds returns how often at most to repeat the workload. Memory varies little from
// round to round, and workloads with faults have their own number of faults.
func (w workload) rounds() int {
	if w.kind == "idle" || w.kind == "live" || w.kind == "lobby" || w.hasFaults() {
		return 1
	}
	return 100
}

// workloads returns the workloads that --work selects.
func (p plan) workloads() []workload {
	var all []workload
	add := func(kind, name string, do func(context.Context, target) (result, error)) {
		if slices.Contains(p.works, kind) {
			all = append(all, workload{kind, name, do})
		}
	}
	add("full", fmt.Sprintf("%d rooms, full speed", p.rooms), func(ctx context.Context, t target) (result, error) {
		return playRooms(ctx, t, roomLoad{rooms: p.rooms, length: p.length})
	})
	add("rate", fmt.Sprintf("%d rooms, %.0f moves/s", p.rooms, p.rate), func(ctx context.Context, t target) (result, error) {
		return playRooms(ctx, t, roomLoad{rooms: p.rooms, length: p.length, rate: p.rate})
	})
	add("whole", fmt.Sprintf("%d rooms, whole games", p.rooms), func(ctx context.Context, t target) (result, error) {
		return playRooms(ctx, t, roomLoad{rooms: p.rooms, length: p.length, whole: true})
	})
	add("whole-rate", fmt.Sprintf("%d rooms, whole games, %.0f moves/s", p.rooms, p.rate), func(ctx context.Context, t target) (result, error) {
		return playRooms(ctx, t, roomLoad{rooms: p.rooms, length: p.length, rate: p.rate, whole: true})
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

// instanceWorkloads are the kinds of workloads for several instances, with the text of
// --help for each.
var instanceWorkloads = []struct{ kind, what string }{
	{"span", "moves at a fixed rate, with the players on one instance and on different ones"},
	{"durable", "games at full speed through PostgreSQL, with every spread"},
	{"crowd", "watchers of one room, on one instance and on all"},
	{"kills", "owners killed with SIGKILL: the time until their rooms can be played again"},
	{"freezes", "owners stopped with SIGSTOP: the time until their rooms can be played again elsewhere"},
	{"rolling", "every instance restarted in turn while games go on"},
	{"outage", "Redis stopped for a while, then PostgreSQL"},
	{"tournament", "a Swiss, an arena or a knockout played to its end by bots, with one instance killed and one restarted; every result is checked"},
	{"chaos", "instances killed, paused and restarted; every acknowledged move is checked"},
}

// needsInstances reports whether the workload needs several instances.
func (w workload) needsInstances() bool {
	for _, m := range instanceWorkloads {
		if m.kind == w.kind {
			return true
		}
	}
	return false
}

// hasFaults reports whether the workload inflicts faults on instances, which must then
// have been started here.
func (w workload) hasFaults() bool {
	return w.needsInstances() && !slices.Contains([]string{"span", "durable", "crowd"}, w.kind)
}

func instanceWorkloadsHelp() string {
	var all []string
	for _, m := range instanceWorkloads {
		all = append(all, m.kind+" ("+m.what+")")
	}
	return strings.Join(all, ", ")
}
