package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// runBench loads servers over real sockets and prints what that costs them. The
// bare hub is the unit: every other figure is also given as a ratio to the hub's
// in the same run, because a figure of one machine says little on another.
func runBench(ctx context.Context, args []string, _ io.Reader, out, errOut io.Writer) error {
	if len(args) > 0 && benchServers[args[0]] != nil {
		return benchServers[args[0]](ctx, out)
	}
	var p benchPlan
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	baseline := fs.Bool("baseline", false, "measure the smallest possible room hub on coder/websocket, as the unit")
	transport := fs.Bool("transport", false, "measure that hub on our transport, without rooms, clocks and journal")
	asJSON := fs.Bool("json", false, "print JSON instead of a table")
	fs.IntVar(&p.rooms, "rooms", 100, "rooms of two players")
	fs.DurationVar(&p.length, "time", 3*time.Second, "how long each piece of work runs, each time")
	fs.IntVar(&p.rounds, "rounds", 3, "how often each piece of work runs on each server, in turn")
	fs.Float64Var(&p.rate, "rate", 500, "moves per second of all rooms, for the work at a fixed rate")
	fs.Float64Var(&p.deliveries, "deliveries", 20_000, "frames per second to all spectators")
	fs.IntVar(&p.idle, "idle", 5000, "sockets for the memory of an idle socket")
	watchers := fs.String("watchers", "1000,5000", "spectators of one room")
	works := fs.String("work", "full,rate,watch,stalled,idle", "what to measure")
	if _, err := parseFlags(fs, args, errOut); err != nil {
		return err
	}
	for s := range strings.SplitSeq(*watchers, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			return fmt.Errorf("%w: --watchers %s: not a list of numbers", errUsage, *watchers)
		}
		p.watchers = append(p.watchers, n)
	}
	p.works = strings.Split(*works, ",")

	var names []string
	if *baseline {
		names = append(names, "hub")
	}
	if *transport {
		names = append(names, "transport")
	}
	if len(names) == 0 {
		return fmt.Errorf("%w: nothing to measure: give --baseline, --transport or both", errUsage)
	}
	results, err := p.run(ctx, names, errOut)
	if err != nil && len(results) == 0 {
		return err
	}
	if *asJSON {
		return errors.Join(err, printBenchJSON(out, results))
	}
	return errors.Join(err, printBenchTable(out, results))
}

// benchServers are the servers hidden in this sub-command.
var benchServers = map[string]func(context.Context, io.Writer) error{
	"hub":       runBenchHub,
	"transport": runBenchSocket,
}

// benchPlan is what to measure, and how much of it.
type benchPlan struct {
	works            []string
	rooms, idle      int
	rounds           int
	watchers         []int
	length           time.Duration
	rate, deliveries float64
}

// target is a server under load.
type target struct {
	name   string
	driver driver
	proc   process
}

// run does every piece of work on every server in turn, round after round, so
// that a slow moment of the machine hits all of them alike.
func (p benchPlan) run(ctx context.Context, names []string, errOut io.Writer) ([]benchResult, error) {
	var all []benchResult
	for _, w := range p.pieces() {
		rounds := map[string][]benchResult{}
		for round := range p.rounds {
			// Whoever goes first may leave the machine warmer or colder.
			order := slices.Clone(names)
			if round%2 == 1 {
				slices.Reverse(order)
			}
			for _, name := range order {
				if w.stalls && name == "hub" {
					continue // it would wait for a stalled reader for ever
				}
				r, err := p.once(ctx, name, w, errOut)
				if err != nil {
					return all, fmt.Errorf("bench: %s on %s: %w", w.name, name, err)
				}
				rounds[name] = append(rounds[name], r)
			}
		}
		for _, name := range names {
			if len(rounds[name]) > 0 {
				all = append(all, sumUp(rounds[name]))
			}
		}
	}
	return all, nil
}

// once does one piece of work on a fresh server: what one run leaves behind in
// a heap is not another's to pay for.
func (p benchPlan) once(ctx context.Context, name string, w work, errOut io.Writer) (benchResult, error) {
	c, err := startChild(ctx, errOut, name)
	if err != nil {
		return benchResult{}, err
	}
	defer c.stop()
	t := target{name, hubDriver{"ws://" + c.addr + "/ws"}, process{c.cmd.Process.Pid}}
	r, err := w.do(ctx, t)
	r.Server, r.Work = name, w.name
	return r, err
}

// work is one piece of work.
type work struct {
	name   string
	stalls bool // some of its readers never read
	do     func(context.Context, target) (benchResult, error)
}

func (p benchPlan) pieces() []work {
	var all []work
	add := func(kind, name string, do func(context.Context, target) (benchResult, error)) {
		if slices.Contains(p.works, kind) {
			all = append(all, work{name, kind == "stalled", do})
		}
	}
	add("full", fmt.Sprintf("%d rooms, full speed", p.rooms), func(ctx context.Context, t target) (benchResult, error) {
		return playRooms(ctx, t, roomLoad{rooms: p.rooms, length: p.length})
	})
	add("rate", fmt.Sprintf("%d rooms, %.0f moves/s", p.rooms, p.rate), func(ctx context.Context, t target) (benchResult, error) {
		return playRooms(ctx, t, roomLoad{rooms: p.rooms, length: p.length, rate: p.rate})
	})
	for _, n := range p.watchers {
		l := roomLoad{rooms: 1, length: p.length, rate: p.deliveries / float64(n), watchers: n}
		add("watch", fmt.Sprintf("%d watchers", n), func(ctx context.Context, t target) (benchResult, error) {
			return playRooms(ctx, t, l)
		})
		l.stalled = n / 10
		add("stalled", fmt.Sprintf("%d watchers, %d stalled", n, l.stalled), func(ctx context.Context, t target) (benchResult, error) {
			return playRooms(ctx, t, l)
		})
	}
	add("idle", fmt.Sprintf("%d idle sockets", p.idle), func(ctx context.Context, t target) (benchResult, error) {
		return holdIdle(ctx, t, p.idle)
	})
	return all
}
