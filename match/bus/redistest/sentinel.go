package redistest

import (
	"fmt"
	"strings"
	"testing"
)

// Sentinel is a Redis server with a replica, and three Sentinels that watch both.
type Sentinel struct {
	nodes     []*node
	sentinels []*node
}

const masterName = "mancala"

// StartSentinel starts the servers. They end with the test.
func StartSentinel(t testing.TB) *Sentinel {
	t.Helper()
	ports := freePorts(t, 5)
	s := new(Sentinel)
	const quick = "repl-diskless-sync-delay 0\n"
	s.nodes = append(s.nodes, startNode(t, ports[0], quick))
	s.nodes = append(s.nodes, startNode(t, ports[1], quick+"replicaof 127.0.0.1 "+ports[0]+"\n"))
	await(t, "a replica", s.nodes[1].linked)
	for _, port := range ports[2:] {
		s.sentinels = append(s.sentinels, startNode(t, port, fmt.Sprintf(
			"sentinel monitor %[1]s 127.0.0.1 %[2]s 2\nsentinel down-after-milliseconds %[1]s 1000\nsentinel failover-timeout %[1]s 5000\n",
			masterName, ports[0]), "--sentinel"))
	}
	await(t, "Sentinels that know each other", func() bool {
		for _, n := range s.sentinels {
			info, err := n.do("INFO", "sentinel")
			if err != nil || !strings.Contains(fmt.Sprint(info), "slaves=1,sentinels=3") {
				return false
			}
		}
		return true
	})
	return s
}

// URL returns the address of the Sentinels.
func (s *Sentinel) URL() string {
	u := "redis://" + s.sentinels[0].addr() + "?master_name=" + masterName
	for _, n := range s.sentinels[1:] {
		u += "&addr=" + n.addr()
	}
	return u
}

// KillMaster kills the master and returns a function that starts it again. The
// replica takes its place.
func (s *Sentinel) KillMaster(t testing.TB) (restart func()) {
	t.Helper()
	victim, other := s.nodes[0], s.nodes[1]
	if other.role() == "master" {
		victim, other = other, victim
	}
	await(t, "a replica that follows", other.linked)
	victim.kill()
	await(t, "a replica that takes its place", func() bool { return other.role() == "master" })
	return func() { victim.start(t) }
}
