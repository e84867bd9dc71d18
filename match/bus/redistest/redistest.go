// Package redistest gives tests a real redis-server: one for each test binary, in
// a temporary folder.
package redistest

import (
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"mancala/match/internal/daemon"
)

var shared = sync.OnceValues(Start)

// Open gives the address of a server that the tests of this binary share.
func Open(t testing.TB) string {
	t.Helper()
	s, err := shared()
	if err != nil {
		daemon.Missing(t, err)
	}
	return s.URL()
}

// Server is a redis-server that a test may end and start again.
type Server struct {
	dir    string
	daemon *daemon.Daemon
}

// Start starts a server that writes nothing down.
func Start() (*Server, error) {
	dir, err := daemon.Folder("redis")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir}
	return s, s.Restart()
}

// Restart starts the server after [Server.Stop].
func (s *Server) Restart() error {
	program, err := daemon.Find("redis-server")
	if err != nil {
		return err
	}
	s.daemon, err = daemon.Start(s.dir, "KILL", program, "--port", "0", "--unixsocket", s.socket(), "--save", "", "--appendonly", "no", "--dir", s.dir)
	if err != nil {
		return err
	}
	return s.daemon.Await(func() error {
		c, err := net.Dial("unix", s.socket())
		if err != nil {
			return err
		}
		return c.Close()
	})
}

// Stop ends the server as a crash would.
func (s *Server) Stop() { s.daemon.Stop(true) }

// URL is the server's address.
func (s *Server) URL() string { return "unix://" + s.socket() }

func (s *Server) socket() string { return filepath.Join(s.dir, "redis.sock") }

// Remove ends the server for good.
func (s *Server) Remove() {
	s.daemon.Stop(true)
	_ = os.RemoveAll(s.dir)
}
