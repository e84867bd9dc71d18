package room

import (
	"context"
	"sync/atomic"
	"time"
)

// Deadline gives contexts with a timeout that all who ask at about the same time
// share: one for each command, with a timer of its own, was a quarter of what a
// command allocates. The zero value is ready.
type Deadline struct{ current atomic.Pointer[deadline] }

type deadline struct {
	ctx   context.Context
	renew time.Time
}

// In gives a context that ends in not less than d and not much more, or with
// parent. Parent and d are always the same ones.
func (s *Deadline) In(parent context.Context, d time.Duration) context.Context {
	now := time.Now()
	if c := s.current.Load(); c != nil && now.Before(c.renew) {
		return c.ctx
	}
	// It is never cancelled early: it ends with its parent or by itself, and
	// whoever loses a race here has one of his own.
	ctx, cancel := context.WithTimeout(parent, d+time.Second)
	context.AfterFunc(ctx, cancel)
	s.current.Store(&deadline{ctx: ctx, renew: now.Add(time.Second)})
	return ctx
}
