package think

import (
	"context"
	"syscall"
	"testing"
)

// TestLower: a worker's thread steps back from where the process began, also where that
// was not 0.
func TestLower(t *testing.T) {
	kernel := func() int { // how the kernel counts: 40 for a niceness of -20, 1 for 19
		n, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0)
		if err != nil {
			t.Error(err)
		}
		return n
	}
	p := New(Options{Workers: 1})
	defer p.Close()
	want, got := max(kernel()-niceness, 1), 0
	if err := p.Do(context.Background(), Job{}, func(context.Context) { got = kernel() }); err != nil || got != want {
		t.Errorf("a worker runs at %d of 40, want %d: %v", got, want, err)
	}
}
