package tuning

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Limits of the GC headroom, in percent of the memory in use (GOGC).
const (
	leastGarbage = 10
	mostGarbage  = 100 // the default of Go

	garbageShare = .002                   // of all processors may be spent on collections that keep the headroom small
	garbageEvery = 250 * time.Millisecond // between two looks

	lately = 5 * time.Second // the rate of allocation is the mean of this time
	calm   = 8 * time.Second // of little allocation before a collection is forced
)

// LimitGarbage keeps the heap as small as a tiny share of CPU time allows, until ctx ends
// (deploy/decisions/0022). In a server where most players think, garbage grows slowly. With
// Go's default the heap would then stay at twice the memory in use for minutes, and the
// process would take 27 to 29 % more memory (deploy/decisions/0026). "mancala-bench --work
// live" shows it, beside a run with GOGC=100 in the environment, which leaves the headroom
// alone.
func LimitGarbage(ctx context.Context) {
	if os.Getenv("GOGC") != "" {
		return // the operator has set it
	}
	every := time.NewTicker(garbageEvery)
	defer every.Stop()
	defer debug.SetGCPercent(mostGarbage)
	g := garbage{budget: garbageShare * float64(runtime.GOMAXPROCS(0)), last: heapNow(), headroom: mostGarbage}
	for {
		select {
		case <-every.C:
		case <-ctx.Done():
			return
		}
		set, collect := g.look(heapNow())
		if set {
			debug.SetGCPercent(g.headroom)
		}
		if collect {
			runtime.GC()
		}
	}
}

// heapUse is a reading of the runtime's metrics.
type heapUse struct {
	spent       float64 // processor seconds of collections since the start
	collections uint64  // since the start
	allocated   uint64  // bytes, since the start
	live        uint64  // bytes that the last collection found in use, including stacks
}

func heapNow() heapUse {
	s := []metrics.Sample{
		{Name: "/cpu/classes/gc/total:cpu-seconds"}, {Name: "/gc/cycles/total:gc-cycles"},
		{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"},
	}
	metrics.Read(s)
	return heapUse{s[0].Value.Float64(), s[1].Value.Uint64(), s[2].Value.Uint64(), s[3].Value.Uint64() + s[4].Value.Uint64()}
}

// garbage chooses the GC headroom from the last seconds.
type garbage struct {
	budget    float64 // processors
	last      heapUse
	cost      float64                       // processor seconds of one collection; 0: none was seen
	allocated [lately / garbageEvery]uint64 // bytes between two looks, the latest first
	headroom  int                           // in percent
	quiet     time.Duration                 // how long the smallest headroom has been enough
	collected bool                          // a collection was forced in this quiet time
}

// look reports whether the headroom has changed and whether to collect at once. It is
// called every garbageEvery.
func (g *garbage) look(now heapUse) (set, collect bool) {
	before := g.last
	g.last = now
	copy(g.allocated[1:], g.allocated[:])
	g.allocated[0] = now.allocated - before.allocated
	if n := now.collections - before.collections; n > 0 {
		g.cost = (now.spent - before.spent) / float64(n)
	}
	if now.live == 0 || g.cost == 0 {
		return false, false
	}
	// The allocation rate divided by the headroom is the number of collections per
	// second. Each of them has the same cost.
	rate := 0.
	for _, bytes := range g.allocated {
		rate += float64(bytes) / lately.Seconds()
	}
	percent := int(100 * min(max(g.cost/g.budget*rate/float64(now.live), leastGarbage/100.), mostGarbage/100.))
	// Setting it may start a collection, so small changes are left out.
	limit := percent == leastGarbage || percent == mostGarbage
	if set = percent > g.headroom*5/4 || percent < g.headroom*3/4 || limit && percent != g.headroom; set {
		g.headroom = percent
	}
	if percent > leastGarbage {
		g.quiet, g.collected = 0, false
		return set, false
	}
	// Without allocation, memory that was released would never be collected.
	g.quiet += garbageEvery
	if collect = !g.collected && g.quiet >= calm && g.quiet.Seconds() >= g.cost/g.budget; collect {
		g.collected = true
	}
	return set, collect
}
