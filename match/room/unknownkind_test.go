package room

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/memjournal"
)

// later is a kind of room that only instances of the next release know.
const later = "later"

func knowsLater(c *Config) { c.Kinds[later] = newLedger }

func TestRoomOfAnUnknownKindIsLeftAlone(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		const rooms = scanBatch + 50 // so many that a scan lists no other room
		for n := range rooms {
			r := journal.Room{ID: fmt.Sprint("r", n), Kind: later, Wake: time.Now()}
			if err := w.journal.Create(w.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
		known := journal.Room{ID: "known", Kind: "ledger", Wake: time.Now().Add(time.Second)}
		if err := w.journal.Create(w.Context(), known); err != nil {
			t.Fatal(err)
		}
		pass(10 * time.Second)
		if line, err := w.journal.Room(w.Context(), "known"); err != nil || line.Epoch == 0 {
			t.Errorf("the room of a known kind was not opened: %+v, %v", line, err)
		}
		_, do := w.Do(w.Context(), "r0", cmd("ann", "sit", 1))
		_, view := w.View(w.Context(), "r0", "eve")
		_, _, replay := w.Replay(w.Context(), "r0")
		_, entries := w.Entries(w.Context(), "r0", "eve")
		_, follow := w.Follow(w.Context(), "r0", &hub{})
		create := w.Create(w.Context(), "new", later)
		for what, err := range map[string]error{"do": do, "view": view, "replay": replay, "entries": entries, "follow": follow, "create": create} {
			if !errors.Is(err, ErrTooNew) {
				t.Errorf("%s: %v", what, err)
			}
		}
		asleep := journal.Room{ID: "asleep", Kind: later} // Rouse opens only rooms without a wake time
		if err := w.journal.Create(w.Context(), asleep); err != nil {
			t.Fatal(err)
		}
		if err := w.Rouse(w.Context(), "asleep"); err != nil {
			t.Errorf("rouse: %v", err)
		}
		for n := range rooms {
			if line, err := w.journal.Room(w.Context(), fmt.Sprint("r", n)); err != nil || line.Epoch != 0 {
				t.Fatalf("the room was claimed: %+v, %v", line, err)
			}
		}
		if n := w.seen.of("quarantine"); n != 0 {
			t.Errorf("%d rooms are in quarantine", n)
		}
	})
}

func TestRoomOfAnUnknownKindRunsOnANewerInstance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, on := memjournal.New(), newWire(1)
		older := newWorldOn(t, on, "older", j, nil)
		newer := newWorldOn(t, on, "newer", j, nil, knowsLater)
		if err := newer.Create(t.Context(), "r1", later, cmd("", "open", 0), cmd("ann", "sit", 0)); err != nil {
			t.Fatal(err)
		}
		newer.must("r1", cmd("ann", "add", 3))
		if _, err := older.Do(t.Context(), "r1", cmd("ann", "add", 4)); !errors.Is(err, ErrTooNew) {
			t.Errorf("a command through the older instance: %v", err)
		}
		on.set(1, 0)
		newer.stop() // without a word
		on.set(0, 0)
		j.End("newer")
		pass(20 * time.Second)
		if _, err := older.Do(t.Context(), "r1", cmd("ann", "add", 5)); !errors.Is(err, ErrTooNew) {
			t.Errorf("a command after the newer instance has died: %v", err)
		}
		again := newWorldOn(t, on, "again", j, nil, knowsLater)
		again.must("r1", cmd("ann", "add", 5))
		if l := again.ledger("r1", "eve"); l.Sum != 8 {
			t.Errorf("the sum is %d", l.Sum)
		}
	})
}
