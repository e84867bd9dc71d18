package event_test

import (
	"sync"
	"testing"
	"testing/synctest"

	"mancala/match/event"
)

// The waiters come before the event, while it happens, and after it.
func TestWaitersGoOnAndSeeWhatWasWrittenBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var e event.Event
		written := 0
		var group sync.WaitGroup
		wait := func() {
			group.Go(func() {
				if <-e.Done(); written != 1 || !e.HasFired() {
					t.Errorf("went on with %d written, fired: %v", written, e.HasFired())
				}
			})
		}
		for range 10 {
			wait()
		}
		synctest.Wait()
		if e.HasFired() {
			t.Error("fired before Fire was called")
		}
		written = 1
		group.Go(e.Fire)
		group.Go(e.Fire)
		for range 10 {
			wait()
		}
		group.Wait()
		wait()
		group.Wait()
	})
}
