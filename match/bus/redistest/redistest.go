// Package redistest gives tests a real redis-server: one for each test binary, in
// a temporary folder.
package redistest

import (
	"sync"
	"testing"

	"github.com/redis/go-redis/v9/logging"

	"mancala/match/testenv"
)

// Server is a redis-server that a test may end and start again.
type Server = testenv.Redis

// Start starts a server that writes nothing down.
func Start() (*Server, error) { return testenv.StartRedis() }

// Nodes that do not answer yet, or any more, are what is tested here.
func init() { logging.Disable() }

var shared = sync.OnceValues(Start)

// Open gives the address of a server that the tests of this binary share.
func Open(t testing.TB) string {
	t.Helper()
	s, err := shared()
	if err != nil {
		testenv.SkipOrFail(t, err)
	}
	return s.URL()
}
