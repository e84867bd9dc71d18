package workers

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"
)

func TestWorkersServeAllAtOnceAndKeepAFew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := New()
		const n = 3 * maxIdle
		for range 2 {
			var meet, left sync.WaitGroup
			meet.Add(n)
			for range n {
				left.Go(func() {
					want := errors.New("mine")
					if got := w.Aside(func() error { meet.Done(); meet.Wait(); return want }); got != want {
						t.Errorf("got %v", got)
					}
				})
			}
			left.Wait()
			synctest.Wait()
			if idle := w.idle.Load(); idle != maxIdle {
				t.Errorf("%d goroutines wait for work, want %d", idle, maxIdle)
			}
		}
		w.Close() // or the bubble never ends
	})
}

func TestAsidePanicsWhereItWasCalled(t *testing.T) {
	w := New()
	defer w.Close()
	defer func() {
		if recover() == nil {
			t.Error("a panic on the other goroutine was lost, or ended the program")
		}
	}()
	_ = w.Aside(func() error { panic("on purpose") })
}

func TestCloseWaitsForStartedWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := New()
		done := false
		w.Start(func() {
			<-w.Context().Done()
			done = true
		})
		w.Close()
		if !done {
			t.Error("Close returned before the work had")
		}
		if w.Start(func() { t.Error("a closed group works") }) {
			t.Error("Start reports that a closed group works")
		}
	})
}
