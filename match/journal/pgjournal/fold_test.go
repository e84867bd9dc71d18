package pgjournal_test

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"testing"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/foldtest"
	"mancala/match/journal/pgjournal"
	"mancala/match/journal/pgtest"
)

// plain opens the database without the journal.
func plain(t *testing.T, url string) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func exec(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func number(t *testing.T, db *sql.DB, query string) (n int) {
	t.Helper()
	if err := db.QueryRow(query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

// ended creates a room that sleeps for good.
func ended(t *testing.T, j *pgjournal.DB, id string, rows ...journal.Row) {
	t.Helper()
	if err := j.Create(t.Context(), journal.Room{ID: id, Kind: "match"}, rows...); err != nil {
		t.Fatal(err)
	}
}

// foldAll folds all rooms that are listed, at most most of them, and returns their number.
func foldAll(t *testing.T, j *pgjournal.DB, most int) (n int) {
	t.Helper()
	for n < most {
		ids, err := j.Unfolded(t.Context(), most-n)
		if err != nil {
			t.Fatal(err)
		}
		if len(ids) == 0 {
			break
		}
		for _, id := range ids {
			if err := j.Fold(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
		n += len(ids)
	}
	return n
}

func TestFinishedGameTakesAtMostTwoKilobytesOfADatabase(t *testing.T) {
	url := pgtest.Open(t)
	j, db := open(t, url), plain(t, url)
	const games = 400
	for i := range games {
		ended(t, j, fmt.Sprint("r", i), foldtest.Recorded(t, "../../testdata/pressman.journal", uint64(i))...)
	}
	size := func(table string) int {
		return number(t, db, "SELECT pg_total_relation_size('"+table+"')") / games
	}
	before := size("entries")
	if n := foldAll(t, j, games+1); n != games {
		t.Errorf("%d rooms were folded, want %d", n, games)
	}
	if n := number(t, db, "SELECT count(*) FROM entries"); n != 0 {
		t.Errorf("%d entries are left", n)
	}
	after, line := size("folded"), size("rooms")
	t.Logf("a game of 42 entries takes %d bytes, and %d folded; its line takes %d", before, after, line)
	if after > 2000 || line > 400 {
		t.Errorf("a folded game takes %d bytes, and its line %d", after, line)
	}
	for _, i := range []int{0, games - 1} {
		want := foldtest.Recorded(t, "../../testdata/pressman.journal", uint64(i))
		rows, err := j.Read(t.Context(), fmt.Sprint("r", i), 0, 0)
		if err != nil || !slices.EqualFunc(rows, want, func(a, b journal.Row) bool {
			return a.Seq == b.Seq && a.Key == b.Key && string(a.Data) == string(b.Data)
		}) {
			t.Errorf("game %d: %d rows, %v", i, len(rows), err)
		}
	}
}

// An instance of the release before finds no rows of a folded room.
func TestRoomsAreFoldedOnlyWhileEveryInstanceReadsThem(t *testing.T) {
	url := pgtest.Open(t)
	j, db := open(t, url), plain(t, url)
	if _, err := j.Alive(t.Context(), "new"); err != nil {
		t.Fatal(err)
	}
	rows := foldtest.Recorded(t, "../../testdata/kalah.journal", 1)
	ended(t, j, "r", rows...)
	// The statement of the release before.
	exec(t, db, `INSERT INTO instances (id, alive_at, backend) VALUES ('old', now_ms(), pg_backend_pid())
		ON CONFLICT (id) DO UPDATE SET alive_at = excluded.alive_at, backend = excluded.backend`)
	folded := func() int { return number(t, db, "SELECT count(*) FROM folded") }
	if err := j.Fold(t.Context(), "r"); err != nil {
		t.Fatal(err)
	}
	if n := foldAll(t, j, 10); n != 0 || folded() != 0 || number(t, db, "SELECT count(*) FROM entries") != len(rows) {
		t.Errorf("%d rooms are listed and %d are folded while an old instance runs", n, folded())
	}
	exec(t, db, "UPDATE instances SET alive_at = alive_at - 1000 * 60 * 59 WHERE id = 'old'") // it may be frozen
	if n := foldAll(t, j, 10); n != 0 || folded() != 0 {
		t.Errorf("%d rooms are listed and %d are folded while an old instance may be frozen", n, folded())
	}
	exec(t, db, "UPDATE instances SET alive_at = alive_at - 1000 * 60 * 2 WHERE id = 'old'")
	if n := foldAll(t, j, 10); n != 1 || folded() != 1 || number(t, db, "SELECT count(*) FROM entries") != 0 {
		t.Errorf("%d rooms are listed and %d are folded after the old instance has gone", n, folded())
	}
}

func TestFormIsReadByAllOnceNoOlderInstanceMayRun(t *testing.T) {
	url := pgtest.Open(t)
	j, db := open(t, url), plain(t, url)
	if _, err := j.Alive(t.Context(), "new"); err != nil {
		t.Fatal(err)
	}
	check := func(want bool, when string) {
		t.Helper()
		if got, err := j.AllRead(t.Context(), journal.FormTournaments); got != want || err != nil {
			t.Errorf("%s: all read tournaments: %t, %v, want %t", when, got, err, want)
		}
	}
	exec(t, db, "INSERT INTO instances (id, alive_at, reads) VALUES ('old', now_ms(), 1)")
	check(false, "an old instance runs")
	if all, err := j.AllRead(t.Context(), journal.FormFolded); !all || err != nil {
		t.Errorf("the old instance reads folded rooms: %t, %v", all, err)
	}
	exec(t, db, "UPDATE instances SET alive_at = alive_at - 1000 * 60 * 59 WHERE id = 'old'")
	check(false, "an old instance may be frozen")
	exec(t, db, "UPDATE instances SET alive_at = alive_at - 1000 * 60 * 2 WHERE id = 'old'")
	check(true, "the old instance has gone")
	exec(t, db, "UPDATE instances SET alive_at = now_ms(), reads = 1")
	check(false, "both instances are old")
	if _, err := j.Alive(t.Context(), "new"); err != nil {
		t.Fatal(err)
	}
	exec(t, db, "DELETE FROM instances WHERE id = 'old'")
	check(true, "an instance of the same name has started with this release")
}

// TestRoomsOfAnExistingDatabaseAreFoldedStepByStep makes a database as the release before
// left it.
func TestRoomsOfAnExistingDatabaseAreFoldedStepByStep(t *testing.T) {
	url := pgtest.Open(t)
	db := plain(t, url)
	j := open(t, url)
	const games = 1200
	for i := range games {
		ended(t, j, fmt.Sprint("r", i), journal.Row{Seq: 1, Key: "k", Data: []byte("{}")}, journal.Row{Seq: 2, Key: "l", Data: []byte("{}")})
	}
	if err := j.Create(t.Context(), journal.Room{ID: "going", Kind: "match", Wake: time.Now().Add(time.Hour)}, journal.Row{Seq: 1}); err != nil {
		t.Fatal(err)
	}
	exec(t, db, "DROP TABLE folded", "DROP TABLE unfolded", "DROP TABLE folding", "ALTER TABLE instances DROP COLUMN reads",
		"UPDATE migrations SET version = 2 WHERE name = 'journal'")
	done := 0
	for _, most := range []int{7, 600, games} { // broken off twice
		next, err := pgjournal.Open(t.Context(), pgjournal.Options{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		done += foldAll(t, next, most)
		if n := number(t, db, "SELECT count(*) FROM folded"); n != done {
			t.Errorf("%d rooms are folded, want %d", n, done)
		}
		if err := next.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if done != games || number(t, db, "SELECT count(*) FROM entries") != 1 || number(t, db, "SELECT count(*) FROM folding") != 0 {
		t.Errorf("%d rooms were folded, %d entries are left; want %d and 1", done, number(t, db, "SELECT count(*) FROM entries"), games)
	}
}

func TestRoomWithAGapIsNotFolded(t *testing.T) {
	url := pgtest.Open(t)
	j, db := open(t, url), plain(t, url)
	ended(t, j, "r", journal.Row{Seq: 1}, journal.Row{Seq: 2}, journal.Row{Seq: 3})
	exec(t, db, "DELETE FROM entries WHERE seq = 2")
	if n := foldAll(t, j, 10); n == 0 {
		t.Error("no room was tried")
	}
	if n := number(t, db, "SELECT count(*) FROM entries"); n != 2 {
		t.Errorf("%d entries are left, want the 2 that there were", n)
	}
}

func TestFoldThatIsBrokenOffChangesNothing(t *testing.T) {
	j := open(t, pgtest.Open(t))
	ended(t, j, "r", journal.Row{Seq: 1, Key: "k"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := j.Fold(ctx, "r"); err == nil {
		t.Error("no error")
	}
	if rows, err := j.Read(t.Context(), "r", 0, 0); err != nil || len(rows) != 1 {
		t.Error(rows, err)
	}
}
