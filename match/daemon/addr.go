package daemon

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
)

// Ports come in blocks. They are below those that systems give to outgoing
// connections and to whoever listens on any port (49152 and above by RFC 6335;
// Linux begins at 32768): such a port may be taken by anybody at any time, also
// between a server's end and its next start.
const (
	firstPort  = 20_000
	portBlocks = 120
	blockSize  = 100
)

// block is what is left of the block of ports that this process has.
var block struct {
	mu         sync.Mutex
	next, last int
	claims     []net.Listener // on the first port of each block, as long as the process lives
}

// FreeAddr is an address of loopback, as host:port, for a server that cannot say
// which port it got, or that will be started again on the same. Nobody listens
// there, and nobody else who asks for one gets it as long as this process lives.
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

// claimBlock finds a block that no other process has.
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
	return errors.New("daemon: no port is free")
}

func loopback(port int) string { return fmt.Sprintf("127.0.0.1:%d", port) }
