package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// figure is one of the results that have a goal or are compared.
type figure struct {
	what      string
	value     func(r, other result) float64 // other is the result that r is compared with
	kind      string                        // of the workload
	server    string
	against   string // the server to compare with; "itself": the same workload in which all watchers read; "alone": the same without bots
	unit      string
	must, aim float64 // both 0: there is no goal
	goal      goal
}

// goal is the direction in which a figure is good.
type goal int

const (
	atMost goal = iota
	atLeast
	zero // it must be 0
)

// figures are the goals: first those of one server, then those of several instances.
var figures = []figure{
	{"server CPU per move, journal in memory", cpuPerMove, "full", "memory", "hub", "x hub", 1.6, 1.3, atMost},
	{"server CPU per move, journal in SQLite", cpuPerMove, "full", "sqlite", "hub", "x hub", 3, 2, atMost},
	{"median from command to both players, SQLite", median, "rate", "sqlite", "hub", "x hub", 3, 1.5, atMost},
	{"server CPU per move of whole games, journal in memory", cpuPerMove, "whole", "memory", "hub", "x hub", 1.7, 1.3, atMost},
	{"server CPU per move of whole games, journal in SQLite", cpuPerMove, "whole", "sqlite", "hub", "x hub", 2.3, 1.7, atMost},
	{"p99 from command to both players, whole games, memory", p99, "whole-rate", "memory", "hub", "x hub", 4, 2, atMost},
	{"p99 from command to both players, whole games, SQLite", p99, "whole-rate", "sqlite", "hub", "x hub", 4, 2, atMost},
	{"server CPU per delivery to watchers", cpuPerDelivery, "watch", "sqlite", "hub", "x hub", 1.2, 1.0, atMost},
	{"players' p99 with stalled watchers", p99, "stalled", "sqlite", "itself", "x all reading", 0, 0, atMost},
	{"memory of a stalled watcher", perStalled, "stalled", "sqlite", "itself", "KiB", 0, 0, atMost},
	{"memory of an idle socket", func(r, _ result) float64 { return float64(r.PerSocket) / (1 << 10) }, "idle", "sqlite", "", "KiB", 20, 16, atMost},
	{"memory of a live room", func(r, _ result) float64 { return float64(r.PerRoom) / (1 << 10) }, "live", "sqlite", "", "KiB", 8, 4, atMost},
	{"traffic of an idle visitor of the lobby", func(r, _ result) float64 { return r.PerVisitor }, "lobby", "sqlite", "", "B/s", 1000, 1000, atMost},
	{"server CPU of the lobby", func(r, _ result) float64 { return 100 * divided(r.CPU, r.Took) }, "lobby", "sqlite", "", "% of a core", 0, 0, atMost},
	{"memory of a visitor of the lobby", func(r, _ result) float64 { return float64(r.PerSocket) / (1 << 10) }, "lobby", "sqlite", "", "KiB", 0, 0, atMost},
	{"players' median beside games against bots", median, "bots", "sqlite", "alone", "x alone", 0, 0, atMost},
	{"players' p99 beside games against bots", p99, "bots", "sqlite", "alone", "x alone", 0, 0, atMost},
	{"memory of a live room, without garbage", func(r, _ result) float64 { return float64(r.LivePerRoom) / (1 << 10) }, "live", "sqlite", "", "KiB", 0, 0, atMost},

	{"median from command to both players on different instances", median, "span", "apart", "one", "x one", 2.5, 1.5, atMost},
	{"messages through Redis per move, players on two instances", perMove, "span", "apart", "", "", 2, 2, atMost},
	{"messages through Redis per move, both players on the owner", perMove, "span", "one", "", "", 0.05, 0.05, atMost},
	{"durable moves through PostgreSQL, both players on one instance", perSecond, "durable", "together", "", "moves/s", 4000, 6000, atLeast},
	{"durable moves through PostgreSQL, players on different instances", perSecond, "durable", "apart", "", "moves/s", 4000, 6000, atLeast},
	{"durable moves through PostgreSQL, one instance", perSecond, "durable", "one", "", "moves/s", 0, 0, atLeast},
	{"CPU per delivery to watchers, with Redis", relayedPerDelivery, "crowd", "apart", "one", "x one", 1.2, 1.0, atMost},
	{"owner killed: room playable again, p99", p99Seconds, "kills", "apart", "", "s", 5, 2, atMost},
	{"owner frozen: room playable again, p99", p99Seconds, "freezes", "apart", "", "s", 8, 7, atMost},
	{"rolling restart: longest wait of a player, p99", p99Seconds, "rolling", "apart", "", "s", 2, 0.5, atMost},
	{"memory growth with Redis or PostgreSQL away", func(r, _ result) float64 { return float64(r.Growth) / (1 << 20) }, "outage", "apart", "", "MiB", 0, 0, atMost},
	{"acknowledged moves lost, doubled or out of order", wrong, "kills", "apart", "", "", 0, 0, zero},
	{"acknowledged moves lost, doubled or out of order", wrong, "freezes", "apart", "", "", 0, 0, zero},
	{"acknowledged moves lost, doubled or out of order", wrong, "rolling", "apart", "", "", 0, 0, zero},
	{"acknowledged moves lost, doubled or out of order", wrong, "outage", "apart", "", "", 0, 0, zero},
	{"acknowledged moves lost, doubled or out of order", wrong, "chaos", "apart", "", "", 0, 0, zero},
	{"a round starts until all its games are open", func(r, _ result) float64 { return r.Opened.Seconds() }, "tournament", "apart", "", "s", 5, 5, atMost},
	{"moves of other games while a round starts, p99", func(r, _ result) float64 { return milliseconds(r.P99) }, "tournament", "apart", "", "ms", 50, 50, atMost},
	{"a game ends until its players know that it counts, p99", func(r, _ result) float64 { return milliseconds(r.CountedP99) }, "tournament", "apart", "", "ms", 0, 0, atMost},
	{"results that are missing, doubled or different", wrong, "tournament", "apart", "", "", 0, 0, zero},
}

func divided[T int64 | time.Duration](a, b T) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

func cpuPerMove(r, hub result) float64     { return divided(r.CPUPerMove, hub.CPUPerMove) }
func cpuPerDelivery(r, hub result) float64 { return divided(r.CPUPerDelivery, hub.CPUPerDelivery) }
func median(r, hub result) float64         { return divided(r.P50, hub.P50) }
func p99(r, reading result) float64        { return divided(r.P99, reading.P99) }

func perMove(r, _ result) float64    { return divided(int64(r.Publishes), int64(r.Moves)) }
func perSecond(r, _ result) float64  { return r.MovesPerSecond }
func p99Seconds(r, _ result) float64 { return r.P99.Seconds() }
func wrong(r, _ result) float64      { return float64(r.Wrong) }

func relayedPerDelivery(r, one result) float64 {
	per := func(r result) float64 { return divided(int64(r.CPU+r.RelayCPU), int64(r.Deliveries)) }
	return per(r) / max(per(one), 1)
}

// perStalled returns the memory that each stalled watcher adds, in KiB.
func perStalled(r, reading result) float64 {
	return divided((r.RSS-reading.RSS)/(1<<10), int64(r.Stalled))
}

// printFigures prints the measured figures beside their goals.
func printFigures(out io.Writer, all []result) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nfigure\twork\tmeasured\tmust\taim\t")
	for _, f := range figures {
		for _, r := range all {
			if r.Kind != f.kind || r.Server != f.server && r.Server != "target" {
				continue
			}
			other, ok := f.other(r, all)
			if !ok || f.against == "alone" && r.Beside == 0 {
				continue
			}
			v := f.value(r, other)
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", f.what, r.Work, strings.TrimSpace(fmt.Sprintf("%.2f %s", v, f.unit)), f.goals(), f.verdict(v))
			if r.Awake != nil && f.must > 0 {
				fmt.Fprintf(w, "rooms still awake after all players have left\t%s\t%d\t0\t0\t\n", r.Work, *r.Awake)
			}
		}
	}
	return w.Flush()
}

// other returns the result that r is compared with. It is false if that was not
// measured.
func (f figure) other(r result, all []result) (result, bool) {
	for _, o := range all {
		switch {
		case f.against == "":
			return o, true
		case f.against == "alone" && o.Kind == "bots" && o.Server == r.Server && o.Beside == 0,
			f.against == "itself" && o.Kind == "watch" && o.Server == r.Server && o.Watchers == r.Watchers,
			f.against == o.Server && o.Work == r.Work:
			return o, true
		}
	}
	return result{}, false
}

// goals returns the columns of what must be reached and of the aim.
func (f figure) goals() string {
	switch {
	case f.goal == zero:
		return "0\t0"
	case f.must == 0:
		return "-\t-"
	case f.goal == atLeast:
		return fmt.Sprintf("≥ %g\t≥ %g", f.must, f.aim)
	}
	return fmt.Sprintf("≤ %g\t≤ %g", f.must, f.aim)
}

// verdict returns a note on a missed goal, or "".
func (f figure) verdict(v float64) string {
	must, aim := v <= f.must, v <= f.aim
	if f.goal == atLeast {
		must, aim = v >= f.must, v >= f.aim
	}
	switch {
	case f.must == 0 && f.goal != zero || aim:
		return ""
	case must:
		return "(the aim is missed)"
	case f.goal == atLeast:
		return "(TOO LITTLE)"
	}
	return "(TOO MUCH)"
}
