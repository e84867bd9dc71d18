package main

import (
	"testing"
	"time"
)

// Few leave one after the other, and many no later than they have to: as if all went
// at the same moment, the last of them comes away in time.
func TestGently(t *testing.T) {
	for _, tt := range []struct {
		n            int
		within, last time.Duration // of the last
	}{
		{1, 4 * time.Second, 0},
		{250, 4 * time.Second, time.Second},
		{1000, 4 * time.Second, 4 * time.Second},
		{50_000, 4 * time.Second, 4 * time.Second},
		{1000, 0, 0}, // there is no time
		{0, 0, 0},
	} {
		start := time.Now()
		pace := gently(tt.within, tt.n)
		var last time.Duration
		for range tt.n {
			last = pace.ReserveN(start, 1).DelayFrom(start)
		}
		if last > tt.last || last < tt.last*9/10 {
			t.Errorf("%d within %v: the last after %v, want %v", tt.n, tt.within, last, tt.last)
		}
	}
}
