package live

import (
	"testing"
	"unsafe"
)

// A subscription fits in one cache line. A move needs only the first cache line of a
// hub (deploy/decisions/0021).
func TestLines(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("of 64 bits")
	}
	if size := unsafe.Sizeof(sub{}); size != 64 {
		t.Errorf("a tie has %d bytes", size)
	}
	if end := unsafe.Offsetof(hub{}.seq); end != 64 {
		t.Errorf("what every move needs of a hub has %d bytes", end)
	}
}
