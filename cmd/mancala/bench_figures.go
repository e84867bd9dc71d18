package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// benchFigure is one of the figures that this server is held to.
type benchFigure struct {
	what      string
	value     func(r, other benchResult) float64 // other is what r is compared with
	kind      string                             // of work
	server    string
	against   string // server, or "itself" for the same work with all who read
	unit      string
	must, aim float64
}

// benchFigures are the targets: ratios to the bare hub in the same run, and
// memory in KiB.
var benchFigures = []benchFigure{
	{"server CPU per move, journal in memory", cpuPerMove, "full", "memory", "hub", "x hub", 1.6, 1.3},
	{"server CPU per move, journal in SQLite", cpuPerMove, "full", "sqlite", "hub", "x hub", 3, 2},
	{"median from command to both players, SQLite", median, "rate", "sqlite", "hub", "x hub", 3, 1.5},
	{"server CPU per delivery to spectators", cpuPerDelivery, "watch", "sqlite", "hub", "x hub", 1.2, 1.0},
	{"players' p99 with stalled spectators", p99, "stalled", "sqlite", "itself", "x all reading", 0, 0},
	{"memory of a stalled spectator", perStalled, "stalled", "sqlite", "itself", "KiB", 0, 0},
	{"memory of an idle socket", func(r, _ benchResult) float64 { return float64(r.PerSocket) / (1 << 10) }, "idle", "sqlite", "", "KiB", 20, 16},
	{"memory of a live room", func(r, _ benchResult) float64 { return float64(r.PerRoom) / (1 << 10) }, "live", "sqlite", "", "KiB", 8, 4},
	{"traffic of an idle visitor of the lobby", func(r, _ benchResult) float64 { return r.PerVisitor }, "lobby", "sqlite", "", "B/s", 1000, 1000},
	{"server CPU of that lobby", func(r, _ benchResult) float64 { return 100 * divided(r.CPU, r.Took) }, "lobby", "sqlite", "", "% of a core", 0, 0},
	{"memory of a visitor of the lobby", func(r, _ benchResult) float64 { return float64(r.PerSocket) / (1 << 10) }, "lobby", "sqlite", "", "KiB", 0, 0},
	{"the same without garbage", func(r, _ benchResult) float64 { return float64(r.LivePerRoom) / (1 << 10) }, "live", "sqlite", "", "KiB", 0, 0},
}

func divided[T int64 | time.Duration](a, b T) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

func cpuPerMove(r, hub benchResult) float64     { return divided(r.CPUPerMove, hub.CPUPerMove) }
func cpuPerDelivery(r, hub benchResult) float64 { return divided(r.CPUPerDelivery, hub.CPUPerDelivery) }
func median(r, hub benchResult) float64         { return divided(r.P50, hub.P50) }
func p99(r, reading benchResult) float64        { return divided(r.P99, reading.P99) }

// perStalled is how much more the server holds for each spectator who does not
// read, in KiB.
func perStalled(r, reading benchResult) float64 {
	return divided((r.RSS-reading.RSS)/(1<<10), int64(r.Stalled))
}

// printBenchFigures prints the figures that were measured beside what they have
// to be.
func printBenchFigures(out io.Writer, all []benchResult) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nfigure\twork\tmeasured\tmust\taim\t")
	for _, f := range benchFigures {
		for _, r := range all {
			if r.Kind != f.kind || r.Server != f.server && r.Server != "target" {
				continue
			}
			other, ok := f.other(r, all)
			if !ok {
				continue
			}
			v := f.value(r, other)
			goals := "-\t-"
			if f.must > 0 {
				goals = fmt.Sprintf("≤ %g\t≤ %g", f.must, f.aim)
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", f.what, r.Work, strings.TrimSpace(fmt.Sprintf("%.2f %s", v, f.unit)), goals, f.verdict(v))
			if r.Awake != nil && f.must > 0 {
				fmt.Fprintf(w, "rooms still awake when all had left\t%s\t%d\t0\t0\t\n", r.Work, *r.Awake)
			}
		}
	}
	return w.Flush()
}

// other finds what a result is compared with.
func (f benchFigure) other(r benchResult, all []benchResult) (benchResult, bool) {
	for _, o := range all {
		switch {
		case f.against == "":
			return o, true
		case f.against == "itself" && o.Kind == "watch" && o.Server == r.Server && o.Watchers == r.Watchers,
			f.against == o.Server && o.Work == r.Work:
			return o, true
		}
	}
	return benchResult{}, false
}

func (f benchFigure) verdict(v float64) string {
	switch {
	case f.must == 0 || v <= f.aim:
		return ""
	case v <= f.must:
		return "(the aim is missed)"
	}
	return "(TOO MUCH)"
}
