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
	if _, err := FreeAddr(); err != nil { // claims a block if there is none yet
		t.Fatal(err)
	}
	block.mu.Lock()
	next := loopback(block.next)
	block.mu.Unlock()
	l, err := net.Listen("tcp", next)
	if err != nil {
		t.Skip(err) // the block has ended, or somebody was faster
	}
	defer l.Close()
	if got, err := FreeAddr(); err != nil || got == next {
		t.Errorf("%s, %v, where somebody listens on %s", got, err, next)
	}
}
