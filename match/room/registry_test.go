package room

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"

	"mancala/match/journal"
	"mancala/match/journal/journaltest"
	"mancala/match/journal/memjournal"
	"mancala/match/machine"
)

func TestCreateIsIdempotent(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		open := cmd("lobby", "open", 0)
		if err := w.Create(w.Context(), "r1", "ledger", open); err != nil {
			t.Fatal(err)
		}
		if err := w.Create(w.Context(), "r1", "ledger", open); err != nil {
			t.Errorf("the same once more: %v", err)
		}
		if err := w.Create(w.Context(), "r1", "ledger", cmd("lobby", "open", 0)); !errors.Is(err, ErrTaken) {
			t.Errorf("another with that ID: %v", err)
		}
		if err := w.Create(w.Context(), "r2", "ledger", cmd("ann", "add", 0)); errors.Unwrap(err) == nil {
			t.Errorf("refused by the machine: %v", err)
		}
		if _, err := w.View(w.Context(), "r2", "ann"); !errors.Is(err, ErrNoRoom) {
			t.Errorf("a room that was refused: %v", err)
		}
		if w.Stats().Live != 0 {
			t.Error("creating a room loads it")
		}
	})
}

// A room that begins runs at once, with the machine that made its first entries.
func TestRoomThatBeginsRunsWithoutReadingItsEntries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := &journaltest.Counting{Journal: memjournal.New()}
		w := newWorld(t, "a", j, nil)
		sit := cmd("ann", "sit", 0)
		begin := func(id string, commands ...machine.Command) error {
			return w.Begin(w.Context(), id, "ledger", commands...)
		}
		open := cmd("", "open", 0)
		if err := begin("r1", open, sit); err != nil {
			t.Fatal(err)
		}
		w.must("r1", cmd("ann", "add", 9))
		line, err := j.Room(w.Context(), "r1")
		if n := j.Rows.Load(); err != nil || n > 0 || line.Owner != "a" || line.Epoch != 1 || line.Seq != 3 {
			t.Errorf("%+v (%v), and %d entries were read", line, err, n)
		}
		if a := w.must("r1", sit); !a.Repeat || a.Seq != 2 {
			t.Errorf("a command with which the room was made, once more: %+v", a)
		}
		if err := begin("r1", open, sit); err != nil || w.kinds("r1") != "open sit add" {
			t.Errorf("begun twice: %s (%v)", w.kinds("r1"), err)
		}
		if err := begin("r1", cmd("", "open", 0)); !errors.Is(err, ErrTaken) {
			t.Errorf("another room with the same ID: %v", err)
		}

		pass(time.Minute)
		if line, err = j.Room(w.Context(), "r1"); err != nil || line.Owner != "" || w.Stats().Live != 0 {
			t.Errorf("awake although nobody is there: %+v (%v)", line, err)
		}
		if err := begin("r1", open, sit); err != nil {
			t.Errorf("begun once more while it sleeps: %v", err)
		}
		w.must("r1", cmd("ann", "add", 9))
		if got := w.ledger("r1", "ann"); got.Sum != 18 {
			t.Errorf("the room has %+v", got)
		}
	})
}

func TestOnlyTheFirstFollowerOfARoomMadeHereIsFirst(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		follow := func(id string) *Following {
			f, err := w.Follow(w.Context(), id, new(hub))
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
		for _, id := range []string{"r1", "r2"} {
			if err := w.Begin(w.Context(), id, "ledger", cmd("", "open", 0), cmd("ann", "sit", 0)); err != nil {
				t.Fatal(err)
			}
		}
		first, second := follow("r1"), follow("r1")
		if !first.First() || second.First() {
			t.Errorf("the followers are first: %t, %t", first.First(), second.First())
		}
		pass(time.Hour) // the other room sleeps
		if follow("r2").First() {
			t.Error("the room was loaded, and may have been followed before")
		}
	})
}

// The instance may die before anybody opens the room.
func TestRoomThatBeganOutlivesItsInstance(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		if err := w.Begin(w.Context(), "r1", "ledger", cmd("", "open", 0), cmd("ann", "sit", 0)); err != nil {
			t.Fatal(err)
		}
		w.stop()
		next := newWorld(t, "two", w.journal, nil)
		pass(journal.DeadAfter)
		next.must("r1", cmd("ann", "add", 9))
		if got := next.kinds("r1"); !strings.HasPrefix(got, "open sit") || !strings.HasSuffix(got, "add") {
			t.Errorf("the room has the entries %q", got)
		}
	})
}

// A room with no player connected and nothing due is unloaded. It comes back on demand,
// as it was.
func TestIdleRoomIsUnloadedAndComesBackAsItWas(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		h := w.follow(id)
		h.Join("ann")
		w.must(id, cmd("ann", "add", 9))
		pass(time.Hour)
		if w.Stats().Live != 1 {
			t.Error("asleep with a connected client")
		}
		h.Close()
		pass(goneAfter + linger + time.Second)
		if w.Stats().Live != 0 {
			t.Error("awake without a client and without due work")
		}
		line, err := w.journal.Room(w.Context(), id)
		if err != nil || line.Owner != "" || !line.Wake.IsZero() {
			t.Errorf("the room's line: %+v (%v)", line, err)
		}
		if l := w.ledger(id, "ann"); l.Sum != 9 || w.Stats().Live != 0 {
			t.Errorf("a reader sees %d and wakes %d", l.Sum, w.Stats().Live)
		}
		if a := w.must(id, cmd("ann", "add", 1)); a.Seq == 0 || w.ledger(id, "ann").Sum != 10 {
			t.Error("it did not come back")
		}
	})
}

// A sleeping room is woken when it is due, with no player connected.
func TestSleepingRoomIsWokenWhenDue(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		c := cmd("ann", "bell", 0)
		c.Body = json.RawMessage(`{"in":600000}`)
		w.must(id, c)
		pass(time.Minute)
		if w.Stats().Live != 0 {
			t.Fatal("awake long before anything is due")
		}
		pass(9*time.Minute + scanEvery)
		if l := w.ledger(id, "ann"); l.Rings != 1 {
			t.Errorf("rang %d times", l.Rings)
		}
		pass(time.Minute)
		if w.Stats().Live != 0 {
			t.Error("awake again and stays so")
		}
	})
}

// What happens in a room without followers is reported before the room sleeps: once, or
// again after an error.
func TestUnseenStateIsReportedBeforeSleep(t *testing.T) {
	told := func(w *world) int {
		line, err := w.journal.Room(w.Context(), "r1")
		if err != nil {
			t.Fatal(err)
		}
		return w.seen.of(fmt.Sprint("unseen r1 ", line.Seq))
	}
	inWorld(t, func(t *testing.T, w *world) {
		w.follow(w.book("r1"))
		w.must("r1", cmd("ann", "add", 1))
		pass(time.Minute)
		if err := w.Drain(w.Context(), nil); err != nil || told(w) != 0 {
			t.Errorf("told %d times of what a follower has seen (%v)", told(w), err)
		}
	})
	inWorld(t, func(t *testing.T, w *world) {
		w.must(w.book("r1"), cmd("ann", "add", 1))
		h := w.follow("r1")
		h.Join("ann")
		h.Join("bob")
		bell := cmd("ann", "bell", 0)
		bell.Body = []byte(`{"in":3600000}`)
		w.must("r1", bell) // followers read the whole state when it becomes a new one
		if err := w.Drain(w.Context(), nil); err != nil || told(w) != 0 {
			t.Errorf("told %d times of what a follower has read (%v)", told(w), err)
		}
	})
	inWorld(t, func(t *testing.T, w *world) {
		w.must(w.book("r1"), cmd("ann", "add", 1))
		pass(time.Minute)
		if w.Stats().Live != 0 || told(w) != 1 {
			t.Errorf("told %d times of unseen entries", told(w))
		}
		w.unseen = errors.New("no room for it")
		w.must("r1", cmd("ann", "add", 1))
		pass(time.Minute)
		if w.Stats().Live != 1 || told(w) < 2 {
			t.Errorf("told %d times although the report fails; live %d", told(w), w.Stats().Live)
		}
		w.stop()
		next := newWorld(t, "two", w.journal, nil)
		pass(journal.DeadAfter)
		next.follow("r1").Close() // who only looks
		pass(time.Minute)
		if next.Stats().Live != 0 || told(next) != 1 {
			t.Errorf("the next owner has told %v", next.seen.count)
		}
	})
}

func TestTaskIsRetriedUntilItsEntryClosesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		calls := map[string]int{}
		running, most := 0, 0
		handler := func(ctx context.Context, task Task) (json.RawMessage, error) {
			mu.Lock()
			calls[task.Room+" "+task.ID]++
			n := calls[task.Room+" "+task.ID]
			running++
			most = max(most, running)
			mu.Unlock()
			defer func() {
				mu.Lock()
				running--
				mu.Unlock()
			}()
			time.Sleep(10 * time.Second)
			switch n {
			case 1:
				return nil, errors.New("not yet")
			case 2:
				panic("oh")
			case 3:
				return json.RawMessage(`[1]`), nil
			}
			return json.RawMessage(`{"got":"x"}`), nil
		}
		j := memjournal.New()
		w := newWorld(t, "one", j, map[string]Handler{"fetch": handler})
		id := w.book("r1")
		c := cmd("ann", "task", 0)
		c.Body = json.RawMessage(`{"task":"t\"1"}`)
		w.must(id, c)
		for range 5 {
			w.must(id, cmd("ann", "add", 1)) // entries meanwhile start nothing twice
		}
		pass(35 * time.Second)
		if w.Stats().Live != 1 {
			t.Error("a room with an open task sleeps")
		}
		w.stop() // in the middle of an attempt
		pass(10 * time.Second)
		w = newWorld(t, "two", j, map[string]Handler{"fetch": handler})
		pass(2 * time.Minute)
		l := w.ledger(id, "ann")
		if len(l.Open) != 0 || len(l.Done) != 1 || l.Done[0] != `t"1=x` {
			t.Errorf("open %q, done %q after %v", l.Open, l.Done, calls)
		}
		if most != 1 {
			t.Errorf("%d at a time", most)
		}
		if w.Stats().Live != 0 {
			t.Error("the task is done and the room stays awake")
		}
	})
}

// A game reports its result to a tournament. If the tournament's room is in quarantine, the report must not
// be lost, and must not be tried every minute for days.
func TestTaskForARoomInQuarantineIsTriedLessAndLessOften(t *testing.T) {
	for _, tt := range []struct {
		err         error
		least, most int // tries in a day
	}{{ErrUnavailable, 24 * 60, 48 * 60}, {fmt.Errorf("effects: report: %w", ErrQuarantined), 24, 60}} {
		synctest.Test(t, func(t *testing.T) {
			var tries atomic.Int32
			var mended atomic.Bool
			w := newWorld(t, "one", memjournal.New(), map[string]Handler{"fetch": func(context.Context, Task) (json.RawMessage, error) {
				if tries.Add(1); mended.Load() {
					return nil, nil
				}
				return nil, tt.err
			}})
			id := w.book("r1")
			c := cmd("ann", "task", 0)
			c.Body = json.RawMessage(`{"task":"t1"}`)
			w.must(id, c)
			pass(24 * time.Hour)
			if n := int(tries.Load()); n < tt.least || n > tt.most {
				t.Errorf("%v: %d tries in a day, want %d to %d", tt.err, n, tt.least, tt.most)
			}
			mended.Store(true)
			pass(time.Hour)
			if l := w.ledger(id, "ann"); len(l.Done) != 1 {
				t.Errorf("%v: an hour after the cause is gone the task is still open", tt.err)
			}
		})
	}
}

// The quarantine begins after an outage: the tries in the outage do not count for the waits after it.
func TestTriesBeforeAQuarantineDoNotLengthenItsWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var tries atomic.Int32
		var quarantined atomic.Bool
		w := newWorld(t, "one", memjournal.New(), map[string]Handler{"fetch": func(context.Context, Task) (json.RawMessage, error) {
			tries.Add(1)
			if quarantined.Load() {
				return nil, ErrQuarantined
			}
			return nil, ErrUnavailable
		}})
		id := w.book("r1")
		c := cmd("ann", "task", 0)
		c.Body = json.RawMessage(`{"task":"t1"}`)
		w.must(id, c)
		pass(time.Hour)
		quarantined.Store(true)
		tries.Store(0)
		pass(30 * time.Minute)
		if n := tries.Load(); n < 8 {
			t.Errorf("%d tries in the first half hour, want waits that grow from a second", n)
		}
	})
}

// A room in quarantine behind a database that comes and goes must not be asked every second.
func TestFailuresThatAlternateAreTriedLessAndLessOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var tries atomic.Int32
		w := newWorld(t, "one", memjournal.New(), map[string]Handler{"fetch": func(context.Context, Task) (json.RawMessage, error) {
			if tries.Add(1)%2 == 0 {
				return nil, ErrQuarantined
			}
			return nil, ErrUnavailable
		}})
		c := cmd("ann", "task", 0)
		c.Body = json.RawMessage(`{"task":"t1"}`)
		w.must(w.book("r1"), c)
		pass(24 * time.Hour)
		if n := tries.Load(); n > 100 {
			t.Errorf("%d tries in a day", n)
		}
	})
}

// Rooms go one after the other for three quarters of the time. The others go together.
func TestDrainAtAPaceUsesThreeQuartersOfTheTime(t *testing.T) {
	for _, tt := range []struct{ time, took time.Duration }{{time.Minute, 4 * time.Second}, {2500 * time.Millisecond, time.Second}} {
		inWorld(t, func(t *testing.T, w *world) {
			var ids []string
			for i := range 5 {
				ids = append(ids, fmt.Sprint("room", i))
				w.follow(w.book(ids[i]))
			}
			ctx, cancel := context.WithTimeout(w.Context(), tt.time)
			defer cancel()
			began := time.Now()
			if err := w.Drain(ctx, rate.NewLimiter(1, 1)); err != nil || time.Since(began) != tt.took {
				t.Errorf("%v after %v, want %v", err, time.Since(began), tt.took)
			}
			for _, id := range ids {
				if line, err := w.journal.Room(w.Context(), id); err != nil || line.Owner != "" {
					t.Errorf("%s: %+v (%v)", id, line, err)
				}
			}
		})
	}
}

func TestDrainReleasesEveryRoom(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		hubs := map[string]*hub{}
		for _, id := range []string{"r1", "r2", "r3"} {
			hubs[id] = w.follow(w.book(id))
			w.must(id, cmd("ann", "add", 1))
		}
		c := cmd("ann", "bell", 0)
		c.Body = json.RawMessage(`{"in":600000}`)
		w.must("r2", c)
		want := w.ledger("r2", "ann").Ring
		if err := w.Drain(w.Context(), nil); err != nil {
			t.Fatal(err)
		}
		for id, h := range hubs {
			line, err := w.journal.Room(w.Context(), id)
			if err != nil || line.Owner != "" {
				t.Errorf("%s: %+v (%v)", id, line, err)
			}
			if id == "r2" && line.Wake.UnixMilli() != want {
				t.Errorf("wake time %v", line.Wake)
			}
			if !errors.Is(h.why(), ErrDrained) {
				t.Errorf("%s: told %v", id, h.why())
			}
		}
		if _, err := w.Do(w.Context(), "r1", cmd("ann", "add", 1)); !errors.Is(err, ErrMoved) {
			t.Errorf("after the end: %v", err)
		}
		// Released in good order: the next instance has nothing to wait for.
		// The clocks have stood since the last owner left.
		next := newWorld(t, "two", w.journal, nil)
		next.must("r1", cmd("ann", "add", 1))
		if got := next.kinds("r1"); got != "open sit sit add outage add" {
			t.Errorf("journal: %s", got)
		}
	})
}

// However many callers want a sleeping room at once, it is claimed once.
func TestRoomIsClaimedOnceForManyCallers(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		var group sync.WaitGroup
		for range inboxSize {
			group.Go(func() { w.must(id, cmd("ann", "add", 1)) })
		}
		group.Wait()
		line, err := w.journal.Room(w.Context(), id)
		if err != nil || line.Epoch != 1 || line.Seq != 3+inboxSize {
			t.Errorf("%+v (%v)", line, err)
		}
	})
}

// A room that was claimed and could not be read is ours, so that no other instance
// opens it. We try again without a request.
func TestRoomThatWasClaimedAndNotLoadedIsTriedAgain(t *testing.T) {
	inBrokenWorld(t, func(t *testing.T, w *world, b *broken) {
		id := w.book("r1")
		b.mu.Lock()
		b.blind = true
		b.mu.Unlock()
		if _, err := w.Do(w.Context(), id, cmd("ann", "add", 1)); !errors.Is(err, ErrUnavailable) {
			t.Errorf("got %v", err)
		}
		pass(5 * time.Second)
		if w.Stats().Live != 0 {
			t.Error("live without a state")
		}
		b.mu.Lock()
		b.blind = false
		b.mu.Unlock()
		pass(scanEvery)
		if w.Stats().Live != 1 {
			t.Error("there was no further try")
		}
	})
}

func TestStartNeedsADatabase(t *testing.T) {
	b := &broken{Journal: memjournal.New()}
	b.set(nil, true)
	if _, err := Start(t.Context(), Config{Self: "one", Journal: b, Log: noLog, Kinds: map[string]func(string) machine.Machine{}}); err == nil {
		t.Error("started without one")
	}
}

// A room that an older release put to sleep without a wake time may have a deadline that
// only this release knows. It is opened once, and then has a wake time.
func TestRousedRoomTakesItsWakeTime(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		w.must(id, machine.Command{ID: "b", Kind: "bell", By: "ann", Body: json.RawMessage(`{"in":3600000}`)})
		time.Sleep(30 * time.Second)
		line, err := w.journal.Room(t.Context(), id)
		if err != nil || line.Owner != "" {
			t.Fatalf("the room does not sleep: %+v, %v", line, err)
		}
		before := line.Epoch
		if line, err = w.journal.Claim(t.Context(), id, "older", before); err != nil {
			t.Fatal(err)
		}
		if err := w.journal.Release(t.Context(), id, "older", line.Epoch, time.Time{}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := w.Rouse(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			time.Sleep(30 * time.Second)
		}
		line, err = w.journal.Room(t.Context(), id)
		if err != nil || line.Wake.IsZero() || line.Owner != "" {
			t.Fatalf("the room sleeps as %+v, %v", line, err)
		}
		if n := line.Epoch - before; n != 2 {
			t.Errorf("the room was opened %d times, want once by the release before and once now", n)
		}
		time.Sleep(time.Hour)
		if n := w.ledger(id, "ann").Rings; n != 1 {
			t.Errorf("rang %d times", n)
		}
		if err := w.Rouse(t.Context(), "nothere"); !errors.Is(err, ErrNoRoom) {
			t.Errorf("a room that does not exist: %v", err)
		}
	})
}
