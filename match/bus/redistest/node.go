package redistest

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"mancala/match/testenv"
)

// node is one of several redis-servers. It has a port on this machine.
type node struct {
	dir  string
	port string
	args []string
	run  *testenv.Process
}

// config is the name of the file into which a node may write its own configuration.
const config = "node.conf"

// startNode starts a redis-server with a port and its settings.
func startNode(t testing.TB, port, settings string, args ...string) *node {
	t.Helper()
	dir, err := testenv.TempDir("redis")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, config)
	err = os.WriteFile(file, []byte("port "+port+"\nsave \"\"\n"+settings), 0o666)
	if err == nil {
		err = os.Chmod(file, 0o666) // the server runs as another user
	}
	if err != nil {
		t.Fatal(err)
	}
	n := &node{dir: dir, port: port, args: append([]string{config}, args...)}
	n.start(t)
	t.Cleanup(func() {
		n.run.Stop(true)
		_ = os.RemoveAll(dir)
	})
	return n
}

func (n *node) start(t testing.TB) {
	t.Helper()
	program, err := testenv.Find("redis-server")
	if err != nil {
		testenv.SkipOrFail(t, err)
	}
	n.run, err = testenv.Start(n.dir, "KILL", program, n.args...)
	if err == nil {
		err = n.run.Await(func() error {
			c, err := net.Dial("tcp", n.addr())
			if err != nil {
				return err
			}
			return c.Close()
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (n *node) addr() string { return "127.0.0.1:" + n.port }

// kill ends the node as a crash would.
func (n *node) kill() { n.run.Stop(true) }

// do sends a command to the node.
func (n *node) do(args ...any) (any, error) {
	c := redis.NewClient(&redis.Options{Addr: n.addr(), MaxRetries: -1, DialerRetries: 1})
	defer c.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return c.Do(ctx, args...).Result()
}

// role returns master or slave, or an empty string if the node does not answer.
func (n *node) role() string {
	got, err := n.do("ROLE")
	list, ok := got.([]any)
	if err != nil || !ok || len(list) == 0 {
		return ""
	}
	return fmt.Sprint(list[0])
}

// linked reports whether a replica follows its master.
func (n *node) linked() bool {
	info, err := n.do("INFO", "replication")
	return err == nil && strings.Contains(fmt.Sprint(info), "master_link_status:up")
}

// freePorts returns ports that no other process uses.
func freePorts(t testing.TB, n int) (ports []string) {
	t.Helper()
	for range n {
		addr, err := testenv.FreeAddr()
		if err != nil {
			t.Fatal(err)
		}
		_, port, _ := net.SplitHostPort(addr)
		ports = append(ports, port)
	}
	return ports
}

// await tries until the condition holds.
func await(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("redistest: waiting for %s", what)
		}
	}
}
