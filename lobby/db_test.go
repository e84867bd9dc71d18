package lobby

import (
	"context"
	"errors"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"mancala/lobby/memdb"
	"mancala/match/journal/pgjournal"
	"mancala/match/journal/pgtest"
	"mancala/match/journal/sqljournal"
	"mancala/match/refusal"
)

// databases lists the kinds of database that the lobby supports.
var databases = []struct {
	name string
	open func(testing.TB) DB
}{
	{"memory", openMemory},
	{"sqlite", openSQLite},
	{"postgresql", openPostgres},
}

func openMemory(t testing.TB) DB {
	t.Helper()
	db, err := memdb.Open()
	if err != nil {
		t.Fatal(err)
	}
	closing(t, db.Close)
	return On(db)
}

func openSQLite(t testing.TB) DB {
	t.Helper()
	db, err := sqljournal.Open(t.Context(), sqljournal.Options{Path: filepath.Join(t.TempDir(), "mancala.db")})
	if err != nil {
		t.Fatal(err)
	}
	closing(t, db.Close)
	return On(db)
}

func openPostgres(t testing.TB) DB {
	t.Helper()
	db, err := pgjournal.Open(t.Context(), pgjournal.Options{URL: pgtest.Open(t)})
	if err != nil {
		t.Fatal(err)
	}
	closing(t, db.Close)
	return On(db)
}

func closing(t testing.TB, closer func() error) {
	t.Cleanup(func() {
		if err := closer(); err != nil {
			t.Error(err)
		}
	})
}

// with runs a test with each database.
func with(t *testing.T, test func(t *testing.T, db DB)) {
	for _, d := range databases {
		t.Run(d.name, func(t *testing.T) { test(t, d.open(t)) })
	}
}

// clock is a source of time that tests set.
type clock struct{ ms atomic.Int64 }

func newClock() *clock {
	c := new(clock)
	c.ms.Store(time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC).UnixMilli())
	return c
}

func (c *clock) now() time.Time          { return time.UnixMilli(c.ms.Load()) }
func (c *clock) advance(d time.Duration) { c.ms.Add(d.Milliseconds()) }

// openLobby opens a lobby whose time is the clock's.
func openLobby(t testing.TB, db DB, c *clock, opt Options) *Lobby {
	t.Helper()
	opt.now = c.now
	l, err := Open(t.Context(), db, opt)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *Lobby) mustGuest(t testing.TB) Player {
	t.Helper()
	p, err := l.People.Guest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// know inserts players with these IDs.
func (l *Lobby) know(t testing.TB, ids ...string) {
	t.Helper()
	for _, id := range ids {
		err := l.db.Write(t.Context(), func(tx Tx) error {
			_, err := tx.Exec("INSERT INTO players (id, name, created, seen) VALUES ($1, $1, 0, 0)", id)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// codeOf returns the code of a refusal, or the text of another error.
func codeOf(err error) refusal.Code {
	if err == nil {
		return ""
	}
	if code, ok := refusal.Of(err); ok {
		return code
	}
	return refusal.Code(err.Error())
}

func TestSecondLobbyReadsTheTablesOfTheFirst(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		p := openLobby(t, db, newClock(), Options{}).mustGuest(t)
		again := openLobby(t, db, newClock(), Options{})
		if got, err := again.People.Player(t.Context(), p.ID); err != nil || got.Name != p.Name {
			t.Errorf("a second lobby knows %+v, %v; want %q", got, err, p.Name)
		}
	})
}

// TestCallWithAnEndedContextWritesNothing proves that a call whose context has ended
// returns and writes nothing.
func TestCallWithAnEndedContextWritesNothing(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		p := l.mustGuest(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for name, do := range map[string]func() error{
			"guest":  func() error { _, err := l.People.Guest(ctx); return err },
			"rename": func() error { _, err := l.People.Rename(ctx, p.ID, "Ada"); return err },
			"names":  func() error { _, err := l.People.Names(ctx, []string{p.ID}); return err },
			"sweep":  func() error { return l.Sweep(ctx) },
			"say": func() error {
				_, err := l.Lines.Say(ctx, Line{Room: "r", Stream: StreamPlayers, Preset: "hello"})
				return err
			},
			"put":  func() error { return l.Games.Put(ctx, Game{Room: "r"}) },
			"of":   func() error { _, err := l.Games.Of(ctx, p.ID, 5); return err },
			"last": func() error { _, err := l.Lines.Last(ctx, "r", StreamPlayers, 5); return err },
		} {
			if err := do(); !errors.Is(err, context.Canceled) {
				t.Errorf("%s with an ended context: %v, want %v", name, err, context.Canceled)
			}
		}
		if got, err := l.People.Player(t.Context(), p.ID); err != nil || got.Name != p.Name {
			t.Errorf("afterwards the player is %+v, %v; want %q", got, err, p.Name)
		}
	})
}
