// Package redistest gives tests real Redis servers in temporary folders: one server
// for each test binary, a Cluster, or a server with Sentinels.
package redistest

import (
	"sync"
	"testing"

	"github.com/redis/go-redis/v9/logging"

	"mancala/match/testenv"
)

// Server is a redis-server that a test can stop and start again.
type Server = testenv.Redis

// Start starts a server that stores nothing on disk.
func Start() (*Server, error) { return testenv.StartRedis() }

// The tests stop nodes on purpose, so the client's messages about lost nodes are of
// no interest.
func init() { logging.Disable() }

var shared = sync.OnceValues(Start)

// Open returns the address of a server that the tests of this binary share.
func Open(t testing.TB) string {
	t.Helper()
	s, err := shared()
	if err != nil {
		testenv.SkipOrFail(t, err)
	}
	return s.URL()
}
