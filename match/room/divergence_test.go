package room

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/memjournal"
	"mancala/match/machine"
)

// hearLost lets the copy of a new book hear an entry of the first instance that the journal does
// not have.
func (w *world) hearLost(id, body string) {
	entry := appendEntry(nil, machine.Entry{Kind: "add", By: "ann", At: time.Now().UnixMilli(), Command: "lost", Body: []byte(body)})
	w.Hear("one", Message{Kind: tellEntry, Room: id, Epoch: 1, Seq: 4, Entry: entry})
}

// A copy with entries that the journal has lost ends, and its followers see what the
// journal has. Its owner may have written other entries in their place meanwhile.
func TestCopyWithLostEntriesStartsAgain(t *testing.T) {
	for _, goesOn := range []bool{false, true} {
		inWorlds(t, func(t *testing.T, on *wire, one, two, _ *world) {
			id := one.book("r")
			one.follow(id).Join("ann")
			h := two.follow(id)
			time.Sleep(time.Second)
			eve := &socket{player: "eve"}
			if err := h.resume(t.Context(), eve); err != nil {
				t.Fatal(err)
			}
			two.hearLost(id, `{"n":100}`)
			time.Sleep(time.Millisecond)
			if sum := two.ledger(id, "eve").Sum; sum != 100 {
				t.Fatalf("the copy shows %d, want the entry that is going to be lost", sum)
			}
			want := 0
			if goesOn {
				one.must(id, cmd("ann", "add", 3))
				want = 3
			}
			time.Sleep(renewEvery)
			if h.why() == nil {
				t.Errorf("goes on %v: the copy's followers were not sent on", goesOn)
			}
			if sum := two.ledger(id, "eve").Sum; sum != want {
				t.Errorf("goes on %v: the page shows %d, want %d", goesOn, sum, want)
			}
			// The number of the lost entry may be that of another one now.
			again := two.follow(id)
			if err := again.resume(t.Context(), eve); err != nil {
				t.Fatal(err)
			}
			if eve.last.Snapshot == nil {
				t.Errorf("goes on %v: a socket that knows the lost entry gets %d entries since %d, want a snapshot", goesOn, len(eve.last.Missed), eve.last.From)
			}
			time.Sleep(rewindFor)
			if again.resume(t.Context(), eve) != nil || eve.last.Snapshot != nil {
				t.Errorf("goes on %v: after %v a socket that misses nothing gets a snapshot", goesOn, rewindFor)
			}
		})
	}
}

// The owner of a copy with lost entries cannot be heard. The copy compares itself with the
// journal, as it asks there who the owner is.
func TestCopyWithLostEntriesOfASilentOwnerStartsAgain(t *testing.T) {
	inWorlds(t, func(t *testing.T, on *wire, one, two, _ *world) {
		id := one.book("r")
		one.follow(id).Join("ann")
		h := two.follow(id)
		time.Sleep(time.Second)
		two.hearLost(id, `{"n":100}`)
		time.Sleep(time.Millisecond)
		on.cut("one")
		time.Sleep(10 * time.Second)
		if h.why() == nil {
			t.Error("the copy's followers were not sent on")
		}
		if sum := two.ledger(id, "eve").Sum; sum != 0 {
			t.Errorf("the page shows %d, want what the journal has", sum)
		}
	})
}

// A copy with lost entries may get the next entry of its owner before the two are compared.
// It cannot apply that entry, starts again, and is in quarantine only if the journal cannot
// be applied either.
func TestCopyThatFailsToApplyAnEntryStartsAgain(t *testing.T) {
	inWorlds(t, func(t *testing.T, on *wire, one, two, _ *world) {
		id := one.book("r")
		one.follow(id).Join("ann")
		h := two.follow(id)
		time.Sleep(time.Second)
		two.hearLost(id, `{"n":"many"}`)
		time.Sleep(time.Second)
		if h.why() == nil {
			t.Error("the copy's followers were not sent on")
		}
		one.must(id, cmd("ann", "add", 3))
		time.Sleep(time.Second)
		if sum := two.ledger(id, "eve").Sum; sum != 3 || two.Stats().Quarantined != 0 {
			t.Errorf("the page shows %d, want 3, and %d rooms are in quarantine", sum, two.Stats().Quarantined)
		}
	})
}

// The database fails over and loses an entry that the owner has written and shown. The owner
// notices without writing, and its followers see what the journal has.
func TestOwnerAheadOfTheJournalStartsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &broken{Journal: memjournal.New()}
		on := newWire(1)
		w := newWorldOn(t, on, "one", b, nil)
		id := w.book("r1")
		h := w.follow(id)
		h.Join("ann")
		h.Join("bob")
		pass(time.Second)
		b.set(func(func() error) error { return nil }, false) // acknowledged, and lost in the failover
		w.must(id, cmd("ann", "add", 7))
		b.set(nil, true)
		pass(3 * time.Second)
		b.set(nil, false)
		pass(5 * time.Second)
		if h.why() == nil {
			t.Error("the followers were not sent on")
		}
		if sum := w.ledger(id, "ann").Sum; sum != 0 {
			t.Errorf("the page shows %d", sum)
		}
		w.stop()
		on.group.Wait()
	})
}

// A client of a copy with entries that were lost may have seen the same number as the last
// entry of the journal, with another entry in it. It gets a snapshot, also if the instance
// of that copy has taken the room over.
func TestClientOfACopyWithOtherEntriesGetsASnapshot(t *testing.T) {
	for _, dies := range []bool{false, true} {
		inWorlds(t, func(t *testing.T, on *wire, one, two, _ *world) {
			id := one.book("r")
			one.follow(id).Join("ann")
			h := two.follow(id)
			time.Sleep(time.Second)
			on.set(1, 0)
			two.hearLost(id, `{"n":100}`)
			time.Sleep(time.Millisecond)
			s := &socket{player: "bob"}
			if err := h.resume(t.Context(), s); err != nil || s.seq != 4 {
				t.Fatalf("at %d, %v", s.seq, err)
			}
			one.must(id, cmd("ann", "add", 3))
			if dies {
				one.stop()
				on.set(0, 0)
				time.Sleep(10 * time.Second)
			} else {
				on.set(0, 0)
				time.Sleep(renewEvery)
			}
			if h.why() == nil {
				t.Fatalf("dies %v: the followers were not sent on", dies)
			}
			again := two.follow(id)
			s = &socket{player: "bob", seq: 4}
			if err := again.resume(t.Context(), s); err != nil || s.last.Snapshot == nil {
				t.Errorf("dies %v: got %+v, %v, want a snapshot", dies, s.last, err)
			}
		})
	}
}

// countedReads is a journal that fails after left more reads.
type countedReads struct {
	journal.Journal
	left atomic.Int32
}

func (c *countedReads) Read(ctx context.Context, id string, after uint64, limit int) ([]journal.Row, error) {
	if c.left.Add(-1) < 0 {
		return nil, fmt.Errorf("countedReads: %w", journal.ErrUnavailable)
	}
	return c.Journal.Read(ctx, id, after, limit)
}

// A room is read when it is opened, and a second time for the watchers' delay. If either read
// fails, the next attempt still knows what the last copy has shown.
func TestFailedAttemptToOpenARoomKeepsTheRemainsOfTheLastCopy(t *testing.T) {
	for _, reads := range []int32{0, 1} {
		synctest.Test(t, func(t *testing.T) {
			j := &countedReads{Journal: memjournal.New()}
			j.left.Store(100)
			w := newWorld(t, "one", j, nil)
			id := w.book("r")
			r := w.follow(id).room
			w.must(id, cmd("ann", "late", 10))
			r.fence()
			<-r.done.Done()
			j.left.Store(reads)
			if _, err := w.Follow(t.Context(), id, new(hub)); !errors.Is(err, ErrUnavailable) {
				t.Fatalf("after %d reads: got %v, want ErrUnavailable", reads, err)
			}
			if w.takeRemains(id) == nil {
				t.Errorf("after %d reads: the remains are lost", reads)
			}
		})
	}
}
