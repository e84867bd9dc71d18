package sqljournal

import (
	"fmt"
	"testing"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/foldtest"
)

// daily plays a game in which the room is released after each row, as a game with days per
// move does. It sleeps for good at the end.
func daily(t *testing.T, db *DB, id string, rows []journal.Row) {
	t.Helper()
	ctx := t.Context()
	if err := db.Create(ctx, journal.Room{ID: id, Kind: "match", Wake: time.Now().Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		line, err := db.Claim(ctx, id, "a", uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		row.Epoch = line.Epoch
		if err := db.Append(ctx, id, row, time.Time{}); err != nil {
			t.Fatal(err)
		}
		wake := time.Now().Add(time.Hour)
		if i == len(rows)-1 {
			wake = time.Time{}
		}
		if err := db.Release(ctx, id, "a", line.Epoch, wake); err != nil {
			t.Fatal(err)
		}
	}
}

func count(t *testing.T, db *DB, table string) (n int) {
	t.Helper()
	if err := db.Reader().QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestFinishedGameBecomesOneCompactRow(t *testing.T) {
	db := reopen(t, Options{Path: file(t)})
	rows := foldtest.Recorded(t, "../../testdata/pressman.journal", 1)
	daily(t, db, "r", rows)
	if n := count(t, db, "segments"); n != len(rows) {
		t.Fatalf("%d segments before, want %d", n, len(rows))
	}
	ids, err := db.Unfolded(t.Context(), 10)
	if err != nil || fmt.Sprint(ids) != "[r]" {
		t.Fatal(ids, err)
	}
	if err := db.Fold(t.Context(), "r"); err != nil {
		t.Fatal(err)
	}
	var size int
	if err := db.Reader().QueryRow("SELECT length(data) FROM folded").Scan(&size); err != nil {
		t.Fatal(err)
	}
	if n := count(t, db, "segments"); n != 0 || size > 2000 {
		t.Errorf("%d segments are left, and %d bytes are packed", n, size)
	}
}

// The log may still have rows of a room that was deleted.
func TestLogOfADeletedRoomDoesNotHinderTheStart(t *testing.T) {
	db := reopen(t, Options{Path: file(t)})
	rows := foldtest.Recorded(t, "../../testdata/kalah.journal", 1)
	daily(t, db, "deleted", rows)
	daily(t, db, "kept", rows)
	if err := db.Delete(t.Context(), "deleted"); err != nil {
		t.Fatal(err)
	}
	if n := count(t, db, "log"); n == 0 {
		t.Fatal("the log is empty")
	}
	after := reopen(t, Options{Path: crash(t, db)})
	if got, err := after.Read(t.Context(), "kept", 0, 0); err != nil || len(got) != len(rows) {
		t.Errorf("%d rows, %v", len(got), err)
	}
	if _, err := after.Room(t.Context(), "deleted"); err == nil {
		t.Error("the deleted room is back")
	}
}

func TestListOfRoomsToFoldGoesOnWhereItEnded(t *testing.T) {
	db := reopen(t, Options{Path: file(t)})
	const rooms = 450 // more than are looked at in one query
	for i := range rooms {
		r := journal.Room{ID: fmt.Sprint("r", i), Kind: "match"}
		if i%3 > 0 {
			r.Wake = time.Now().Add(time.Hour)
		}
		if err := db.Create(t.Context(), r, journal.Row{Seq: 1}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // nothing is folded, so the second round finds the same
		seen := map[string]bool{}
		for {
			ids, err := db.Unfolded(t.Context(), 7)
			if err != nil {
				t.Fatal(err)
			}
			if len(ids) == 0 {
				break
			}
			for _, id := range ids {
				if seen[id] {
					t.Errorf("%s was listed twice", id)
				}
				seen[id] = true
			}
		}
		if len(seen) != rooms/3 {
			t.Errorf("%d rooms were listed, want %d", len(seen), rooms/3)
		}
	}
}

// TestDatabaseOfTheReleaseBeforeIsFolded opens a database without the table of folded rooms.
func TestDatabaseOfTheReleaseBeforeIsFolded(t *testing.T) {
	path := file(t)
	db, err := Open(t.Context(), Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	rows := foldtest.Recorded(t, "../../testdata/kalah.journal", 1)
	daily(t, db, "r", rows)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	change(t, path, "DROP TABLE folded", "UPDATE migrations SET version = 1 WHERE name = 'journal'")
	again := reopen(t, Options{Path: path})
	for ids, err := again.Unfolded(t.Context(), 10); len(ids) > 0 || err != nil; ids, err = again.Unfolded(t.Context(), 10) {
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			if err := again.Fold(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got, err := again.Read(t.Context(), "r", 0, 0); err != nil || len(got) != len(rows) || count(t, again, "segments") != 0 || count(t, again, "folded") != 1 {
		t.Errorf("%d rows, %v, %d segments", len(got), err, count(t, again, "segments"))
	}
}
