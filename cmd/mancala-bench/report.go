package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// result is the result of one workload on one server. Times are in nanoseconds and
// memory in bytes.
type result struct {
	Work           string
	Kind           string
	Server         string
	Rooms          int           `json:",omitempty"`
	Sockets        int           `json:",omitempty"`
	Watchers       int           `json:",omitempty"`
	Stalled        int           `json:",omitempty"` // of the watchers
	Took           time.Duration `json:",omitempty"`
	Moves          int           `json:",omitempty"`
	MovesPerSecond float64       `json:",omitempty"`
	Deliveries     int           `json:",omitempty"`
	P50, P95, P99  time.Duration `json:",omitempty"`
	CPU            time.Duration `json:",omitempty"`
	CPUPerMove     time.Duration `json:",omitempty"`
	CPUPerDelivery time.Duration `json:",omitempty"`
	RSS            int64         // of the whole server, at the end
	PerSocket      int64         `json:",omitempty"` // of RSS, with idle sockets
	PerRoom        int64         `json:",omitempty"` // of RSS, with live rooms
	LivePerRoom    int64         `json:",omitempty"` // of heap and stacks after a collection
	Changes        int           `json:",omitempty"` // of seeks, in the lobby
	PerVisitor     float64       `json:",omitempty"` // bytes per second to an idle visitor of the lobby
	Beside         int           `json:",omitempty"` // games against bots at the same time
	Awake          *int          `json:",omitempty"` // rooms that did not fall asleep after all players had left

	usage // of several instances

	// Of workloads with faults. Their latency is how long a player could not play.
	Faults       int   `json:",omitempty"`
	Acknowledged int   `json:",omitempty"` // moves
	Wrong        int   `json:",omitempty"` // moves that are lost, doubled or in another order
	Growth       int64 `json:",omitempty"` // of RSS

	// Of a tournament. Its latency is that of the moves of other games while rounds start.
	Players             int           `json:",omitempty"`
	Games               int           `json:",omitempty"` // of the largest round
	Opened, Seated      time.Duration `json:",omitempty"` // from the start of a round until its games are open, and before all their players
	Counted, CountedP99 time.Duration `json:",omitempty"` // from the end of a game until its players know that it counts

	latency []time.Duration
}

// sumUp combines the results of several rounds. Percentiles are over the moves of all
// rounds.
func sumUp(rounds []result) result {
	r := rounds[0]
	for _, s := range rounds[1:] {
		r.Took += s.Took
		r.Moves += s.Moves
		r.Deliveries += s.Deliveries
		r.CPU += s.CPU
		r.latency = append(r.latency, s.latency...)
		r.RSS = max(r.RSS, s.RSS)
		r.PerSocket = max(r.PerSocket, s.PerSocket)
		r.PerRoom = max(r.PerRoom, s.PerRoom)
		r.usage = r.plus(usage{}, s.usage)
		r.Faults += s.Faults
		r.Acknowledged += s.Acknowledged
		r.Wrong += s.Wrong
		r.Growth = max(r.Growth, s.Growth)
	}
	slices.Sort(r.latency)
	r.P50, r.P95, r.P99 = percentile(r.latency, 50), percentile(r.latency, 95), percentile(r.latency, 99)
	if r.Moves > 0 {
		r.MovesPerSecond = float64(r.Moves) / r.Took.Seconds()
		r.CPUPerMove = r.CPU / time.Duration(r.Moves)
		r.CPUPerDelivery = r.CPU / time.Duration(max(1, r.Deliveries))
	}
	return r
}

func percentile(sorted []time.Duration, p int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)*p/100, len(sorted)-1)]
}

// against returns the bare hub's result of the same workload, if it was measured.
func (r result) against(all []result) (result, bool) {
	for _, u := range all {
		if u.Work == r.Work && u.Server == "hub" && r.Server != "hub" {
			return u, true
		}
	}
	return result{}, false
}

// printTable prints the results of one server.
func printTable(out io.Writer, all []result) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "work\tserver\tmoves/s\tp50\tp95\tp99\tCPU/move\tx hub\tCPU/delivery\tx hub\tRSS MiB\tKiB/socket\tKiB/room\t")
	for _, r := range all {
		if r.Faults > 0 || r.Players > 0 {
			continue // printInstances prints it
		}
		u, ok := r.against(all)
		ratio := func(a, b time.Duration) string {
			if !ok || b == 0 {
				return "-"
			}
			return fmt.Sprintf("%.2f", float64(a)/float64(b))
		}
		us := func(d time.Duration) string {
			if d == 0 {
				return "-"
			}
			return fmt.Sprintf("%.1fµs", float64(d)/1e3)
		}
		kib := func(n int64) string {
			if n == 0 {
				return "-"
			}
			return fmt.Sprintf("%.1f", float64(n)/(1<<10))
		}
		fmt.Fprintf(w, "%s\t%s\t%.0f\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.1f\t%s\t%s\t\n", r.Work, r.Server, r.MovesPerSecond,
			us(r.P50), us(r.P95), us(r.P99), us(r.CPUPerMove), ratio(r.CPUPerMove, u.CPUPerMove),
			us(r.CPUPerDelivery), ratio(r.CPUPerDelivery, u.CPUPerDelivery), float64(r.RSS)/(1<<20), kib(r.PerSocket), kib(r.PerRoom))
	}
	return w.Flush()
}

// printInstances prints the results of several instances: what a move costs each server,
// and what faults did.
func printInstances(out io.Writer, all []result) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	for i, r := range slices.DeleteFunc(slices.Clone(all), func(r result) bool { return r.Rows == 0 }) {
		if i == 0 {
			fmt.Fprintln(w, "\nper move\tspread\tmessages\tentries/statement\tCPU of instances\tof PostgreSQL\tof Redis\t")
		}
		moves := max(1, r.Moves)
		per := func(d time.Duration) string { return fmt.Sprintf("%.1fµs", float64(d)/1e3/float64(moves)) }
		fmt.Fprintf(w, "%s\t%s\t%.2f\t%.1f\t%s\t%s\t%s\t\n", r.Work, r.Server, float64(r.Publishes)/float64(moves),
			float64(r.Rows)/float64(max(1, r.Statements)), per(r.CPU), per(r.DatabaseCPU), per(r.RelayCPU))
	}
	for i, r := range slices.DeleteFunc(slices.Clone(all), func(r result) bool { return r.Faults == 0 || r.Players > 0 }) {
		if i == 0 {
			fmt.Fprintln(w, "\nfaults\thow many\tmoves acknowledged\twrong\tcould not play: p50\tp95\tp99\tworst\tMiB more\t")
		}
		worst := percentile(r.latency, 100)
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%.2fs\t%.2fs\t%.2fs\t%.2fs\t%.1f\t\n", r.Work, r.Faults, r.Acknowledged, r.Wrong,
			r.P50.Seconds(), r.P95.Seconds(), r.P99.Seconds(), worst.Seconds(), float64(r.Growth)/(1<<20))
	}
	for i, r := range slices.DeleteFunc(slices.Clone(all), func(r result) bool { return r.Players == 0 }) {
		if i == 0 {
			fmt.Fprintln(w, "\ntournament\tfaults\tmoves acknowledged\twrong\tgames of a round\topen after\tbefore all players\tcounted after: p50\tp99\tmoves of other games: p50\tp99\t")
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%.2fs\t%.2fs\t%.1fms\t%.1fms\t%.1fms\t%.1fms\t\n", r.Work, r.Faults, r.Acknowledged, r.Wrong, r.Games,
			r.Opened.Seconds(), r.Seated.Seconds(), milliseconds(r.Counted), milliseconds(r.CountedP99), milliseconds(r.P50), milliseconds(r.P99))
	}
	return w.Flush()
}

func milliseconds(d time.Duration) float64 { return float64(d) / 1e6 }

func printJSON(out io.Writer, all []result) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(all)
}
