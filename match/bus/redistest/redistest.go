// Package redistest gives tests a real redis-server: one for each test binary, in
// a temporary folder.
package redistest

import (
	"sync"
	"testing"

	"github.com/redis/go-redis/v9/logging"

	"mancala/match/daemon"
	"mancala/match/internal/missing"
)

// Server is a redis-server that a test may end and start again.
type Server = daemon.Redis

// Start starts a server that writes nothing down.
func Start() (*Server, error) { return daemon.StartRedis() }

// Nodes that do not answer yet, or any more, are what is tested here.
func init() { logging.Disable() }

var shared = sync.OnceValues(Start)

// Open gives the address of a server that the tests of this binary share.
func Open(t testing.TB) string {
	t.Helper()
	s, err := shared()
	if err != nil {
		missing.Program(t, err)
	}
	return s.URL()
}
