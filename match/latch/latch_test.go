package latch_test

import (
	"sync"
	"testing"
	"testing/synctest"

	"mancala/match/latch"
)

// Whoever waits before it is opened, while it is, or afterwards goes on, and sees
// what was written before.
func TestLatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l latch.Latch
		written := 0
		var group sync.WaitGroup
		wait := func() {
			group.Go(func() {
				if <-l.Opened(); written != 1 || !l.IsOpen() {
					t.Errorf("gone on with %d written, open: %v", written, l.IsOpen())
				}
			})
		}
		for range 10 {
			wait()
		}
		synctest.Wait()
		if l.IsOpen() {
			t.Error("open before it was opened")
		}
		written = 1
		group.Go(l.Open)
		group.Go(l.Open)
		for range 10 {
			wait()
		}
		group.Wait()
		wait()
		group.Wait()
	})
}
