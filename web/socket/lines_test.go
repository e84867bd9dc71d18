package socket

import (
	"testing"
	"unsafe"
)

// Every write needs the first cache line of a socket and of its connection, every
// read the second of both (deploy/decisions/0021). The allocator's objects of 256
// and 192 bytes all begin at a cache line.
func TestLines(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("of 64 bits")
	}
	var (
		s Socket
		c Conn
	)
	if size, write, read := unsafe.Sizeof(s), unsafe.Offsetof(s.ws), unsafe.Offsetof(s.head); size != 256 || write != 64 || read != 128 {
		t.Errorf("a socket has %d bytes, of which %d are for writes and %d for both", size, write, read)
	}
	if size, write, read := unsafe.Sizeof(c), unsafe.Offsetof(c.raw), unsafe.Offsetof(c.rest); size != 192 || write != 64 || read != 128 {
		t.Errorf("a connection has %d bytes, of which %d are for writes and %d for both", size, write, read)
	}
}
