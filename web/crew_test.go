package web

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"
)

// Everybody who is asked at the same time works at the same time, a few stay to be
// asked again, and all go in the end.
func TestCrew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := make(chan struct{})
		c := newCrew(done)
		const n = 3 * crewIdle
		for range 2 {
			var meet, left sync.WaitGroup
			meet.Add(n)
			for range n {
				left.Go(func() {
					want := errors.New("mine")
					if got := c.aside(func() error { meet.Done(); meet.Wait(); return want }); got != want {
						t.Errorf("got %v", got)
					}
				})
			}
			left.Wait()
			synctest.Wait()
			if idle := c.idle.Load(); idle != crewIdle {
				t.Errorf("%d wait for work, want %d", idle, crewIdle)
			}
		}
		close(done) // or the bubble never ends
	})
}

func TestAsidePanicsWhereItWasCalled(t *testing.T) {
	done := make(chan struct{})
	defer close(done)
	defer func() {
		if recover() == nil {
			t.Error("a panic on the other goroutine was lost, or ended the program")
		}
	}()
	_ = newCrew(done).aside(func() error { panic("on purpose") })
}
