package main

import (
	"testing"
	"time"
)

// The clients all ask to leave at the same moment. If they are few they leave one by one,
// and if they are many the last one still leaves in time.
func TestClientsLeaveAtAPaceThatEndsInTime(t *testing.T) {
	for _, tt := range []struct {
		n            int
		within, last time.Duration // when the last one leaves
	}{
		{1, 4 * time.Second, 0},
		{250, 4 * time.Second, time.Second},
		{1000, 4 * time.Second, 4 * time.Second},
		{50_000, 4 * time.Second, 4 * time.Second},
		{1000, 0, 0}, // no time at all
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
