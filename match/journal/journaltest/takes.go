package journaltest

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"mancala/match/journal"
)

func testTake(t *testing.T, s suite) {
	wake := time.UnixMilli(1_900_000_000_000)
	s.create(t, journal.Room{ID: "r", Kind: "match", Wake: wake}, rowsTo(2, 0)...)
	s.create(t, journal.Room{ID: "long", Kind: "match"}, rowsTo(6, 0)...)
	s.create(t, journal.Room{ID: "empty", Kind: "match"})
	s.wantErr(t, journal.ErrNoRoom)(journal.Take(s.ctx, s.j, "none", "a", []string{"match"}, 5))
	s.wantErr(t, journal.ErrNoRoom)(journal.Take(s.ctx, s.j, "no room", "a", []string{"match"}, 5))
	s.wantErr(t, journal.ErrInvalid)(journal.Take(s.ctx, s.j, "r", "", []string{"match"}, 5))

	for name, got := range map[string]journal.Taken{
		"another kind": s.take(t, "r", "a", "tournament", "lobby"), "no kind": s.take(t, "r", "a"), "a long room": s.take(t, "long", "a", "match"),
	} {
		if got.Mine || got.Room.Owner != "" || got.Room.Epoch != 0 || got.Rows != nil {
			t.Errorf("%s: took %+v", name, got)
		}
	}
	if got := s.take(t, "empty", "a", "match"); !got.Mine || got.Room.Seq != 0 {
		t.Errorf("a room without rows: %+v", got)
	}
	got := s.take(t, "r", "a", "tournament", "match")
	line := got.Room
	if !got.Mine || line.ID != "r" || line.Kind != "match" || line.Owner != "a" || line.Epoch != 1 || line.Seq != 2 || !line.Wake.Equal(wake) || !line.OwnerSeen.IsZero() {
		t.Errorf("took %+v", got)
	}
	if line := s.room(t, "r"); line.Owner != "a" || line.Epoch != 1 || line.OwnerSeen.IsZero() {
		t.Errorf("after that: %+v, want a's, seen alive", line)
	}
	for _, self := range []string{"a", "b"} {
		if got := s.take(t, "r", self, "match"); got.Mine || got.Room.Owner != "a" || got.Room.Epoch != 1 || got.Room.OwnerSeen.IsZero() || got.Room.OwnerDead {
			t.Errorf("%s takes the room of a living owner: %+v", self, got)
		}
	}
	s.append(t, "r", row(3, 1))
	if got := s.take(t, "r", "b", "match"); got.Room.Seq != 3 {
		t.Errorf("after an append: %+v", got)
	}
	if err := s.j.Release(s.ctx, "r", "a", 1, time.Time{}); err != nil {
		t.Fatal(err)
	}
	if err := s.j.Fold(s.ctx, "r"); err != nil {
		t.Fatal(err)
	}
	if got := s.take(t, "r", "b", "match"); !got.Mine || got.Room.Epoch != 2 || got.Room.Seq != 3 {
		t.Errorf("a folded room: %+v", got)
	}
	s.append(t, "r", row(4, 2))
	s.take(t, "r", "a", "match") // compares the rows, of which some are folded
}

// testTakeRace takes many rooms for several instances at once. Each room has one winner.
func testTakeRace(t *testing.T, s suite) {
	const rooms, instances = 40, 4
	for i := range rooms {
		s.create(t, journal.Room{ID: fmt.Sprint("r", i), Kind: "match"}, row(1, 0))
	}
	var group sync.WaitGroup
	var mu sync.Mutex
	winners := map[string][]string{}
	for n := range instances {
		self := fmt.Sprint("i", n)
		for i := range rooms {
			id := fmt.Sprint("r", (i*(2*n+1))%rooms) // each in another order
			group.Go(func() {
				for {
					got, err := journal.Take(s.ctx, s.j, id, self, []string{"match"}, 5)
					switch {
					case errors.Is(err, journal.ErrConflict):
						continue
					case err != nil:
						t.Errorf("take %s: %v", id, err)
					case got.Mine:
						mu.Lock()
						winners[id] = append(winners[id], self)
						mu.Unlock()
						if got.Room.Owner != self || got.Room.Epoch != 1 {
							t.Errorf("%s won and got %+v", self, got)
						}
					case got.Room.Owner == "": // it was taken meanwhile
						continue
					}
					return
				}
			})
		}
	}
	group.Wait()
	for i := range rooms {
		id := fmt.Sprint("r", i)
		if line := s.room(t, id); len(winners[id]) != 1 || line.Owner != winners[id][0] {
			t.Errorf("winners %v, the room says %+v", winners[id], line)
		}
	}
}
