package freshcall_test

import (
	"context"
	"errors"
	"maps"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/freshcall"
)

// ended is the error of a test's call. It names the call, so each caller can tell whose result it got.
type ended struct{ call int64 }

func (ended) Error() string { return "the call ended" }

func TestCallersShareTheNextCallButNotTheRunningOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g freshcall.Group
		var began, running atomic.Int64
		f := func() error {
			number := began.Add(1)
			if running.Add(1) > 1 {
				t.Error("two calls run at a time")
			}
			time.Sleep(time.Second)
			running.Add(-1)
			return ended{number}
		}
		got := make(chan error, 100)
		ask := func() { got <- g.Do(t.Context(), f) }
		go ask()
		time.Sleep(time.Millisecond) // the first call runs
		for range 99 {
			go ask()
		}
		calls := map[error]int{}
		for range 100 {
			calls[<-got]++
		}
		if want := map[error]int{ended{1}: 1, ended{2}: 99}; !maps.Equal(calls, want) {
			t.Errorf("callers by the result they got: %v, want %v", calls, want)
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
