package tuning

import (
	"testing"
	"time"
)

// A busy server has the GC headroom of Go's default. A quiet server has little, and
// collects once the garbage of its busy time.
func TestGarbageHeadroomFollowsTheLoad(t *testing.T) {
	const mb = 1 << 20
	now := heapUse{live: 50 * mb}
	g := garbage{budget: .004, last: now, headroom: mostGarbage} // of two processors
	sets, collects := 0, 0
	run := func(d time.Duration, perSecond uint64, collections uint64) {
		sets, collects = 0, 0
		for range d / garbageEvery {
			now.allocated += perSecond * uint64(garbageEvery) / uint64(time.Second)
			now.collections += collections
			now.spent += .04 * float64(collections)
			set, collect := g.look(now)
			if set {
				sets++
			}
			if collect {
				collects++
			}
		}
	}
	run(time.Minute, 0, 0)
	if g.headroom != mostGarbage || collects > 0 {
		t.Errorf("before the first collection the headroom is %d %%, collected %d times", g.headroom, collects)
	}
	for _, perSecond := range []uint64{mb, 760e3, 650e3, 600e3, 500e3, 1000} {
		run(20*time.Second, 20*mb, 1)
		if g.headroom != mostGarbage || sets > 6 || collects > 0 {
			t.Errorf("busy: the headroom is %d %%, set %d times, collected %d times", g.headroom, sets, collects)
		}
		run(time.Minute, perSecond, 0)
		want := max(int(perSecond*10*100/(50*mb)), leastGarbage) // 10 s between collections: each takes 0.04 of 0.004
		if g.headroom < want*3/4 || g.headroom > want*5/4 || sets > 6 {
			t.Errorf("at %d bytes a second the headroom is %d %%, set %d times, want %d", perSecond, g.headroom, sets, want)
		}
		run(time.Hour, 60e3, 0)
		if once := want == leastGarbage; g.headroom != leastGarbage || collects > 1 || collects == 0 && !once {
			t.Errorf("quiet after %d bytes a second: the headroom is %d %%, collected %d times", perSecond, g.headroom, collects)
		}
	}
}

func TestRuntimeHasTheMetricsOfTheHeap(t *testing.T) {
	if h := heapNow(); h.allocated == 0 {
		t.Errorf("%+v", h)
	}
}
