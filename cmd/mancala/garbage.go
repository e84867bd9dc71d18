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
	garbageEvery = time.Second

	calm = 5 // seconds of quiet before anything is done about it
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

// garbage decides, by what the last second was like.
type garbage struct {
	budget  float64 // processors
	last    heapUse
	cost    float64 // of a collection, seconds of a processor
	room    int     // percent
	settled heapUse // at the last collection
	waited  int     // seconds since
	quiet   int     // seconds in which the room was the least
}

// look says whether the room for garbage is another one now, and whether to collect
// at once.
func (g *garbage) look(now heapUse) (set, collect bool) {
	before := g.last
	g.last = now
	if n := now.collections - before.collections; n > 0 {
		g.cost = (now.spent - before.spent) / float64(n)
		g.settled, g.waited = now, 0
	}
	g.waited++
	if now.live == 0 {
		return false, false
	}
	// What is allocated in a second, divided by the room, are the collections in
	// a second, and each has its cost.
	room := g.cost / g.budget * float64(now.allocated-before.allocated) / float64(now.live)
	percent := int(100 * min(max(room, leastGarbage/100.), mostGarbage/100.))
	// To set it stops the world for a moment: not for trifles.
	if set = percent > g.room*5/4 || percent < g.room*3/4 || percent == mostGarbage && g.room < mostGarbage; set {
		g.room = percent
	}
	if g.quiet++; g.room > leastGarbage {
		g.quiet = 0
	}
	// Where nothing is allocated nothing would ever be collected that was let go.
	worth := now.allocated-g.settled.allocated > now.live/100
	return set, worth && g.quiet >= calm && float64(g.waited) > max(calm, g.cost/g.budget)
}
