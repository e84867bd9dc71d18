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

// plan is what to measure, and how much of it, as the flags say.
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

	// Flags for several instances.
	instances             int
	durable, crowd        int // rooms; watchers
	games                 int // for the rolling restart
	faults                int
	away                  time.Duration
	runNumber             uint64
	database, relay       string
	targetList, adminList string
	targets, admins       []string
	chaos                 bool
	year                  yearLoad
	event                 tournamentLoad
	nice                  bool // the players of a tournament give way to the servers
	shared                *backends

	target, admin string // a server that runs already, and its admin address
	pid           int
	profile       string
	log           string
	server        string // the value of --server
	program       *program
	errOut        io.Writer
}

func (p *plan) register(fs *flag.FlagSet) {
	fs.BoolVar(&p.baseline, "baseline", false, "also measure the smallest possible room hub on coder/websocket, and print ratios to it")
	fs.BoolVar(&p.transport, "transport", false, "also measure that hub on the transport of mancala, without rooms, clocks and journal")
	fs.StringVar(&p.journals, "journal", "memory,sqlite", "the journals to start mancala with: memory, sqlite; none: do not start it")
	fs.StringVar(&p.target, "target", "", "measure the server that runs at http://…, instead of starting one")
	fs.StringVar(&p.admin, "target-admin", "", "the admin address of --target, for its metrics")
	fs.IntVar(&p.pid, "pid", 0, "the process of --target; it is found automatically if it runs on this machine")
	fs.StringVar(&p.profile, "profile", "", "write a CPU profile of mancala during the last measured time to this file")
	fs.StringVar(&p.server, "server", "", "the program of mancala; empty: the file mancala beside this program, or else it is built from the repository")
	fs.StringVar(&p.log, "log", "error", "what several instances log: debug, info, warn, error")
	fs.BoolVar(&p.json, "json", false, "print JSON instead of tables")
	fs.BoolVar(&p.quick, "quick", false, "measure one short round only")
	fs.IntVar(&p.rooms, "rooms", 100, "rooms of two players")
	fs.DurationVar(&p.length, "time", 3*time.Second, "how long each workload runs in each round")
	fs.IntVar(&p.rounds, "rounds", 3, "how often each workload runs on each server; for tournament: the rounds of a Swiss")
	fs.BoolVar(&p.nice, "nice", false, "let the servers go before the players of a tournament, which would have devices of their own")
	fs.Float64Var(&p.rate, "rate", 500, "moves per second of all rooms, for the workloads at a fixed rate")
	fs.Float64Var(&p.deliveries, "deliveries", 20_000, "messages per second to all watchers")
	fs.IntVar(&p.idle, "idle", 5000, "sockets, to measure the memory of an idle socket")
	fs.IntVar(&p.live, "live", 3000, "rooms, to measure the memory of a live room")
	fs.IntVar(&p.visitors, "visitors", 2000, "visitors of the lobby")
	fs.Float64Var(&p.changes, "changes", 200, "seeks made or taken back per second in the lobby")
	fs.StringVar(&p.watcherList, "watchers", "1000,5000", "watchers of one room")
	fs.StringVar(&p.workList, "work", "", "workloads to run; on one server: "+strings.Join(serverWorkloads, ", ")+" (all of these by default); on several instances of one service, which are started with a PostgreSQL and a redis-server: "+instanceWorkloadsHelp()+"; alone: year (how a database grows by abandoned games and guests, in simulated time; in a file, or with --database postgres in a server that is started)")

	fs.IntVar(&p.instances, "instances", 3, "how many instances to start; 1 is for tournament with --faults 0: on SQLite, without Redis")
	fs.StringVar(&p.targetList, "targets", "", "measure the instances that run at http://…,http://…, instead of starting them")
	fs.StringVar(&p.adminList, "target-admins", "", "the admin addresses of --targets, to count messages and statements")
	fs.StringVar(&p.database, "database", "", "postgres://… for the instances; empty: a PostgreSQL is started")
	fs.StringVar(&p.relay, "redis", "", "redis://… for the instances; empty: a redis-server is started")
	fs.IntVar(&p.durable, "durable", 400, "rooms at full speed on several instances")
	fs.IntVar(&p.crowd, "crowd", 6000, "watchers of one room on several instances")
	fs.IntVar(&p.games, "games", 0, "games that go on during the rolling restart; 0: 1000. For tournament: games on each board; 0: one")
	fs.StringVar(&p.event.format, "format", "swiss", "the format of the tournament: "+strings.Join(formats, ", "))
	fs.IntVar(&p.event.players, "players", 200, "players of the tournament; of several ones if they are more than one may have")
	fs.IntVar(&p.event.minutes, "minutes", 0, "how long an arena lasts; 0: the host ends it after three games of each player")
	fs.DurationVar(&p.event.think, "think", 3*time.Second, "the average time that players of a tournament think before a move")
	fs.IntVar(&p.faults, "faults", 20, "how many faults happen, for kills, freezes and chaos; for tournament 0 means none")
	fs.DurationVar(&p.away, "away", 20*time.Second, "how long Redis and PostgreSQL are away")
	fs.Uint64Var(&p.runNumber, "seed", 0,
		"the number that the faults of chaos follow from; 0: another one each time, which is printed")
	fs.IntVar(&p.year.days, "days", 365, "simulated days, for year")
	fs.IntVar(&p.year.daily, "daily", 10_000, "guests and games of a simulated day")
	fs.DurationVar(&p.year.idle, "year-guests", 180*24*time.Hour, "how long the simulated service keeps idle guests (--idle-guest)")
	fs.DurationVar(&p.year.kept, "year-games", 0, "how long it keeps their games (--keep); 0: for ever")
	fs.DurationVar(&p.year.chat, "year-chat", 90*24*time.Hour, "how long it keeps their chat (--keep-chat)")
	fs.BoolVar(&p.chaos, "chaos", false, "the same as --work chaos")
}

// checkSizes refuses sizes with which there is nothing to measure.
func (p *plan) checkSizes() error {
	for name, n := range map[string]float64{
		"rooms": float64(p.rooms), "rounds": float64(p.rounds), "idle": float64(p.idle), "live": float64(p.live),
		"visitors": float64(p.visitors), "durable": float64(p.durable), "crowd": float64(p.crowd),
		"days": float64(p.year.days), "daily": float64(p.year.daily), "time": p.length.Seconds(),
	} {
		if !(n > 0) {
			return fmt.Errorf("%w: --%s must be more than 0", cli.ErrUsage, name)
		}
	}
	return nil
}

// check completes the plan, or returns what is wrong with the flags.
func (p *plan) check() error {
	if p.runNumber == 0 {
		p.runNumber = 1 + uint64(time.Now().UnixNano()%1e6)
	}
	if p.quick {
		p.rounds, p.length = 1, min(p.length, 2*time.Second)
	}
	for s := range strings.SplitSeq(p.watcherList, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			return fmt.Errorf("%w: --watchers %s is not a list of numbers", cli.ErrUsage, p.watcherList)
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
		p.works = serverWorkloads
	}
	if p.chaos {
		p.works = append(p.works, "chaos")
	}
	for _, kind := range p.works {
		w := workload{kind: kind}
		if kind == "tournament" {
			if err := p.checkTournament(); err != nil {
				return fmt.Errorf("%w: %w", cli.ErrUsage, err)
			}
		}
		switch {
		case !w.needsInstances() && !slices.Contains(serverWorkloads, kind):
			return fmt.Errorf("%w: --work %s is unknown; see mancala-bench --help", cli.ErrUsage, kind)
		case p.targets != nil && w.hasFaults():
			return fmt.Errorf("%w: --work %s needs instances that mancala-bench starts itself", cli.ErrUsage, kind)
		case kind == "tournament" && p.single() && p.faults == 0:
		case p.instances < 2 && w.needsInstances():
			return fmt.Errorf("%w: --instances must be 2 or more, or 1 for a tournament without faults", cli.ErrUsage)
		}
	}
	return nil
}

// single reports whether a single instance is started, which needs neither PostgreSQL nor Redis.
func (p *plan) single() bool { return p.instances == 1 && len(p.targets) == 0 }

// servers returns the names of all servers to measure.
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
				return nil, fmt.Errorf("%w: --journal %s is unknown; there are memory and sqlite", cli.ErrUsage, p.journals)
			}
			names = append(names, j)
		}
	}
	for _, kind := range p.works {
		if (workload{kind: kind}).needsInstances() {
			return append(names, spreads...), nil
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%w: nothing to measure", cli.ErrUsage)
	}
	return names, nil
}
