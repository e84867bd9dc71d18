package pgjournal_test

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/journaltest"
	"mancala/match/journal/pgjournal"
	"mancala/match/journal/pgtest"
)

func open(t testing.TB, url string) *pgjournal.DB {
	t.Helper()
	db, err := pgjournal.Open(t.Context(), pgjournal.Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func TestJournal(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) journal.Journal { return open(t, pgtest.Open(t)) })
}

// TestClock moves the database's time by giving it another clock.
func TestClock(t *testing.T) {
	url := pgtest.Open(t)
	j := open(t, url)
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ahead := time.Duration(0)
	journaltest.RunClock(t, j, func(d time.Duration) {
		ahead += d
		_, err := db.Exec(fmt.Sprintf(`CREATE OR REPLACE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE
			AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint + %d'`, ahead.Milliseconds()))
		if err != nil {
			t.Fatal(err)
		}
	})
}
