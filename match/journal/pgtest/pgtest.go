// Package pgtest gives tests a real PostgreSQL: one server for each test binary, in a
// temporary folder, and one database for each test.
package pgtest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"mancala/match/testenv"
)

// Server is a PostgreSQL that a test can stop and start again.
type Server = testenv.Postgres

// Start makes and starts a server. It does not wait for the disk: what it has
// acknowledged survives the death of the server, but not of the machine.
func Start() (*Server, error) { return testenv.StartPostgres("fsync=off", "shared_buffers=64MB") }

var shared = sync.OnceValues(Start)

var databases atomic.Int64

// Open returns the address of an empty database.
func Open(t testing.TB) string {
	t.Helper()
	s, err := shared()
	if err != nil {
		testenv.SkipOrFail(t, err)
	}
	name := fmt.Sprintf("test%d", databases.Add(1))
	if err := s.Exec("CREATE DATABASE " + name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Exec("DROP DATABASE " + name + " WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
	return s.URL(name)
}
