package pgjournal_test

import (
	"database/sql"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"mancala/match/journal/pgjournal"
	"mancala/match/journal/pgtest"
)

// Two transactions look for a line, do not find it, and add it at the same moment.
func TestTwoTransactionsThatAddTheSameLineActAsOneAfterTheOther(t *testing.T) {
	url := pgtest.Open(t)
	one, other := open(t, url), open(t, url)
	ctx := t.Context()
	// The index that finds the line is not the one of its key. PostgreSQL notices the
	// duplicate key before it notices that one transaction has read what the other
	// writes.
	if err := one.Migrate(ctx, "test", []string{"CREATE TABLE lines (id text PRIMARY KEY, room text, n integer); CREATE INDEX lines_room ON lines (room)"}); err != nil {
		t.Fatal(err)
	}
	watch, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer watch.Close()
	add := func(tx *pgjournal.Tx, before func() error) error {
		var n int
		if _, err := tx.Exec("SET LOCAL enable_seqscan = off"); err != nil {
			return err
		}
		if err := tx.Scan("SELECT count(*) FROM lines WHERE room = 'r'", nil, &n); err != nil {
			return err
		}
		if n > 0 {
			_, err := tx.Exec("UPDATE lines SET n = n + 1 WHERE room = 'r'")
			return err
		}
		if err := before(); err != nil {
			return err
		}
		_, err := tx.Exec("INSERT INTO lines VALUES ('a', 'r', 1)")
		return err
	}
	runs, looked, added := 0, make(chan struct{}), make(chan struct{})
	done := make(chan error, 1)
	go func() {
		done <- other.Write(ctx, func(tx *pgjournal.Tx) error {
			runs++
			return add(tx, func() error { close(looked); <-added; return nil })
		})
	}()
	<-looked
	if err := one.Write(ctx, func(tx *pgjournal.Tx) error { return add(tx, func() error { return nil }) }); err != nil {
		t.Fatal(err)
	}
	close(added)
	if err := <-done; err != nil {
		t.Error(err)
	}
	var n int
	if err := watch.QueryRow("SELECT n FROM lines").Scan(&n); err != nil || n != 2 || runs != 2 {
		t.Errorf("n is %d after %d runs, want 2 after 2 (%v)", n, runs, err)
	}
	// A transaction that adds an existing line in every attempt is a mistake, and it
	// ends.
	err = one.Write(ctx, func(tx *pgjournal.Tx) error {
		_, err := tx.Exec("INSERT INTO lines VALUES ('a', 's', 1)")
		return err
	})
	if pg := new(pgconn.PgError); !errors.As(err, &pg) || pg.Code != "23505" {
		t.Errorf("a line twice: %v", err)
	}
}
