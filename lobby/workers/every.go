package workers

import (
	"context"
	"math/rand/v2"
	"time"
)

const (
	sweepEvery = time.Hour
	sweepFirst = time.Minute // after the start, at most
)

// Every calls do an interval after it was called, and then an interval after each time
// that do has returned, until ctx ends. It passes errors to report; the next interval
// brings another attempt.
func Every(ctx context.Context, interval time.Duration, do func(context.Context) error, report func(error)) {
	repeat(ctx, interval, interval, do, report)
}

// Hourly calls do soon after the start and then once an hour, until ctx ends. So the work
// is also done by a server that is restarted every few minutes. The first call comes
// at a random time within a minute, so that instances that start together do not work at
// the same time. Hourly passes errors to report; the next hour brings another attempt.
func Hourly(ctx context.Context, do func(context.Context) error, report func(error)) {
	repeat(ctx, sweepFirst/2+rand.N(sweepFirst/2), sweepEvery, do, report)
}

// Every calls work once per interval until the group is closed.
func (w *Workers) Every(interval time.Duration, work func()) {
	w.Start(func() {
		Every(w.ctx, interval, func(context.Context) error { work(); return nil }, nil)
	})
}

func repeat(ctx context.Context, first, interval time.Duration, do func(context.Context) error, report func(error)) {
	next := time.NewTimer(first)
	defer next.Stop()
	for {
		select {
		case <-next.C:
			if err := do(ctx); err != nil && ctx.Err() == nil {
				report(err)
			}
			next.Reset(interval)
		case <-ctx.Done():
			return
		}
	}
}
