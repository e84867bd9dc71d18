package redistest

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"mancala/match/testenv"
)

// Cluster is a Redis Cluster of three masters with one replica each.
type Cluster struct{ nodes []*node }

// StartCluster starts a Cluster that ends with the test.
func StartCluster(t testing.TB) *Cluster {
	t.Helper()
	cli, err := testenv.Find("redis-cli")
	if err != nil {
		testenv.SkipOrFail(t, err)
	}
	ports := freePorts(t, 12)
	c := new(Cluster)
	var addrs []string
	for i := range 6 {
		n := startNode(t, ports[i], "cluster-enabled yes\ncluster-port "+ports[6+i]+"\ncluster-node-timeout 1000\nrepl-diskless-sync-delay 0\n")
		c.nodes = append(c.nodes, n)
		addrs = append(addrs, n.addr())
	}
	args := append(append([]string{"--cluster", "create"}, addrs...), "--cluster-replicas", "1", "--cluster-yes")
	if out, err := exec.Command(cli, args...).CombinedOutput(); err != nil {
		t.Fatalf("redis-cli --cluster create: %v\n%s", err, out)
	}
	c.awaitReplicas(t)
	return c
}

// awaitReplicas waits until every master has a replica that follows it.
func (c *Cluster) awaitReplicas(t testing.TB) {
	t.Helper()
	await(t, "a cluster in which every master has a replica", func() bool {
		for _, n := range c.nodes {
			info, err := n.do("CLUSTER", "INFO")
			nodes, err2 := n.do("CLUSTER", "NODES")
			if err != nil || err2 != nil || !strings.Contains(fmt.Sprint(info), "cluster_state:ok") || strings.Count(fmt.Sprint(nodes), "slave") != 3 {
				return false
			}
			if n.role() == "slave" && !n.linked() {
				return false
			}
		}
		return true
	})
}

// URL returns the cluster's address.
func (c *Cluster) URL() string {
	u := "redis://" + c.nodes[0].addr() + "?"
	for _, n := range c.nodes[1:] {
		u += "addr=" + n.addr() + "&"
	}
	return strings.TrimSuffix(u, "&")
}

// KillMaster kills the master of a channel with a listener, and returns a function
// that starts it again. A replica takes its place.
func (c *Cluster) KillMaster(t testing.TB) (restart func()) {
	t.Helper()
	c.awaitReplicas(t)
	var victim *node
	await(t, "a node with listeners", func() bool {
		for _, n := range c.nodes {
			listened, err := n.do("PUBSUB", "SHARDCHANNELS")
			if list, ok := listened.([]any); err == nil && ok && len(list) > 0 {
				victim = c.masterOf(n)
				return victim != nil
			}
		}
		return false
	})
	before := c.masters()
	victim.kill()
	await(t, "a replica that takes its place", func() bool { return c.masters() == before })
	return func() { victim.start(t) }
}

// masterOf returns the master of a node's channels. A replica can have listeners too,
// and a former master is a replica.
func (c *Cluster) masterOf(n *node) *node {
	role, err := n.do("ROLE")
	list, ok := role.([]any)
	if err != nil || !ok || len(list) < 3 {
		return nil
	}
	if list[0] == "master" {
		return n
	}
	for _, other := range c.nodes {
		if other.port == fmt.Sprint(list[2]) {
			return other
		}
	}
	return nil
}

// masters returns the number of nodes that answer and report that they are masters.
func (c *Cluster) masters() (n int) {
	for _, node := range c.nodes {
		if node.role() == "master" {
			n++
		}
	}
	return n
}
