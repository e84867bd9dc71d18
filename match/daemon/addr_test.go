package daemon

import (
	"net"
	"testing"
)

// Every address can be listened on, and no address comes twice, also beyond a
// block.
func TestFreeAddr(t *testing.T) {
	seen := map[string]bool{}
	for range 2*blockSize + 1 {
		addr, err := FreeAddr()
		if err != nil {
			t.Fatal(err)
		}
		if seen[addr] {
			t.Fatalf("%s came twice", addr)
		}
		seen[addr] = true
		l, err := net.Listen("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
	}
}

// What somebody listens on is left out.
func TestFreeAddrTaken(t *testing.T) {
	taken := map[string]bool{}
	for len(taken) == 0 { // until there is a block with some left
		if _, err := FreeAddr(); err != nil {
			t.Fatal(err)
		}
		block.mu.Lock()
		next, last := block.next, block.last
		block.mu.Unlock()
		for port := next; port < min(next+3, last); port++ {
			if l, err := net.Listen("tcp", loopback(port)); err == nil {
				defer l.Close()
			}
			taken[loopback(port)] = true // by us, or by who was faster
		}
	}
	if got, err := FreeAddr(); err != nil || taken[got] {
		t.Errorf("%s, %v, where somebody listens on %v", got, err, taken)
	}
}
