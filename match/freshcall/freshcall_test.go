package freshcall_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/freshcall"
)

func TestCallersShareTheNextCallButNotTheRunningOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g freshcall.Group
		var began, running atomic.Int64
		f := func() error {
			began.Add(1)
			if running.Add(1) > 1 {
				t.Error("two calls run at a time")
			}
			time.Sleep(time.Second)
			running.Add(-1)
			return nil
		}
		saw := make(chan int64, 100)
		ask := func() {
			if err := g.Do(t.Context(), f); err != nil {
				t.Error(err)
			}
			saw <- began.Load()
		}
		go ask()
		time.Sleep(time.Millisecond) // the first call runs
		for range 99 {
			go ask()
		}
		if got := <-saw; got != 1 {
			t.Errorf("the first caller saw call %d", got)
		}
		for range 99 {
			if got := <-saw; got != 2 {
				t.Fatalf("a caller that came while call 1 ran saw call %d, want 2", got)
			}
		}
	})
}

func TestCallGoesOnWithoutItsFirstCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g freshcall.Group
		failed := errors.New("failed")
		f := func() error { time.Sleep(time.Minute); return failed }
		soon, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := g.Do(soon, f); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the end of the context", err)
		}
		if err := g.Do(t.Context(), f); !errors.Is(err, failed) {
			t.Errorf("got %v, want the error of the call", err)
		}
	})
}
