package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"mancala/cmd/internal/cli"
)

// plan is what to measure, and how much of it.
type plan struct {
	baseline, transport, json, quick bool
	journals, workList, watcherList  string

	works            []string
	rooms            int
	idle, live       int
	visitors         int
	changes          float64
	rounds           int
	watchers         []int
	length           time.Duration
	rate, deliveries float64

	// Of several instances.
	instances             int
	durable, crowd        int // rooms, spectators
	games                 int // that go on while instances are restarted
	faults                int
	away                  time.Duration
	seed                  uint64
	database, relay       string
	targetList, adminList string
	targets, admins       []string
	chaos                 bool
	shared                *backends

	target, admin string // a server that runs already
	pid           int
	profile       string
	log           string
	server        string // a program of ours to start
	program       *program
	errOut        io.Writer
}

func (p *plan) register(fs *flag.FlagSet) {
	fs.BoolVar(&p.baseline, "baseline", false, "also measure the smallest possible room hub on coder/websocket, as the unit")
	fs.BoolVar(&p.transport, "transport", false, "also measure that hub on our transport, without rooms, clocks and journal")
	fs.StringVar(&p.journals, "journal", "memory,sqlite", "with which journals to start our server; none: not at all")
	fs.StringVar(&p.target, "target", "", "measure the server that runs at http://…, instead of starting one")
	fs.StringVar(&p.admin, "target-admin", "", "its admin address, to see its rooms fall asleep")
	fs.IntVar(&p.pid, "pid", 0, "its process; found by itself if it is one of this machine's")
	fs.StringVar(&p.profile, "profile", "", "write a CPU profile of the last measured time of a server of ours to this file")
	fs.StringVar(&p.server, "server", "", "the program of our server; empty: mancala beside this program, or else one that is built")
	fs.StringVar(&p.log, "log", "error", "what servers of ours log: debug, info, warn, error")
	fs.BoolVar(&p.json, "json", false, "print JSON instead of tables")
	fs.BoolVar(&p.quick, "quick", false, "a third of the time, for a first impression")
	fs.IntVar(&p.rooms, "rooms", 100, "rooms of two players")
	fs.DurationVar(&p.length, "time", 3*time.Second, "how long each piece of work runs, each time")
	fs.IntVar(&p.rounds, "rounds", 3, "how often each piece of work runs on each server, in turn")
	fs.Float64Var(&p.rate, "rate", 500, "moves per second of all rooms, for the work at a fixed rate")
	fs.Float64Var(&p.deliveries, "deliveries", 20_000, "frames per second to all spectators")
	fs.IntVar(&p.idle, "idle", 5000, "sockets for the memory of an idle socket")
	fs.IntVar(&p.live, "live", 3000, "rooms for the memory of a live room")
	fs.IntVar(&p.visitors, "visitors", 2000, "people who look at the lobby")
	fs.Float64Var(&p.changes, "changes", 200, "seeks made or taken back per second, in the lobby")
	fs.StringVar(&p.watcherList, "watchers", "1000,5000", "spectators of one room")
	fs.StringVar(&p.workList, "work", "", "what to measure; on one server: "+strings.Join(serverWorks, ", ")+" (all of it unless something is named); on several instances of one service, which are started beside a PostgreSQL and a redis-server: "+instanceWorksHelp())

	fs.IntVar(&p.instances, "instances", 3, "how many instances to start, for work on several")
	fs.StringVar(&p.targetList, "targets", "", "measure the instances that run at http://…,http://…, instead of starting some")
	fs.StringVar(&p.adminList, "target-admins", "", "their admin addresses, to count messages and statements")
	fs.StringVar(&p.database, "database", "", "postgres://… for the instances; empty: a server is started")
	fs.StringVar(&p.relay, "redis", "", "redis://… for the instances; empty: a server is started")
	fs.IntVar(&p.durable, "durable", 400, "rooms at full speed, on several instances")
	fs.IntVar(&p.crowd, "crowd", 6000, "spectators of one room, on several instances")
	fs.IntVar(&p.games, "games", 1000, "games that go on while instances are restarted")
	fs.IntVar(&p.faults, "faults", 20, "how many faults, for kills and chaos")
	fs.DurationVar(&p.away, "away", 20*time.Second, "how long Redis and PostgreSQL are away")
	fs.Uint64Var(&p.seed, "seed", uint64(time.Now().UnixNano()%1e6), "which faults, for chaos")
	fs.BoolVar(&p.chaos, "chaos", false, "the same as --work chaos")
}

// check completes the plan, or says what is wrong with it.
func (p *plan) check() error {
	if p.quick {
		p.rounds, p.length = 1, min(p.length, 2*time.Second)
	}
	for s := range strings.SplitSeq(p.watcherList, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			return fmt.Errorf("%w: --watchers %s: not a list of numbers", cli.ErrUsage, p.watcherList)
		}
		p.watchers = append(p.watchers, n)
	}
	if p.targetList != "" {
		p.targets = strings.Split(p.targetList, ",")
	}
	if p.adminList != "" {
		p.admins = strings.Split(p.adminList, ",")
	}
	switch {
	case p.workList != "":
		p.works = strings.Split(p.workList, ",")
	case p.chaos:
	case p.targets != nil:
		p.works = []string{"span", "durable", "crowd"}
	default:
		p.works = serverWorks
	}
	if p.chaos {
		p.works = append(p.works, "chaos")
	}
	for _, kind := range p.works {
		w := work{kind: kind}
		switch {
		case !w.needsInstances() && !slices.Contains(serverWorks, kind):
			return fmt.Errorf("%w: --work %s: see mancala-bench --help", cli.ErrUsage, kind)
		case p.targets != nil && w.hasFaults():
			return fmt.Errorf("%w: --work %s is only for instances that mancala-bench starts itself", cli.ErrUsage, kind)
		case p.instances < 2 && w.needsInstances():
			return fmt.Errorf("%w: --instances must be 2 or more", cli.ErrUsage)
		}
	}
	return nil
}

// servers are the names of all that is to be measured.
func (p *plan) servers() (names []string, err error) {
	if p.baseline {
		names = append(names, "hub")
	}
	if p.transport {
		names = append(names, "transport")
	}
	switch {
	case p.target != "":
		names = append(names, "target")
	case p.journals != "none":
		for j := range strings.SplitSeq(p.journals, ",") {
			if j != "memory" && j != "sqlite" {
				return nil, fmt.Errorf("%w: --journal %s: there are memory and sqlite", cli.ErrUsage, p.journals)
			}
			names = append(names, j)
		}
	}
	for _, kind := range p.works {
		if (work{kind: kind}).needsInstances() {
			return append(names, spreads...), nil
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%w: nothing to measure", cli.ErrUsage)
	}
	return names, nil
}
