package room

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal/memjournal"
)

// freeze makes the registry believe that its process was stopped for a while, and that its
// first sign of life comes now.
func (w *world) freeze(d time.Duration) {
	w.Helper()
	past := w.lastRun.Load().Add(-d)
	w.lastRun.Store(&past)
	w.lastWall.Add(-d.Milliseconds())
	w.lastSeen.Add(-d.Milliseconds())
	if err := w.beat(); err != nil {
		w.Fatal(err)
	}
}

// Each freeze is credited once, at once, and the time between two freezes is not. That
// holds for a server without other instances, too, and for a room in which nothing happens.
func TestEachFreezeIsCreditedAndNothingBetween(t *testing.T) {
	for _, frozen := range []time.Duration{stoppedAfter, 12 * time.Second} {
		inWorld(t, func(t *testing.T, w *world) {
			id := w.book("r1")
			h := w.follow(id)
			h.Join("ann")
			h.Join("bob")
			pass(40 * time.Second)
			for n := range 2 {
				pass(beatEvery / 2)
				w.freeze(frozen)
				pass(20 * time.Second)
				credit := time.Duration(w.ledger(id, "ann").Credit) * time.Millisecond
				want := time.Duration(n+1) * frozen
				if most := want + time.Duration(n+1)*(beatEvery+probeFirst); credit < want || credit > most {
					t.Errorf("after %d freezes of %v the credit is %v, want %v to %v", n+1, frozen, credit, want, most)
				}
			}
			if got := h.kinds(); got != "outage outage" {
				t.Errorf("entries %q", got)
			}
		})
	}
}

// A test whose process gets no processor for seconds goes on where it was.
func TestGraceHidesFreezesFromRooms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorldOn(t, nil, "one", memjournal.New(), nil, func(c *Config) { c.Grace = time.Minute })
		id := w.book("r1")
		h := w.follow(id)
		h.Join("ann")
		h.Join("bob")
		w.freeze(30 * time.Second)
		pass(20 * time.Second)
		if got := h.kinds(); got != "" {
			t.Errorf("entries %q after a freeze within the grace", got)
		}
		w.freeze(lease + time.Minute)
		pass(20 * time.Second)
		if got := h.kinds(); got != "outage" {
			t.Errorf("entries %q after a freeze beyond the grace", got)
		}
	})
}

// A room that learns of two freezes at once credits both, and nothing between them.
func TestFreezesThatARoomLearnsOfTogetherAreCreditedTogether(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		h := w.follow(id)
		h.Join("ann")
		h.Join("bob")
		pass(60 * time.Second)
		now := w.lastSeen.Load()
		w.noteFreeze(now-40_000, now-30_000, true)
		w.noteFreeze(now-10_000, now-5_000, true)
		w.nudgeAll()
		pass(2 * time.Second)
		if credit := w.ledger(id, "ann").Credit; credit < 15_000 || credit > 15_000+(beatEvery+probeFirst).Milliseconds() {
			t.Errorf("credit %d ms, want both freezes", credit)
		}
	})
}

// Freezes are forgotten after a while, however soon the next one follows.
func TestOldFreezesAreForgotten(t *testing.T) {
	var reg Registry
	gap := chainFor.Milliseconds() / 2
	for n := range int64(100) {
		reg.noteFreeze(n*gap, n*gap+1000, true)
	}
	kept := 0
	for f := reg.frozen.Load(); f != nil; f = f.before.Load() {
		kept++
	}
	if kept > 4 {
		t.Errorf("%d freezes are kept", kept)
	}
}

// A room may run before the first sign of life after a freeze. It decides nothing then, so
// no bell rings that rang only because of the freeze.
func TestRoomThatRunsBeforeTheSignOfLifeDecidesNothing(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		h := w.follow(id)
		h.Join("ann")
		h.Join("bob")
		pass(20 * time.Second)
		past := time.Now().Add(-stoppedAfter)
		w.lastRun.Store(&past)
		if _, err := w.Do(t.Context(), id, cmd("ann", "add", 1)); err != ErrUnavailable {
			t.Errorf("got %v, want ErrUnavailable", err)
		}
		pass(5 * time.Second)
		w.must(id, cmd("ann", "add", 1))
		if got := h.kinds(); got != "outage add" {
			t.Errorf("entries %q", got)
		}
	})
}

// The time after which an instance may judge others again is counted by the monotonic
// clock: the wall clock may be set meanwhile.
func TestTrustIsCountedByTheMonotonicClock(t *testing.T) {
	var reg Registry
	reg.distrust()
	if from := reg.trustFrom.Load(); !strings.Contains(from.String(), " m=") {
		t.Errorf("%v has no monotonic reading", from)
	}
}
