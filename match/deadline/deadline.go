// Package deadline makes contexts with a timeout that many callers share, and waits that a context ends.
package deadline

import (
	"context"
	"sync/atomic"
	"time"
)

// Shared makes contexts with a timeout that callers at about the same time share. One
// for each command, with a timer of its own, was a quarter of what a command allocates.
// The zero value is ready.
type Shared struct{ current atomic.Pointer[shared] }

type shared struct {
	ctx   context.Context
	renew time.Time
}

// In returns a context that ends after at least d and not much more, or with parent.
// Parent and d must always be the same.
func (s *Shared) In(parent context.Context, d time.Duration) context.Context {
	now := time.Now()
	if c := s.current.Load(); c != nil && now.Before(c.renew) {
		return c.ctx
	}
	// The context is never cancelled early: it ends with its parent or by itself. If two callers
	// make a context at once, each uses its own.
	ctx, cancel := context.WithTimeout(parent, d+time.Second)
	context.AfterFunc(ctx, cancel)
	s.current.Store(&shared{ctx: ctx, renew: now.Add(time.Second)})
	return ctx
}

// Wait waits for d, or until ctx ends. It returns the error of ctx.
func Wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
	return ctx.Err()
}
