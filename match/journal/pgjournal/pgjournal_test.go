package pgjournal_test

import (
	"database/sql"
	"errors"
	"fmt"
	"sync"
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

func TestPgjournalKeepsTheContract(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) journal.Journal { return open(t, pgtest.Open(t)) })
}

// The test replaces the function that returns the database's time: it stands still between two steps.
func TestSilentInstanceLosesItsRooms(t *testing.T) {
	url := pgtest.Open(t)
	j := open(t, url)
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	now := time.Now()
	pass := func(d time.Duration) {
		now = now.Add(d)
		_, err := db.Exec(fmt.Sprintf("CREATE OR REPLACE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT %d::bigint'", now.UnixMilli()))
		if err != nil {
			t.Fatal(err)
		}
	}
	pass(0)
	journaltest.RunClock(t, j, pass)
}

func TestEndedProcessLosesItsRoomsSooner(t *testing.T) {
	url := pgtest.Open(t)
	first := open(t, url)
	journaltest.RunEnd(t, first, open(t, url), func() {
		if err := first.Close(); err != nil {
			t.Error(err)
		}
	})
}

// The instance signs over another connection.
func TestInstanceWhoseConnectionIsCutIsNotDead(t *testing.T) {
	url := pgtest.Open(t)
	j, other := open(t, url), open(t, url)
	if _, err := j.Alive(t.Context(), "cut"); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var cut bool
	if err := db.QueryRow("SELECT pg_terminate_backend(backend, 60000) FROM instances WHERE id = 'cut'").Scan(&cut); err != nil || !cut {
		t.Fatal(cut, err)
	}
	for deadline := time.Now().Add(time.Minute); ; {
		if _, err = j.Alive(t.Context(), "cut"); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	_, err = db.Exec(fmt.Sprintf("UPDATE instances SET alive_at = alive_at - %d", 2*journal.GoneAfter.Milliseconds()))
	if err != nil {
		t.Fatal(err)
	}
	if dead, err := other.Dead(t.Context()); err != nil || len(dead) != 0 {
		t.Errorf("the dead are %v (%v)", dead, err)
	}
}

func TestInstanceThatLeftIsNotDeadUnlessItOwnsRooms(t *testing.T) {
	url := pgtest.Open(t)
	j := open(t, url)
	if err := j.Create(t.Context(), journal.Room{ID: "r", Kind: "match"}); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Claim(t.Context(), "r", "careless", 0); err != nil {
		t.Fatal(err)
	}
	for _, self := range []string{"careless", "careful"} {
		if _, err := j.Alive(t.Context(), self); err != nil {
			t.Fatal(err)
		}
		if err := j.Leave(t.Context(), self); err != nil {
			t.Fatal(err)
		}
	}
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, err = db.Exec(fmt.Sprintf("UPDATE instances SET alive_at = alive_at - %d", journal.DeadAfter.Milliseconds()))
	if err != nil {
		t.Fatal(err)
	}
	if dead, err := j.Dead(t.Context()); err != nil || fmt.Sprint(dead) != "[careless]" {
		t.Errorf("the dead are %v (%v), want the careless", dead, err)
	}
}

// The other side of a connection may be cut off without a word. Its connections would otherwise
// count against the server's limit for two hours. A connection without a network, as here, is not
// probed, but has the settings.
func TestServerProbesItsConnections(t *testing.T) {
	db := open(t, pgtest.Open(t))
	for name, want := range map[string]string{
		"tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "2", "tcp_user_timeout": "20000",
	} {
		var got, source string
		err := db.Reader().QueryRow("SELECT reset_val, source FROM pg_settings WHERE name = $1", name).Scan(&got, &source)
		if err != nil || got != want || source != "client" {
			t.Errorf("%s is %q, by the %s (%v), want %s", name, got, source, err, want)
		}
	}
}

// Players who come to the games of a round ask for their lines at the same time.
func TestEachCallerGetsTheLineOfItsRoom(t *testing.T) {
	db := open(t, pgtest.Open(t))
	const rooms = 100
	for i := range rooms {
		if err := db.Create(t.Context(), journal.Room{ID: fmt.Sprint("r", i), Kind: "match"}); err != nil {
			t.Fatal(err)
		}
	}
	var group sync.WaitGroup
	for i := range 3 * rooms { // a third of them do not exist, and some are asked for twice
		id := fmt.Sprint("r", i/2)
		group.Go(func() {
			line, err := db.Room(t.Context(), id)
			if there := i/2 < rooms; there && (err != nil || line.ID != id) || !there && !errors.Is(err, journal.ErrNoRoom) {
				t.Errorf("the line of %s is that of %q, %v", id, line.ID, err)
			}
		})
	}
	group.Wait()
}
