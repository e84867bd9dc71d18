// Package pgtest gives tests a real PostgreSQL: one server for each test binary, in a
// temporary folder, and one database for each test.
package pgtest

import (
	"fmt"
	"sync"
	"testing"

	"mancala/match/testenv"
)

// Server is a PostgreSQL that a test can stop and start again.
type Server = testenv.Postgres

// Start makes and starts a server. It does not wait for the disk: what it has
// acknowledged survives the death of the server, but not of the machine.
func Start() (*Server, error) { return testenv.StartPostgres("fsync=off", "shared_buffers=64MB") }

var shared = sync.OnceValues(Start)

// emptied are databases of tests that have ended. To make and to drop a database took most of the time of
// a short test.
var emptied struct {
	mu    sync.Mutex
	names []string
	made  int // how many names there have been
}

// Open returns the address of an empty database.
func Open(t testing.TB) string {
	t.Helper()
	s, err := shared()
	if err != nil {
		testenv.SkipOrFail(t, err)
	}
	name, used := next()
	if !used {
		if err := s.Exec("CREATE DATABASE " + name); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if err := empty(s, name); err != nil {
			t.Error(err)
		}
	})
	return s.URL(name)
}

// next returns the name of an empty database, or a name for a new one.
func next() (name string, used bool) {
	emptied.mu.Lock()
	defer emptied.mu.Unlock()
	if n := len(emptied.names); n > 0 {
		name, emptied.names = emptied.names[n-1], emptied.names[:n-1]
		return name, true
	}
	return newName(), false
}

// newName returns a name that no database has had. The caller holds the lock.
func newName() string {
	emptied.made++
	return fmt.Sprintf("test%d", emptied.made)
}

// empty prepares a database for another test. It ends all connections, and gives the database a new name,
// so that nothing that a test has left behind finds it again.
func empty(s *Server, name string) error {
	emptied.mu.Lock()
	now := newName()
	emptied.mu.Unlock()
	for _, do := range []struct{ database, statement string }{
		{"postgres", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'"},
		{"postgres", "ALTER DATABASE " + name + " RENAME TO " + now},
		{now, "DROP SCHEMA public CASCADE; CREATE SCHEMA public"},
	} {
		if err := s.ExecIn(do.database, do.statement); err != nil {
			return fmt.Errorf("%s: %w", do.statement, err)
		}
	}
	emptied.mu.Lock()
	emptied.names = append(emptied.names, now)
	emptied.mu.Unlock()
	return nil
}
