package workers

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestHourlyWorkBeginsSoonAfterTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		broken := errors.New("broken")
		start := time.Now()
		var at []time.Duration
		do := func(context.Context) error {
			at = append(at, time.Since(start))
			if len(at) == 3 {
				cancel()
			}
			return broken
		}
		var reported []error
		Hourly(ctx, do, func(err error) { reported = append(reported, err) })
		if len(at) != 3 || at[0] > time.Minute || at[1] != at[0]+time.Hour || at[2] != at[1]+time.Hour {
			t.Errorf("done after %v, want within a minute and then every hour", at)
		}
		if len(reported) != 2 || reported[0] != broken { // the third error came after the context had ended
			t.Errorf("reported %v, want %v twice", reported, broken)
		}
	})
}

func TestWorkIsRepeatedAnIntervalAfterItHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		start := time.Now()
		var at []time.Duration
		Every(ctx, 2*time.Second, func(context.Context) error {
			if at = append(at, time.Since(start)); len(at) == 3 {
				cancel()
			}
			time.Sleep(time.Second)
			return nil
		}, nil)
		if want := []time.Duration{2 * time.Second, 5 * time.Second, 8 * time.Second}; !slices.Equal(at, want) {
			t.Errorf("done after %v, want %v", at, want)
		}
	})
}

func TestClosedWorkersRepeatNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := New()
		times := 0
		w.Every(time.Second, func() { times++ })
		time.Sleep(2500 * time.Millisecond)
		w.Close()
		time.Sleep(time.Minute)
		if times != 2 {
			t.Errorf("worked %d times, want 2", times)
		}
	})
}
