package room

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/memjournal"
)

// Without a database the clocks are paused: nothing is decided and the followers are told.
// When it is back the machine credits the time before any bell rings.
func TestClocksArePausedWithoutADatabase(t *testing.T) {
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

// After a long outage a room does not wait for its next attempt, which may be seconds away.
// It goes on soon after the first sign of life.
func TestGamesGoOnSoonAfterTheDatabaseIsBack(t *testing.T) {
	inBrokenWorld(t, func(t *testing.T, w *world, b *broken) {
		id := w.book("r1")
		h := w.follow(id)
		h.Join("ann")
		h.Join("bob")
		b.set(nil, true)
		_, _ = w.Do(w.Context(), id, cmd("ann", "add", 1)) // its outcome is unknown
		for range 10 {
			pass(time.Minute)
			b.set(nil, false)
			pass(2*beatEvery + asksWithin) // what a sign of life and the room need at most
			w.must(id, cmd("ann", "add", 1))
			b.set(nil, true)
		}
	})
}

// A room without a command in the outage stops as well: the registry's signs of life
// fail, so other instances may take this one for dead.
func TestClocksArePausedWithoutASignOfLife(t *testing.T) {
	faults := map[string]func(b *broken, on bool){
		"the database is away": func(b *broken, on bool) { b.set(nil, on) },
		"commits wait for a standby": func(b *broken, on bool) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.waits = on
		},
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			inBrokenWorld(t, func(t *testing.T, w *world, b *broken) {
				id := w.book("r1")
				h := w.follow(id)
				h.Join("ann")
				h.Join("bob")
				pass(2 * time.Second)
				h.said()
				fault(b, true)
				pass(lease + 2*beatTimeout) // the last sign of life that fails may take one
				if got := h.said(); !slices.Equal(got, []string{"unavailable"}) {
					t.Errorf("notes %q", got)
				}
				if w.Stats().Healthy {
					t.Error("healthy without a sign of life")
				}
				fault(b, false)
				pass(2 * probeMost)
				if got := w.kinds(id); got != "open sit sit outage" {
					t.Errorf("journal: %s", got)
				}
			})
		})
	}
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
		pass(6900 * time.Millisecond)
		if got := b.kinds(id); got != "open sit sit bell outage" {
			t.Errorf("after the owner's death: %s", got)
		}
		pass(5 * time.Second)
		if got := b.kinds(id); got != "open sit sit bell outage wake" {
			t.Errorf("after the bell: %s", got)
		}
		if l := b.ledger(id, "ann"); l.Credit < 5000 || l.Credit > 8000 {
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

// downtime is the stored downtime of a service that was away once.
type downtime struct {
	seen, back time.Time // the service was away between these times
}

func (d *downtime) Alive(_ context.Context, at time.Time) error {
	switch {
	case !d.back.IsZero():
	case !d.seen.IsZero() && at.Sub(d.seen) > time.Minute:
		d.back = at
	default:
		d.seen = at
	}
	return nil
}

func (d *downtime) Between(from, to time.Time) time.Duration {
	if d.back.IsZero() {
		return 0
	}
	if from.Before(d.seen) {
		from = d.seen
	}
	if to.After(d.back) {
		to = d.back
	}
	return max(0, to.Sub(from))
}

// A sleeping room has no owner whose death could be detected. The time for which the whole
// service was away is still credited, once, before anything is decided.
func TestSleepingRoomIsCreditedForTheTimeWithoutAService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, d := memjournal.New(), new(downtime)
		away := func(c *Config) { c.Downtime = d }
		w := newWorldOn(t, nil, "one", j, nil, away)
		id := w.book("r1")
		c := cmd("ann", "bell", 0)
		c.Body = json.RawMessage(`{"in":20000}`)
		w.must(id, c)
		if err := w.Drain(w.Context(), nil); err != nil { // a clean stop
			t.Fatal(err)
		}
		w.stop()
		pass(30 * time.Hour)
		again := newWorldOn(t, nil, "two", j, nil, away)
		pass(2 * probeMost)
		if got := again.kinds(id); !strings.HasPrefix(got, "open sit sit bell outage outage wake") {
			t.Errorf("entries %q, want the stop, the time away and then the bell", got)
		}
		credit := time.Duration(again.ledger(id, "ann").Credit) * time.Millisecond
		if credit < 30*time.Hour-serviceEvery || credit > 30*time.Hour+serviceEvery {
			t.Errorf("credit %v", credit)
		}
		pass(time.Minute)
		again.stop()
		third := newWorldOn(t, nil, "three", j, nil, away)
		pass(2 * probeMost)
		if got := time.Duration(third.ledger(id, "ann").Credit) * time.Millisecond; got > credit+2*time.Minute {
			t.Errorf("credit %v, was %v before: it was given twice", got, credit)
		}
	})
}

// A frozen process may write its sign of life before its rooms read the clock. They still
// credit the time before they decide.
func TestFreezeThatASignOfLifeHasEndedIsCredited(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		h := w.follow(id)
		h.Join("ann")
		h.Join("bob")
		const frozen = 12 * time.Second
		pass(2 * frozen)
		pass(beatEvery / 2)
		w.lastWall.Add(-frozen.Milliseconds()) // the last sign of life is that old
		w.lastSeen.Add(-frozen.Milliseconds())
		if err := w.beat(); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Do(w.Context(), id, cmd("ann", "add", 1)); !errors.Is(err, ErrUnavailable) {
			t.Errorf("got %v, want no decision before the credit", err)
		}
		pass(2 * probeMost)
		w.must(id, cmd("ann", "add", 1))
		credit := time.Duration(w.ledger(id, "ann").Credit) * time.Millisecond
		if credit < frozen || credit > frozen+2*probeMost {
			t.Errorf("credit %v", credit)
		}
		if got := h.kinds(); got != "outage add" {
			t.Errorf("entries %q, want one credit", got)
		}
	})
}

func TestWallClockThatIsSetBackHidesNoOutage(t *testing.T) {
	inBrokenWorld(t, func(t *testing.T, w *world, b *broken) {
		pass(time.Second)
		b.set(nil, true)
		w.lastWall.Add(time.Hour.Milliseconds()) // the clock was an hour ahead when the last sign of life was written
		pass(lease + 2*beatEvery)
		if w.Stats().Healthy {
			t.Error("healthy without a sign of life")
		}
	})
}

// The time of an entry is when it was decided. The player who waits for the entry is not
// charged for its write.
func TestSlowWriteIsCredited(t *testing.T) {
	unknown := fmt.Errorf("broken: %w", journal.ErrUnknown)
	away := fmt.Errorf("broken: %w", journal.ErrUnavailable)
	for _, tt := range []struct {
		name  string
		takes time.Duration
		err   error // of the first write
		kinds string
		least time.Duration
		most  time.Duration
	}{
		{"quick", slowWrite, nil, "add", 0, 0},
		{"slow", 4500 * time.Millisecond, nil, "add outage", 4200 * time.Millisecond, 4200 * time.Millisecond},
		{"unknown, then found out", 4500 * time.Millisecond, unknown, "add outage", 4200 * time.Millisecond, 4200 * time.Millisecond},
		{"failed", 4500 * time.Millisecond, away, "outage", 4500 * time.Millisecond, 4500*time.Millisecond + 2*probeMost},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inBrokenWorld(t, func(t *testing.T, w *world, b *broken) {
				id := w.book("r1")
				h := w.follow(id)
				h.Join("ann")
				h.Join("bob")
				pass(20 * time.Second)
				writes := 0
				b.set(func(do func() error) error {
					if writes++; writes > 1 {
						return do()
					}
					pass(tt.takes)
					if tt.err != nil {
						return tt.err
					}
					return do()
				}, false)
				a, err := w.Do(w.Context(), id, cmd("ann", "add", 1))
				if tt.err == nil && (err != nil || a.Seq != 4) {
					t.Errorf("answered %+v, %v", a, err)
				}
				pass(2 * probeMost)
				if got := h.kinds(); got != tt.kinds {
					t.Errorf("entries %q, want %q", got, tt.kinds)
				}
				credit := time.Duration(w.ledger(id, "ann").Credit) * time.Millisecond
				if credit < tt.least || credit > tt.most {
					t.Errorf("credit %v, want %v to %v", credit, tt.least, tt.most)
				}
			})
		})
	}
}

// An owner that alone cannot reach the database is told which instance has taken its room
// over. Only then are its followers sent there, while it is still cut off.
func TestOwnerWithoutADatabaseIsToldOfTheTakeover(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, on := memjournal.New(), newWire(1)
		b := &broken{Journal: j}
		one, two := newWorldOn(t, on, "one", b, nil), newWorldOn(t, on, "two", j, nil)
		id := one.book("r")
		h := one.follow(id)
		h.Join("ann")
		one.must(id, cmd("ann", "add", 1))
		time.Sleep(time.Second)
		b.set(nil, true)
		time.Sleep(journal.DeadAfter - time.Second)
		if h.why() != nil {
			t.Error("the followers were sent on before another instance could take the room")
		}
		time.Sleep(4 * time.Second)
		if line, err := j.Room(t.Context(), id); err != nil || line.Owner != "two" {
			t.Fatalf("the room is %s's (%v), want two's", line.Owner, err)
		}
		if !errors.Is(h.why(), ErrFenced) || !one.Stats().Failing {
			t.Errorf("the followers were told %v", h.why())
		}
		one.stop()
		two.stop()
		on.group.Wait()
	})
}

// An instance that reaches neither the database nor other instances gives its rooms up
// after the time that the others wait. While it hears other instances it keeps them, since
// a new owner would tell it.
func TestIsolatedInstanceGivesItsRoomsUp(t *testing.T) {
	for _, isolated := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			on := newWire(1)
			b := &broken{Journal: memjournal.New()}
			w := newWorldOn(t, on, "one", b, nil)
			h := w.follow(w.book("r"))
			time.Sleep(time.Second)
			b.set(nil, true)
			if isolated {
				on.set(1, 0)
			}
			time.Sleep(journal.DeadAfter)
			if h.why() != nil {
				t.Error("given up too early")
			}
			time.Sleep(3 * time.Second)
			if given := h.why() != nil; given != isolated {
				t.Errorf("isolated %v: given up %v", isolated, given)
			}
			w.stop()
			on.group.Wait()
		})
	}
}

// An instance that gave its rooms up opens them again, if no other instance has taken them.
// Its own sign of life comes before that, and says nothing of the outage.
func TestOutageOfARoomThatWasGivenUpIsCredited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		on := newWire(1)
		b := &broken{Journal: memjournal.New()}
		w := newWorldOn(t, on, "one", b, nil)
		id := w.book("r")
		h := w.follow(id)
		h.Join("ann")
		w.must(id, cmd("ann", "add", 1))
		time.Sleep(time.Second)
		b.set(nil, true)
		on.set(1, 0)
		const away = time.Minute
		time.Sleep(away)
		if h.why() == nil {
			t.Fatal("the room was not given up")
		}
		b.set(nil, false)
		on.set(0, 0)
		time.Sleep(2 * probeMost)
		again := w.follow(id)
		again.Join("ann")
		time.Sleep(probeMost)
		w.must(id, cmd("ann", "add", 1))
		if credit := time.Duration(w.ledger(id, "ann").Credit) * time.Millisecond; credit < away {
			t.Errorf("credit %v, want the %v without a database", credit, away)
		}
		w.stop()
		on.group.Wait()
	})
}

// An instance that wakes from a freeze has not reached anybody for a while. It gives nothing
// up for that.
func TestWokenInstanceKeepsItsRooms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		on := newWire(1)
		b := &broken{Journal: memjournal.New()}
		w := newWorldOn(t, on, "one", b, nil)
		h := w.follow(w.book("r"))
		pass(time.Second)                   // a sign of life that is under way would store its times over ours
		ago := time.Now().Add(-time.Minute) // the freeze begins there
		w.lastRun.Store(&ago)
		w.anchor.Store(&anchor{local: ago, db: w.anchor.Load().db - time.Minute.Milliseconds()})
		b.set(nil, true)
		on.set(1, 0)
		time.Sleep(3 * time.Second)
		if h.why() != nil {
			t.Error("the room was given up")
		}
		time.Sleep(journal.DeadAfter)
		if h.why() == nil {
			t.Error("the room was not given up although nobody answers after the freeze")
		}
		w.stop()
		on.group.Wait()
	})
}

// brokenDowntime is stored in a database that may be away.
type brokenDowntime struct {
	downtime
	broken *broken
}

func (d *brokenDowntime) Alive(ctx context.Context, at time.Time) error {
	if err := d.broken.fault(); err != nil {
		return err
	}
	return d.downtime.Alive(ctx, at)
}

// A room that slept while the database was away for all instances is credited with that time,
// whatever the moments are at which it becomes due, is opened and the gap is noted.
func TestSleepingRoomIsCreditedForADatabaseOutage(t *testing.T) {
	const away = 10 * time.Minute
	for n := range 8 {
		synctest.Test(t, func(t *testing.T) {
			b := &broken{Journal: memjournal.New()}
			w := newWorldOn(t, nil, "one", b, nil, func(c *Config) { c.Downtime = &brokenDowntime{broken: b} })
			id := w.book("r1")
			c := cmd("ann", "bell", 0)
			c.Body = json.RawMessage(`{"in":300000}`)
			w.must(id, c)
			pass(40 * time.Second) // it sleeps
			b.set(nil, true)
			pass(away + time.Duration(n)*237*time.Millisecond)
			b.set(nil, false)
			pass(20 * time.Second)
			credit := time.Duration(w.ledger(id, "ann").Credit) * time.Millisecond
			if credit < away || credit > away+5*time.Second {
				t.Errorf("%d: credit %v (%s)", n, credit, w.kinds(id))
			}
		})
	}
}

// A credit that is slow to write holds up the next move, too.
func TestSlowWriteOfACreditIsCredited(t *testing.T) {
	inBrokenWorld(t, func(t *testing.T, w *world, b *broken) {
		id := w.book("r1")
		h := w.follow(id)
		h.Join("ann")
		h.Join("bob")
		pass(20 * time.Second)
		const slow, writes = 4500 * time.Millisecond, 2
		n := 0
		b.set(func(do func() error) error {
			if n++; n <= writes {
				time.Sleep(slow)
			}
			return do()
		}, false)
		w.must(id, cmd("ann", "add", 1))
		pass(time.Second)
		want := writes * (slow - slowWrite)
		if credit := time.Duration(w.ledger(id, "ann").Credit) * time.Millisecond; credit != want {
			t.Errorf("credit %v, want %v (%s)", credit, want, h.kinds())
		}
	})
}

// An instance that stops while a room is still cut off, although the database is back,
// credits the outage before it releases the room. If the journal does not take the credit
// the room stays the instance's, so that the next owner credits the time.
func TestStopInAnOutageCreditsIt(t *testing.T) {
	for _, back := range []bool{true, false} {
		inBrokenWorld(t, func(t *testing.T, w *world, b *broken) {
			id := w.book("r1")
			h := w.follow(id)
			h.Join("ann")
			h.Join("bob")
			pass(20 * time.Second)
			b.set(nil, true)
			pass(time.Minute)
			if back {
				b.set(nil, false)
				pass(beatEvery)
			}
			_ = w.Drain(w.Context(), nil)
			b.set(nil, false)
			line, err := b.Journal.Room(w.Context(), id)
			if released := line.Owner == ""; err != nil || released != back {
				t.Errorf("back %v: the room is %+v, %v", back, line, err)
			}
			w.stop()
			pass(journal.DeadAfter)
			next := newWorld(t, "two", b, nil)
			next.follow(id).Join("ann")
			pass(2 * time.Second)
			if credit := time.Duration(next.ledger(id, "ann").Credit) * time.Millisecond; credit < time.Minute {
				t.Errorf("back %v: credit %v", back, credit)
			}
		})
	}
}
