package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"mancala/cmd/internal/cli"
)

// metric returns one of the server's own metrics, or the sum of all instances.
func (t target) metric(ctx context.Context, name string) (int, error) {
	sum := 0.0
	for _, admin := range t.admins {
		text, err := ask(ctx, admin, "/metrics")
		if err != nil {
			return 0, err
		}
		n, err := parseMetric(string(text), name)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return int(sum), nil
}

// parseMetric returns the value of a metric without labels in Prometheus' text format.
func parseMetric(text, name string) (float64, error) {
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), name+" "); ok {
			return strconv.ParseFloat(value, 64)
		}
	}
	return 0, fmt.Errorf("the server has no metric %s", name)
}

// atLeast returns an error if a gauge is below want: then rooms have gone to sleep, or
// sockets were closed, before they were measured. It returns nil if the admin address is
// unknown.
func (t target) atLeast(ctx context.Context, gauge string, want int) error {
	if len(t.admins) == 0 {
		return nil
	}
	got, err := t.metric(ctx, gauge)
	if err == nil && got < want {
		err = fmt.Errorf("%s is %d, not %d", gauge, got, want)
	}
	return err
}

// liveBytes returns the bytes of the server's heap and stacks after a collection, that is
// without garbage and GC headroom. It returns 0 if the admin address is unknown.
func (t target) liveBytes(ctx context.Context) int64 {
	if len(t.admins) == 0 {
		return 0
	}
	for _, admin := range t.admins {
		if _, err := ask(ctx, admin, "/debug/pprof/heap?gc=1"); err != nil {
			return 0
		}
	}
	heap, err := t.metric(ctx, "go_memstats_heap_alloc_bytes")
	stacks, err2 := t.metric(ctx, "go_memstats_stack_inuse_bytes")
	if err != nil || err2 != nil {
		return 0
	}
	return int64(heap + stacks)
}

// roomsAwake waits up to 45 s until all rooms without visitors sleep. It returns how many
// are still awake, or nil if the admin address is unknown.
func (t target) roomsAwake(ctx context.Context) *int {
	if len(t.admins) == 0 {
		return nil
	}
	var live int
	for range 45 {
		var err error
		if live, err = t.metric(ctx, "mancala_rooms_live"); err != nil || live == 0 {
			break
		}
		if cli.Pause(ctx, time.Second) != nil {
			break
		}
	}
	return &live
}

// usage is what several instances have used so far, without their own CPU.
type usage struct {
	Publishes, Rows, Statements int           // messages through Redis; entries; statements that wrote them
	DatabaseCPU, RelayCPU       time.Duration // of PostgreSQL and Redis, if they were started here
}

func (t target) usage(ctx context.Context) (r usage) {
	if !t.many {
		return r
	}
	database, relay := t.with.processes()
	r.DatabaseCPU, r.RelayCPU = database.cpu(), relay.cpu()
	if len(t.admins) > 0 {
		r.Publishes, _ = t.metric(ctx, "mancala_messages_sent_total") // there are none without --redis
		r.Rows, _ = t.metric(ctx, "mancala_append_rows_sum")
		r.Statements, _ = t.metric(ctx, "mancala_append_rows_count")
	}
	return r
}

// plus adds the difference between two readings.
func (r usage) plus(from, to usage) usage {
	return usage{
		r.Publishes + to.Publishes - from.Publishes, r.Rows + to.Rows - from.Rows, r.Statements + to.Statements - from.Statements,
		r.DatabaseCPU + to.DatabaseCPU - from.DatabaseCPU, r.RelayCPU + to.RelayCPU - from.RelayCPU,
	}
}

// ask gets a page from an admin address.
func ask(ctx context.Context, admin, path string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+admin+path, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}
