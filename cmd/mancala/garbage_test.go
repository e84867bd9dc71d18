package main

import "testing"

// A server that is busy has as much room for garbage as Go gives; one that is quiet has
// little, and what was let go of in the end is collected, once.
func TestGarbage(t *testing.T) {
	const mb = 1 << 20
	now := heapUse{live: 50 * mb}
	g := garbage{budget: .004, last: now, room: mostGarbage} // of two processors
	second := func(allocated uint64, collections int) (set, collect bool) {
		now.allocated += allocated
		now.collections += uint64(collections)
		now.spent += .04 * float64(collections)
		return g.look(now)
	}
	for range 20 {
		if set, collect := second(20*mb, 1); set || collect {
			t.Fatalf("busy: set %v, collect %v", set, collect)
		}
	}
	second(mb, 0)
	if want := 20; g.room != want { // 10 s between collections, as they take 0.04 of 0.004
		t.Errorf("with 1 of 50 MB a second the room is %d %%, want %d", g.room, want)
	}
	sets, collects := 0, 0
	for range 60 {
		set, collect := second(0, 0)
		if set {
			sets++
		}
		if collect {
			collects++
			second(0, 1)
		}
	}
	if g.room != leastGarbage || sets != 1 || collects != 1 {
		t.Errorf("quiet: the room is %d %%, set %d times, collected %d times", g.room, sets, collects)
	}
	if set, collect := second(20*mb, 3); !set || collect || g.room != mostGarbage {
		t.Errorf("busy again: the room is %d %%, collect %v", g.room, collect)
	}
}

// What is asked of the runtime is there.
func TestHeapNow(t *testing.T) {
	if h := heapNow(); h.allocated == 0 {
		t.Errorf("%+v", h)
	}
}
