package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// traceEvent is an event of Chromium's trace. Times are in µs.
type traceEvent struct {
	Name  string  `json:"name"`
	Phase string  `json:"ph"`
	Pid   int     `json:"pid"`
	Tid   int     `json:"tid"`
	At    float64 `json:"ts"`
	CPU   float64 `json:"tdur"` // of the thread: other processes do not count
	Took  float64 `json:"dur"`
}

// frameWork are the events of script, style and layout. They may contain each other.
var frameWork = map[string]bool{
	"FunctionCall": true, "EvaluateScript": true, "TimerFire": true, "FireAnimationFrame": true, "EventDispatch": true,
	"RunMicrotasks": true, "UpdateLayoutTree": true, "Layout": true, "MinorGC": true, "MajorGC": true,
}

// measureFrames measures script, style and layout of each frame on a phone with a processor
// that is four times slower, over a whole game of each shape of board, with motion at normal
// speed, and the load of the machine beside it. Of a match of rounds it measures one.
// MANCALA_FRAMES is the number of plies after which a game stops, and MANCALA_RULES lists the rule
// sets, separated by commas.
func measureFrames(t *testing.T) {
	most, _ := strconv.Atoi(os.Getenv("MANCALA_FRAMES"))
	all := []string{"kalah", "oware", "giuthi", "maruba", "ignorant", "wise", "toguz-kumalak", "bao", "basic-teams", "basic-four"}
	if only := os.Getenv("MANCALA_RULES"); only != "" {
		all = strings.Split(only, ",")
	}
	for _, rules := range all {
		t.Run(rules, func(t *testing.T) { measureFramesOf(t, rules, most) }) // its server and its pages end with it
	}
}

// measureFramesOf is measureFrames for one game. most is the number of plies after which it stops; 0: the whole game.
func measureFramesOf(t *testing.T, rules string, most int) {
	players := 2
	if rules == "basic-teams" || rules == "basic-four" {
		players = 4
	}
	s := serve(t).inWholeBrowser()
	options := ""
	if rules == "ignorant" || rules == "wise" {
		options = "max_rounds=1"
	}
	g := deal(t, s, settings{rules: rules, options: options}, players)
	wanda := g.watchers[0]
	wanda.resize(phone)
	wanda.moves(true)
	// Her page is laid out again in the new size before anything is measured.
	ask[bool](wanda, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
	for _, p := range g.players {
		p.pref("speed", "instant")
	}
	tr := traceOf(wanda)
	v := g.shows()
	g.watchers = nil // a condition that a test observes on her page would count as work of her frames
	for plies := 0; v.Snap.State != "over" && plies < 1000 && (most == 0 || plies < most); plies++ {
		v = g.ply(v)
		wanda.hasSeen(v)
	}
	work := tr.end()
	slices.SortFunc(work, func(a, b float64) int { return int((a - b) * 1000) })
	if n := len(work); n > 0 {
		long := 0
		for _, ms := range work {
			if ms > 50 {
				long++
			}
		}
		load, _ := os.ReadFile("/proc/loadavg") // empty where there is none
		busy, _, _ := strings.Cut(string(load), " ")
		fmt.Printf("frames of a game of %s, %d plies, processor 4 times slower: p95 %.1f ms (aim 8), longest %.1f ms, %d of %d longer than 50 ms (aim 0), load %s\n",
			rules, len(v.Snap.Moves), work[n*95/100], work[n-1], long, n, busy)
	}
}

// hasSeen waits until a page has shown the last move, and asks it seldom.
func (p *person) hasSeen(v view) {
	p.t.Helper()
	want := fmt.Sprintf("%d idle", v.Snap.Ply)
	if v.Snap.State == "over" {
		want = fmt.Sprintf("%d idle over", v.Snap.Ply)
	}
	for deadline := time.After(patience); ; {
		seen := ask[string](p, `(({ ply, anim, state }) => [ply, anim, state].join(" "))(document.querySelector("[data-board]").dataset)`)
		if strings.HasPrefix(seen, want) {
			return
		}
		select {
		case <-deadline:
			p.t.Fatalf("%s sees %q, not %q", p.name, seen, want)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

type trace struct {
	p      *person
	mu     sync.Mutex
	events []traceEvent
	done   chan struct{}
}

// traceOf begins to trace a page, which is slowed down from now on.
func traceOf(p *person) *trace {
	p.t.Helper()
	tr := &trace{p: p, done: make(chan struct{})}
	if err := chromedp.Listen(p.ctx, func(event any) {
		switch e := event.(type) {
		case *tracing.EventDataCollected:
			tr.mu.Lock()
			defer tr.mu.Unlock()
			for _, raw := range e.Value {
				var one traceEvent
				if json.Unmarshal(raw, &one) == nil && (frameWork[one.Name] || one.Name == "TimeStamp" || one.Name == "Commit") {
					tr.events = append(tr.events, one)
				}
			}
		case *tracing.EventTracingComplete:
			close(tr.done)
		}
	}); err != nil {
		p.t.Fatal(err)
	}
	p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		if _, err := cdp.Call(ctx, t, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 4}); err != nil {
			return chromedp.Void{}, err
		}
		_, err := cdp.Call(ctx, t, tracing.Start, tracing.StartParams{TraceConfig: &tracing.TraceConfig{
			IncludedCategories: []string{"devtools.timeline", "disabled-by-default-devtools.timeline"}, ExcludedCategories: []string{"*"},
		}})
		return chromedp.Void{}, err
	})
	ask[bool](p, `(console.timeStamp("frames"), true)`)
	return tr
}

// end ends the trace and returns the work of each frame in ms.
func (tr *trace) end() []float64 {
	tr.p.t.Helper()
	tr.p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, tracing.End, cdp.Empty{})
		return chromedp.Void{}, err
	})
	<-tr.done
	tr.mu.Lock()
	defer tr.mu.Unlock()
	mark := slices.IndexFunc(tr.events, func(e traceEvent) bool { return e.Name == "TimeStamp" })
	if mark < 0 {
		return nil
	}
	main := tr.events[mark]
	events := slices.DeleteFunc(tr.events, func(e traceEvent) bool { return e.Pid != main.Pid || e.Tid != main.Tid })
	slices.SortStableFunc(events, func(a, b traceEvent) int { return int(a.At - b.At) })
	// A frame ends when the page commits it to the compositor. It begins with the first work after the frame before,
	// and lasts 16 ms at most: work in a pause between two moves is not one frame.
	const longest = 16_667
	var frames []float64
	frame, begun, covered := 0.0, 0.0, 0.0
	ends := func() {
		if frame > 0 {
			frames = append(frames, frame)
		}
		frame = 0
	}
	for _, e := range events {
		if e.Name == "Commit" {
			ends()
		}
		if !frameWork[e.Name] || e.At < covered { // a part of the event before
			continue
		}
		if frame == 0 || e.At > begun+longest {
			ends()
			begun = e.At
		}
		covered = e.At + e.Took
		took := e.CPU
		if took == 0 {
			took = e.Took
		}
		frame += took / 1000
	}
	ends()
	return frames
}
