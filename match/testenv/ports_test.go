package testenv

import (
	"net"
	"testing"
)

func TestFreeAddressesDifferAndCanBeListenedOnBeyondABlock(t *testing.T) {
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

func TestFreeAddressSkipsPortsWithAListener(t *testing.T) {
	taken := map[string]bool{}
	for len(taken) == 0 { // until a block has ports left
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
			taken[loopback(port)] = true // by this test, or by a faster process
		}
	}
	if got, err := FreeAddr(); err != nil || taken[got] {
		t.Errorf("got %s, %v, although processes listen on %v", got, err, taken)
	}
}
