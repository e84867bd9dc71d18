package room

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/memjournal"
)

// Without a database the clocks stand: nothing is decided and the followers are told.
// When it is back the machine credits the time before any bell rings.
func TestClocksStandWithoutADatabase(t *testing.T) {
	inBrokenWorld(t, func(t *testing.T, w *world, b *broken) {
		id := w.book("r1")
		h := w.follow(id)
		h.Join("ann")
		h.Join("bob")
		c := cmd("ann", "bell", 0)
		c.Body = json.RawMessage(`{"in":20000}`)
		w.must(id, c)
		pass(1500 * time.Millisecond)
		h.said()
		b.set(nil, true)
		if _, err := w.Do(w.Context(), id, cmd("ann", "add", 1)); !errors.Is(err, ErrUnavailable) {
			t.Errorf("got %v, want ErrUnavailable", err)
		}
		pass(time.Second)
		if got := h.said(); !slices.Equal(got, []string{"unavailable"}) {
			t.Errorf("notes %q", got)
		}
		if s := w.Stats(); s.Away != 1 {
			t.Errorf("stats %+v", s)
		}
		pass(time.Minute) // the bell's time passes
		if _, err := w.Do(w.Context(), id, cmd("ann", "add", 1)); !errors.Is(err, ErrUnavailable) {
			t.Errorf("got %v, want ErrUnavailable", err)
		}
		b.set(nil, false)
		pass(2 * probeMost)
		if got := h.kinds(); got != "bell outage wake" {
			t.Errorf("entries %q", got)
		}
		credit := time.Duration(w.ledger(id, "ann").Credit) * time.Millisecond
		if credit < 61*time.Second || credit > 61*time.Second+2*probeMost+beatEvery {
			t.Errorf("credit %v", credit)
		}
		if s := w.Stats(); s.Away != 0 || !s.Healthy {
			t.Errorf("stats %+v", s)
		}
		w.must(id, cmd("ann", "add", 1))
		s := &socket{player: "ann"}
		if err := h.resume(w.Context(), s); err != nil || len(s.last.Notes) != 0 {
			t.Errorf("it is over and still stands: %v (%v)", s.last.Notes, err)
		}
	})
}

// A room without a command in the outage stops as well: the registry's signs of life
// fail, so other instances may take this one for dead.
func TestClocksStandWithoutASignOfLife(t *testing.T) {
	inBrokenWorld(t, func(t *testing.T, w *world, b *broken) {
		id := w.book("r1")
		h := w.follow(id)
		h.Join("ann")
		h.Join("bob")
		pass(2 * time.Second)
		h.said()
		b.set(nil, true)
		pass(lease + 2*beatEvery)
		if got := h.said(); !slices.Equal(got, []string{"unavailable"}) {
			t.Errorf("notes %q", got)
		}
		if w.Stats().Healthy {
			t.Error("healthy without a sign of life")
		}
		b.set(nil, false)
		pass(2 * probeMost)
		if got := w.kinds(id); got != "open sit sit outage" {
			t.Errorf("journal: %s", got)
		}
	})
}

// An owner that was paused, and whose room was taken meanwhile, finds out by itself,
// also without a command and without time to credit.
func TestPausedOwnerFindsOutThatItsRoomWasTaken(t *testing.T) {
	inBrokenWorld(t, func(t *testing.T, w *world, b *broken) {
		seated, empty := w.book("r1"), "r2"
		if err := w.Create(w.Context(), empty, "ledger", cmd("", "open", 0)); err != nil {
			t.Fatal(err)
		}
		hubs := map[string]*hub{seated: w.follow(seated), empty: w.follow(empty)}
		b.set(nil, true)
		pass(lease + 2*beatEvery)
		steal(t, b, seated)
		steal(t, b, empty)
		b.set(nil, false)
		pass(2 * probeMost)
		for id, h := range hubs {
			if !errors.Is(h.why(), ErrFenced) {
				t.Errorf("%s: the follower was told %v", id, h.why())
			}
		}
		if got := w.kinds(seated); got != "open sit sit" {
			t.Errorf("journal: %s", got)
		}
	})
}

// After the death of its owner another instance opens a room. The time is credited
// before anything else, and what was due happens with no player connected.
func TestTakeoverCreditsTheOutageFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := memjournal.New()
		a, b := newWorld(t, "one", j, nil), newWorld(t, "two", j, nil)
		id := a.book("r1")
		c := cmd("ann", "bell", 0)
		c.Body = json.RawMessage(`{"in":12000}`)
		a.must(id, c)
		if _, err := b.Do(b.Context(), id, cmd("ann", "add", 1)); !errors.Is(err, ErrUnavailable) {
			t.Errorf("a room that another owns: %v", err)
		}
		pass(500 * time.Millisecond)
		a.stop()
		pass(5900 * time.Millisecond)
		if got := b.kinds(id); got != "open sit sit bell outage" {
			t.Errorf("after the owner's death: %s", got)
		}
		pass(6 * time.Second)
		if got := b.kinds(id); got != "open sit sit bell outage wake" {
			t.Errorf("after the bell: %s", got)
		}
		if l := b.ledger(id, "ann"); l.Credit < 5000 || l.Credit > 7000 {
			t.Errorf("credit %d ms", l.Credit)
		}
	})
}

// A wake-up that could not be written is repeated when the journal takes rows again,
// although no command arrives and the signs of life never failed.
func TestWakeUpIsRepeatedAfterAFailedWrite(t *testing.T) {
	inBrokenWorld(t, func(t *testing.T, w *world, b *broken) {
		id := w.book("r1")
		h := w.follow(id)
		h.Join("ann")
		h.Join("bob")
		c := cmd("ann", "bell", 0)
		c.Body = json.RawMessage(`{"in":20000}`)
		w.must(id, c)
		pass(15 * time.Second)
		failed := false
		b.set(func(do func() error) error {
			if !failed {
				failed = true
				return fmt.Errorf("broken: %w", journal.ErrUnavailable)
			}
			return do()
		}, false)
		pass(10 * time.Second)
		if got := h.kinds(); got != "bell outage wake" {
			t.Errorf("entries %q", got)
		}
	})
}
