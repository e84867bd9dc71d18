package deadline

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestWaitLastsItsTimeUnlessItsContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		begun := time.Now()
		if err := Wait(ctx, 2*time.Second); err != nil || time.Since(begun) != 2*time.Second {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
		if err := Wait(ctx, time.Minute); !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != 3*time.Second {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
		if err := Wait(ctx, 0); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v from a context that has ended", err)
		}
	})
}

func TestContextIsSharedForASecondAndLastsLongEnough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the sleeps pass the time of the bubble
		var s Shared
		first := s.In(t.Context(), time.Minute)
		time.Sleep(time.Second - 1)
		if s.In(t.Context(), time.Minute) != first {
			t.Error("two callers within a second have two contexts")
		}
		time.Sleep(time.Nanosecond)
		second := s.In(t.Context(), time.Minute)
		if second == first {
			t.Error("a caller a second later has the old context")
		}
		for _, ctx := range []context.Context{first, second} {
			if end, _ := ctx.Deadline(); time.Until(end) < time.Minute {
				t.Errorf("a context lasts %v", time.Until(end))
			}
		}
	})
}
