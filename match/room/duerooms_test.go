package room

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/memjournal"
)

// slow is a journal that takes its time over each claim.
type slow struct {
	journal.Journal
	by time.Duration
}

func (s *slow) Claim(ctx context.Context, id, self string, seen uint64) (journal.Room, error) {
	time.Sleep(s.by)
	return s.Journal.Claim(ctx, id, self, seen)
}

// While the many rooms of a dead instance are still being opened, a sleeping room that
// is due is woken, and another death is noticed.
func TestTakeoverOfManyRoomsHoldsUpNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, on := memjournal.New(), newWire(1)
		start := func(self string, j journal.Journal) *world { return newWorldOn(t, on, self, j, nil) }
		end := func(w *world) { // without a word
			on.set(1, 0)
			w.stop()
			on.set(0, 0)
			j.End(w.self)
		}
		const rooms = 3000
		reluctant := &slow{j, 60 * time.Millisecond} // one alone takes 22 s for all of them
		one, two, many := start("one", reluctant), start("two", reluctant), start("many", j)

		bell := one.book("bell")
		c := cmd("ann", "bell", 0)
		c.Body = []byte(`{"in":120000}`)
		one.must(bell, c)
		due := time.Now().Add(2 * time.Minute)
		pass(time.Until(due) - 10*time.Second)
		if line, err := j.Room(t.Context(), bell); err != nil || line.Owner != "" {
			t.Fatalf("it does not sleep: %+v %v", line, err)
		}

		for n := range rooms {
			many.must(many.book(fmt.Sprint("r", n)), cmd("ann", "add", 1))
		}
		other := two.book("other") // the last of those that will be due
		two.follow(other).Join("ann")
		end(many)
		pass(5 * time.Second)
		left := func() int {
			list, err := j.Due(t.Context(), time.Now(), 0)
			if err != nil {
				t.Fatal(err)
			}
			return len(list)
		}
		if n := left(); n == 0 || n == rooms {
			t.Fatalf("%d of %d rooms are yet to be opened", n, rooms)
		}
		bob := one.follow(other) // and repeats it after 5 s, when the death would be noticed anyway
		bob.Join("bob")
		pass(time.Second)
		end(two)
		pass(2 * time.Second)
		if bob.why() == nil {
			t.Error("a follower of a room of the second dead instance has not been told")
		}
		pass(time.Until(due) + 5*time.Second)
		if left() == 0 {
			t.Error("all have been opened: this test does not show what it should")
		}
		if got := one.kinds(bell); got != "open sit sit bell gone gone wake" {
			t.Errorf("the journal of the room that had to wake: %s", got)
		}
		one.stop()
		on.group.Wait()
	})
}

// When an instance dies, the rooms that people follow on another one are opened there before the rooms that
// nobody follows.
func TestFollowedRoomsOfADeadInstanceAreOpenedFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, on := memjournal.New(), newWire(1)
		one, two := newWorldOn(t, on, "one", j, nil), newWorldOn(t, on, "two", j, nil)
		const rooms = 20
		for n := range rooms {
			two.must(two.book(fmt.Sprint("r", n)), cmd("ann", "add", 1))
		}
		followed := two.book("followed")
		two.follow(followed).Join("ann")
		bob := one.follow(followed)
		bob.Join("bob")
		pass(time.Second)
		on.set(1, 0)
		two.stop()
		on.set(0, 0)
		j.End("two")

		ownedByOne := func() (owned int) {
			for n := range rooms {
				if line, err := j.Room(t.Context(), fmt.Sprint("r", n)); err == nil && line.Owner == "one" {
					owned++
				}
			}
			return owned
		}
		for bob.why() == nil { // until the death is noticed
			pass(10 * time.Millisecond)
			if n := ownedByOne(); n != 0 {
				t.Fatalf("%d rooms without followers are opened before the one that bob follows", n)
			}
		}
		one.must(followed, cmd("bob", "add", 1))
		if n := ownedByOne(); n != 0 {
			t.Errorf("%d rooms without followers are opened before the one that bob follows", n)
		}
		pass(2*scanEvery + lookEvery)
		if n := ownedByOne(); n != rooms {
			t.Errorf("%d of %d rooms without followers have been opened", n, rooms)
		}
		one.stop()
		on.group.Wait()
	})
}
