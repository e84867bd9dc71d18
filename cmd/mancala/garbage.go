package main

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Limits of the room for garbage, in percent of what is in use (GOGC).
const (
	leastGarbage = 10
	mostGarbage  = 100 // Go's own choice

	garbageShare = .002 // of the processors may be spent to keep that room small
	garbageEvery = 250 * time.Millisecond

	lately = 5 * time.Second // what is reckoned with is as much as was allocated in this time
	calm   = 8 * time.Second // of quiet, before a collection is asked for
)

// limitGarbage keeps the heap as small as can be had for next to nothing, until
// ctx ends (deploy/decisions/0022). A server where many think and few move makes
// garbage slowly: there, twice what is in use would stay taken for minutes.
func limitGarbage(ctx context.Context) {
	if os.Getenv("GOGC") != "" {
		return // the operator has chosen
	}
	every := time.NewTicker(garbageEvery)
	defer every.Stop()
	defer debug.SetGCPercent(mostGarbage)
	g := garbage{budget: garbageShare * float64(runtime.GOMAXPROCS(0)), last: heapNow(), room: mostGarbage}
	for {
		select {
		case <-every.C:
		case <-ctx.Done():
			return
		}
		set, collect := g.look(heapNow())
		if set {
			debug.SetGCPercent(g.room)
		}
		if collect {
			runtime.GC()
		}
	}
}

// heapUse is what the runtime says of its heap.
type heapUse struct {
	spent       float64 // seconds of processors on collecting, since the start
	collections uint64  // since the start
	allocated   uint64  // bytes, since the start
	live        uint64  // bytes that the last collection found in use, with stacks
}

func heapNow() heapUse {
	s := []metrics.Sample{
		{Name: "/cpu/classes/gc/total:cpu-seconds"}, {Name: "/gc/cycles/total:gc-cycles"},
		{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"},
	}
	metrics.Read(s)
	return heapUse{s[0].Value.Float64(), s[1].Value.Uint64(), s[2].Value.Uint64(), s[3].Value.Uint64() + s[4].Value.Uint64()}
}

// garbage decides, by what the last seconds were like.
type garbage struct {
	budget    float64 // processors
	last      heapUse
	cost      float64                       // of a collection, seconds of a processor; 0: none was seen
	allocated [lately / garbageEvery]uint64 // bytes from look to look, the last first
	room      int                           // percent
	quiet     time.Duration                 // for how long the least room has been enough
	collected bool                          // since it has been
}

// look says whether the room for garbage is another one now, and whether to collect
// at once. It is called every garbageEvery.
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
	// What is allocated in a second, divided by the room, are the collections in
	// a second, and each has its cost.
	rate := 0.
	for _, bytes := range g.allocated {
		rate += float64(bytes) / lately.Seconds()
	}
	percent := int(100 * min(max(g.cost/g.budget*rate/float64(now.live), leastGarbage/100.), mostGarbage/100.))
	// To set it may begin a collection: not for trifles.
	limit := percent == leastGarbage || percent == mostGarbage
	if set = percent > g.room*5/4 || percent < g.room*3/4 || limit && percent != g.room; set {
		g.room = percent
	}
	if percent > leastGarbage {
		g.quiet, g.collected = 0, false
		return set, false
	}
	// Where nothing is allocated nothing would ever be collected that was let go.
	g.quiet += garbageEvery
	if collect = !g.collected && g.quiet >= calm && g.quiet.Seconds() >= g.cost/g.budget; collect {
		g.collected = true
	}
	return set, collect
}
