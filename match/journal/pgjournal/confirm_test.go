package pgjournal_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"testing"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/pgjournal"
	"mancala/match/journal/pgtest"
	"mancala/match/testenv"
)

// A commit that waits for a standby which is gone is cancelled after a while and stays in
// the server. Nobody may take its row for stored until a standby can have it.
func TestRowIsNotReadBeforeStandbyHasIt(t *testing.T) {
	server, err := pgtest.Start() // of its own: the setting is the whole server's
	if err != nil {
		testenv.SkipOrFail(t, err)
	}
	t.Cleanup(server.Remove)
	standby := func(names string) {
		for _, query := range []string{"ALTER SYSTEM SET synchronous_standby_names = '" + names + "'", "SELECT pg_reload_conf()"} {
			if err := server.Exec(query); err != nil {
				t.Fatal(err)
			}
		}
	}
	url := server.URL("postgres")
	j, other := open(t, url), open(t, url)
	if err := j.Create(t.Context(), journal.Room{ID: "r", Kind: "match"}); err != nil {
		t.Fatal(err)
	}
	line, err := j.Claim(t.Context(), "r", "one", 0)
	if err != nil {
		t.Fatal(err)
	}

	standby("gone")
	awaitStandby(t, url)
	ctx, cancel := context.WithCancel(t.Context())
	answer := make(chan error, 1)
	go func() {
		answer <- j.Append(ctx, "r", journal.Row{Seq: 1, Epoch: line.Epoch, Key: "k", Data: []byte("{}")}, time.Time{})
	}()
	await(t, url, "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%INSERT INTO entries%'")
	cancel()
	if err := <-answer; !errors.Is(err, journal.ErrUnknown) {
		t.Fatalf("an append that no standby confirms: %v, want an unknown outcome", err)
	}
	await(t, url, "SELECT 1 FROM entries") // the server has cancelled the wait and shows the row to all readers
	soon, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	for name, instance := range map[string]*pgjournal.DB{"its writer": j, "another instance": other} {
		if rows, err := instance.Read(soon, "r", 0, 0); !errors.Is(err, journal.ErrUnavailable) {
			t.Errorf("%s read %d rows, %v, want no answer without a standby", name, len(rows), err)
		}
	}
	if _, err := j.Alive(t.Context(), "one"); err != nil {
		t.Errorf("a sign of life waits for no standby: %v", err)
	}
	if err := j.Confirm(soon); !errors.Is(err, journal.ErrUnavailable) {
		t.Errorf("commits are confirmed without a standby: %v", err)
	}
	if _, err := j.Room(t.Context(), "r"); err != nil {
		t.Errorf("the room's line can always be read: %v", err)
	}

	standby("")
	if err := j.Confirm(t.Context()); err != nil {
		t.Errorf("a commit that no standby must confirm: %v", err)
	}
	for name, instance := range map[string]*pgjournal.DB{"its writer": j, "another instance": other} {
		if rows, err := instance.Read(t.Context(), "r", 0, 0); err != nil || len(rows) != 1 {
			t.Errorf("%s read %d rows, %v, want the row", name, len(rows), err)
		}
	}
}

// A row that only the former server has is not confirmed by the server that takes its place, also if the
// question is put off until then because another one was being answered.
func TestRowIsNotConfirmedByAnotherServer(t *testing.T) {
	former, err := pgtest.Start()
	if err != nil {
		testenv.SkipOrFail(t, err)
	}
	t.Cleanup(former.Remove)
	successor, err := pgtest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(successor.Remove)
	j := open(t, oneOf(t, former.URL("postgres"), successor.URL("postgres")))
	if err := j.Create(t.Context(), journal.Room{ID: "r", Kind: "match"}); err != nil {
		t.Fatal(err)
	}
	line, err := j.Claim(t.Context(), "r", "one", 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Append(t.Context(), "r", journal.Row{Seq: 1, Epoch: line.Epoch, Key: "k", Data: []byte("{}")}, time.Time{}); err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"ALTER SYSTEM SET synchronous_standby_names = 'gone'", "SELECT pg_reload_conf()"} {
		if err := former.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	awaitStandby(t, former.URL("postgres"))

	const readers = 3
	answers := make(chan error, readers)
	for n := range readers {
		go func() {
			rows, err := j.Read(t.Context(), "r", 0, 0)
			if len(rows) > 0 {
				err = errors.New("the row was read")
			}
			answers <- err
		}()
		if n == 0 {
			await(t, former.URL("postgres"), "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%pg_logical_emit_message%'")
		}
	}
	await(t, former.URL("postgres"), fmt.Sprintf(
		"SELECT 1 WHERE (SELECT count(*) FROM pg_stat_activity WHERE state = 'idle' AND query LIKE '%%JOIN folded%%') >= %d", readers-1))
	former.Stop()
	for range readers {
		if err := <-answers; !errors.Is(err, journal.ErrUnavailable) {
			t.Errorf("a row that the present server does not have: %v, want that it is unavailable", err)
		}
	}
}

// oneOf returns the address of the first of two servers that answers.
func oneOf(t *testing.T, first, second string) string {
	t.Helper()
	u, err := url.Parse(first)
	if err != nil {
		t.Fatal(err)
	}
	other, err := url.Parse(second)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("host", q.Get("host")+","+other.Query().Get("host"))
	u.RawQuery = q.Encode()
	return u.String()
}

// awaitStandby waits until commits wait for a standby. A new setting counts when the checkpointer has read it. A
// session sees only what it has read itself.
func awaitStandby(t *testing.T, url string) {
	t.Helper()
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for err == nil && t.Context().Err() == nil {
		soon, cancel := context.WithTimeout(t.Context(), time.Second)
		_, err = db.ExecContext(soon, "SELECT pg_logical_emit_message(true, 'test', '')")
		cancel()
	}
}

// await waits until a query returns a row.
func await(t *testing.T, url, query string) {
	t.Helper()
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for {
		var one int
		err := db.QueryRowContext(t.Context(), query).Scan(&one)
		if err == nil {
			return
		}
		if !errors.Is(err, sql.ErrNoRows) {
			t.Fatal(err)
		}
	}
}
