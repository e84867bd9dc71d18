package testenv

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
)

// Ports are claimed in blocks. They are below the ports that systems give to outgoing
// connections and to listeners on any port (49152 and above by RFC 6335; Linux begins at
// 32768). Another process can take such a port at any time, even between a server's end
// and its next start.
const (
	firstPort  = 20_000
	portBlocks = 120
	blockSize  = 100
)

// block is the rest of the block of ports that this process has claimed.
var block struct {
	mu         sync.Mutex
	next, last int
	claims     []net.Listener // listeners on the first port of each block, open as long as the process lives
}

// FreeAddr returns a loopback address, as host:port, for a server that cannot report its
// port or that will be started again on the same port. No process listens there. As long
// as this process lives, no other call in any process returns the same address.
func FreeAddr() (string, error) {
	block.mu.Lock()
	defer block.mu.Unlock()
	for {
		for block.next < block.last {
			addr := loopback(block.next)
			block.next++
			if l, err := net.Listen("tcp", addr); err == nil {
				return addr, l.Close()
			}
		}
		if err := claimBlock(); err != nil {
			return "", err
		}
	}
}

// claimBlock claims a block that no other process has.
func claimBlock() error {
	for _, i := range rand.Perm(portBlocks) {
		first := firstPort + i*blockSize
		l, err := net.Listen("tcp", loopback(first))
		if err == nil {
			block.claims = append(block.claims, l)
			block.next, block.last = first+1, first+blockSize
			return nil
		}
	}
	return errors.New("testenv: no port is free")
}

func loopback(port int) string { return fmt.Sprintf("127.0.0.1:%d", port) }

// Addr is [FreeAddr] for a test.
func Addr(t testing.TB) string {
	t.Helper()
	addr, err := FreeAddr()
	if err != nil {
		t.Fatal(err)
	}
	return addr
}
