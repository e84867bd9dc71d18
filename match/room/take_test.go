package room

import (
	"context"
	"errors"
	"maps"
	"sync"
	"testing"
	"testing/synctest"

	"mancala/match/journal"
	"mancala/match/journal/memjournal"
)

// taker is a journal that takes a room in one round trip, and counts what it is asked.
type taker struct {
	journal.Journal
	mu    sync.Mutex
	count map[string]int
}

func (j *taker) note(what string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.count == nil {
		j.count = map[string]int{}
	}
	j.count[what]++
}

// asked returns what it was asked since the last time.
func (j *taker) asked() map[string]int {
	j.mu.Lock()
	defer j.mu.Unlock()
	count := j.count
	j.count = nil
	return count
}

func (j *taker) Room(ctx context.Context, id string) (journal.Room, error) {
	j.note("room")
	return j.Journal.Room(ctx, id)
}

func (j *taker) Claim(ctx context.Context, id, self string, seen uint64) (journal.Room, error) {
	j.note("claim")
	return j.Journal.Claim(ctx, id, self, seen)
}

func (j *taker) Read(ctx context.Context, id string, after uint64, limit int) ([]journal.Row, error) {
	j.note("read")
	return j.Journal.Read(ctx, id, after, limit)
}

func (j *taker) Take(ctx context.Context, id, self string, kinds []string, most uint64) (journal.Taken, error) {
	j.note("take")
	return takeWithRows(ctx, j.Journal, id, self, kinds, most)
}

// takeWithRows is what a [journal.Taker] does, in steps.
func takeWithRows(ctx context.Context, j journal.Journal, id, self string, kinds []string, most uint64) (journal.Taken, error) {
	t, err := journal.Take(ctx, j, id, self, kinds, most)
	if err == nil && t.Room.Owner != "" && !t.Room.OwnerDead && t.Room.Seq <= most {
		t.Rows, err = j.Read(ctx, id, 0, 0)
	}
	return t, err
}

func TestShortRoomIsOpenedInOneRoundTrip(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, on := &taker{Journal: memjournal.New()}, newWire(1)
		one, two := newWorldOn(t, on, "one", j, nil), newWorldOn(t, on, "two", j, nil)
		id := one.book("r1")
		for _, w := range []*world{one, two} { // the owner, and then a replica
			j.asked()
			w.follow(id)
			if got, want := j.asked(), map[string]int{"take": 1}; !maps.Equal(got, want) {
				t.Errorf("%s opens a room with %v, want %v", w.self, got, want)
			}
			if l := w.ledger(id, "ann"); l.Seats[1] != "bob" {
				t.Errorf("%s shows %+v", w.self, l)
			}
		}
	})
}

// A client that may not open a long room keeps no other from opening it.
func TestLongRoomIsOpenedBesideAClientThatIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := &taker{Journal: memjournal.New()}
		w := newWorld(t, "one", j, nil)
		if err := w.Create(w.Context(), "long", "ledger", commandsOfALongRoom()...); err != nil {
			t.Fatal(err)
		}
		broke := errors.New("no money")
		var group sync.WaitGroup
		for range 5 {
			group.Go(func() {
				if err := w.MayOpen(Charged(w.Context(), func() error { return broke }), "long"); err != nil && !errors.Is(err, broke) {
					t.Errorf("a client that is refused: %v", err)
				}
			})
			group.Go(func() { w.follow("long").Close() })
		}
		group.Wait()
	})
}
