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

// runBench loads servers over real sockets and prints what that costs them: a
// running one, or ours as a child process with each kind of journal. The bare
// hub is the unit: every other figure is also given as a ratio to the hub's in
// the same run, because a figure of one machine says little on another.
func runBench(ctx context.Context, args []string, _ io.Reader, out, errOut io.Writer) error {
	if len(args) > 0 && benchServers[args[0]] != nil {
		return benchServers[args[0]](ctx, args[1:], out, errOut)
	}
	p := benchPlan{errOut: errOut}
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	baseline := fs.Bool("baseline", false, "also measure the smallest possible room hub on coder/websocket, as the unit")
	transport := fs.Bool("transport", false, "also measure that hub on our transport, without rooms, clocks and journal")
	journals := fs.String("journal", "memory,sqlite", "with which journals to start our server; none: not at all")
	fs.StringVar(&p.target, "target", "", "measure the server that runs at http://…, instead of starting one")
	fs.StringVar(&p.admin, "target-admin", "", "its admin address, to see its rooms fall asleep")
	fs.IntVar(&p.pid, "pid", 0, "its process; found by itself if it is one of this machine's")
	fs.StringVar(&p.profile, "profile", "", "write a CPU profile of the last measured time of a server of ours to this file")
	asJSON := fs.Bool("json", false, "print JSON instead of tables")
	quick := fs.Bool("quick", false, "a third of the time, for a first impression")
	fs.IntVar(&p.rooms, "rooms", 100, "rooms of two players")
	fs.DurationVar(&p.length, "time", 3*time.Second, "how long each piece of work runs, each time")
	fs.IntVar(&p.rounds, "rounds", 3, "how often each piece of work runs on each server, in turn")
	fs.Float64Var(&p.rate, "rate", 500, "moves per second of all rooms, for the work at a fixed rate")
	fs.Float64Var(&p.deliveries, "deliveries", 20_000, "frames per second to all spectators")
	fs.IntVar(&p.idle, "idle", 5000, "sockets for the memory of an idle socket")
	fs.IntVar(&p.live, "live", 3000, "rooms for the memory of a live room")
	fs.IntVar(&p.visitors, "visitors", 2000, "people who look at the lobby")
	fs.Float64Var(&p.changes, "changes", 200, "seeks made or taken back per second, in the lobby")
	watchers := fs.String("watchers", "1000,5000", "spectators of one room")
	works := fs.String("work", "full,rate,watch,stalled,idle,live,lobby", "what to measure")
	if _, err := parseFlags(fs, args, errOut); err != nil {
		return err
	}
	if *quick {
		p.rounds, p.length = 1, min(p.length, 2*time.Second)
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
	switch {
	case p.target != "":
		names = append(names, "target")
	case *journals != "none":
		for j := range strings.SplitSeq(*journals, ",") {
			if j != "memory" && j != "sqlite" {
				return fmt.Errorf("%w: --journal %s: there are memory and sqlite", errUsage, *journals)
			}
			names = append(names, j)
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("%w: nothing to measure", errUsage)
	}
	results, err := p.run(ctx, names)
	if err != nil && len(results) == 0 {
		return err
	}
	if *asJSON {
		return errors.Join(err, printBenchJSON(out, results))
	}
	return errors.Join(err, printBenchTable(out, results), printBenchFigures(out, results))
}

// benchPlan is what to measure, and how much of it.
type benchPlan struct {
	works            []string
	rooms            int
	idle, live       int
	visitors         int
	changes          float64
	rounds           int
	watchers         []int
	length           time.Duration
	rate, deliveries float64

	target, admin string // a server that runs already
	pid           int
	profile       string
	errOut        io.Writer
}

// run does every piece of work on every server in turn, round after round, so
// that a slow moment of the machine hits all of them alike.
func (p benchPlan) run(ctx context.Context, names []string) ([]benchResult, error) {
	var all []benchResult
	for _, w := range p.pieces() {
		rounds := map[string][]benchResult{}
		on := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !w.fits(name, names) })
		for round := range min(p.rounds, w.rounds()) {
			// Whoever goes first may leave the machine warmer or colder.
			order := slices.Clone(on)
			if round%2 == 1 {
				slices.Reverse(order)
			}
			for _, name := range order {
				r, err := p.once(ctx, name, w)
				if err != nil {
					return all, fmt.Errorf("bench: %s on %s: %w", w.name, name, err)
				}
				rounds[name] = append(rounds[name], r)
			}
		}
		for _, name := range on {
			all = append(all, sumUp(rounds[name]))
		}
	}
	return all, nil
}

// once does one piece of work on a fresh server: what one run leaves behind in
// a heap is not another's to pay for.
func (p benchPlan) once(ctx context.Context, name string, w work) (benchResult, error) {
	ctx, cancel := context.WithTimeout(ctx, p.length+2*time.Minute)
	defer cancel()
	t, err := p.start(ctx, name)
	if err != nil {
		return benchResult{}, err
	}
	defer t.stop()
	r, err := w.do(ctx, t)
	r.Server, r.Work, r.Kind = name, w.name, w.kind
	return r, err
}

// work is one piece of work.
type work struct {
	kind, name string
	do         func(context.Context, target) (benchResult, error)
}

// fits says whether a server does this work.
func (w work) fits(name string, names []string) bool {
	switch {
	case name == "hub" && w.kind == "stalled":
		return false // it would wait for a stalled reader for ever
	case (name == "hub" || name == "transport") && (w.kind == "live" || w.kind == "lobby"):
		return false // rooms that know nothing
	case name == "memory" && w.kind != "full":
		return !slices.Contains(names, "sqlite") // how people run it says more
	}
	return true
}

// rounds is how often it makes sense to repeat the work: how much memory
// something takes varies little.
func (w work) rounds() int {
	if w.kind == "idle" || w.kind == "live" || w.kind == "lobby" {
		return 1
	}
	return 100
}

func (p benchPlan) pieces() []work {
	var all []work
	add := func(kind, name string, do func(context.Context, target) (benchResult, error)) {
		if slices.Contains(p.works, kind) {
			all = append(all, work{kind, name, do})
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
		some := l
		some.stalled = n / 10
		add("stalled", fmt.Sprintf("%d watchers, %d stalled", n, some.stalled), func(ctx context.Context, t target) (benchResult, error) {
			return playRooms(ctx, t, some)
		})
	}
	add("idle", fmt.Sprintf("%d idle sockets", p.idle), func(ctx context.Context, t target) (benchResult, error) {
		return holdIdle(ctx, t, p.idle)
	})
	add("live", fmt.Sprintf("%d live rooms", p.live), func(ctx context.Context, t target) (benchResult, error) {
		return holdRooms(ctx, t, p.live)
	})
	add("lobby", fmt.Sprintf("%d visitors of the lobby, %.0f changes/s", p.visitors, p.changes), func(ctx context.Context, t target) (benchResult, error) {
		return visitLobby(ctx, t, lobbyLoad{visitors: p.visitors, seekers: 200, changes: p.changes, length: max(p.length, 10*time.Second)})
	})
	return all
}
