// Package lobbytest opens, for tests, every kind of database that a package with tables
// of its own must support.
package lobbytest

import (
	"path/filepath"
	"testing"

	"mancala/lobby"
	"mancala/lobby/memdb"
	"mancala/match/journal/pgjournal"
	"mancala/match/journal/pgtest"
	"mancala/match/journal/sqljournal"
)

// With runs a test with each kind of database. Each one starts empty.
func With(t *testing.T, test func(t *testing.T, db lobby.DB)) {
	for _, d := range []struct {
		name string
		open func(testing.TB) lobby.DB
	}{{"memory", Memory}, {"sqlite", SQLite}, {"postgresql", Postgres}} {
		t.Run(d.name, func(t *testing.T) { test(t, d.open(t)) })
	}
}

// Memory opens a database in memory.
func Memory(t testing.TB) lobby.DB {
	t.Helper()
	db, err := memdb.Open()
	return opened(t, db, err)
}

// SQLite opens a database in a file.
func SQLite(t testing.TB) lobby.DB {
	t.Helper()
	db, err := sqljournal.Open(t.Context(), sqljournal.Options{Path: filepath.Join(t.TempDir(), "mancala.db")})
	return opened(t, db, err)
}

// Postgres opens a database on a real server. Where there is none it skips or fails the
// test.
func Postgres(t testing.TB) lobby.DB {
	t.Helper()
	db, err := pgjournal.Open(t.Context(), pgjournal.Options{URL: pgtest.Open(t)})
	return opened(t, db, err)
}

// opened returns an open database and closes it when the test ends.
func opened[T lobby.Tx, H interface {
	lobby.Handle[T]
	Close() error
}](t testing.TB, db H, err error) lobby.DB {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return lobby.On[T](db)
}

// Guests makes a guest for each of these names, and returns their IDs by name. A guest's own
// name is another one.
func Guests(t testing.TB, people *lobby.People, names ...string) map[string]string {
	t.Helper()
	ids := make(map[string]string, len(names))
	for _, name := range names {
		p, err := people.Guest(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ids[name] = p.ID
	}
	return ids
}
