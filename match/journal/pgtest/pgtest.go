// Package pgtest gives tests a real PostgreSQL: one server for each test binary,
// in a temporary folder, and a database of its own for each test.
package pgtest

import (
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver pgx

	"mancala/match/internal/daemon"
)

// where Debian and others keep the server's programs, which are not in PATH.
var where = []string{"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/local/opt/postgresql*/bin"}

var shared = sync.OnceValues(Start)

var databases atomic.Int64

// Open gives the address of an empty database.
func Open(t testing.TB) string {
	t.Helper()
	s, err := shared()
	if err != nil {
		daemon.Missing(t, err)
	}
	name := fmt.Sprintf("test%d", databases.Add(1))
	if err := s.exec("CREATE DATABASE " + name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.exec("DROP DATABASE " + name + " WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
	return s.URL(name)
}

// Server is a PostgreSQL that a test may end and start again.
type Server struct {
	dir    string
	daemon *daemon.Daemon
}

// Start makes and starts a server. It does not wait for the disk: what it has
// acknowledged survives its own death, not the machine's.
func Start() (*Server, error) {
	initdb, err := daemon.Find("initdb", where...)
	if err != nil {
		return nil, err
	}
	dir, err := daemon.Folder("postgres")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir}
	if err := daemon.Run(dir, initdb, "--pgdata=data", "--username=mancala", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions"); err != nil {
		return nil, err
	}
	return s, s.Restart()
}

// Restart starts the server after [Server.Stop], with what it had.
func (s *Server) Restart() error {
	postgres, err := daemon.Find("postgres", where...)
	if err != nil {
		return err
	}
	s.daemon, err = daemon.Start(s.dir, "QUIT", postgres, "-D", "data", "-k", s.dir,
		"-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=300", "-c", "shared_buffers=64MB")
	if err != nil {
		return err
	}
	return s.daemon.Await(func() error { return s.exec("SELECT 1") })
}

// Stop ends the server as a crash would.
func (s *Server) Stop() { s.daemon.Stop(true) }

// URL is the address of a database of this server.
func (s *Server) URL(database string) string {
	u := url.URL{Scheme: "postgres", Path: "/" + database, RawQuery: url.Values{"host": {s.dir}, "user": {"mancala"}, "sslmode": {"disable"}}.Encode()}
	return u.String()
}

func (s *Server) exec(query string) error {
	db, err := sql.Open("pgx", s.URL("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec(query)
	return err
}

// Remove ends the server for good.
func (s *Server) Remove() {
	s.daemon.Stop(true)
	_ = os.RemoveAll(s.dir)
}
