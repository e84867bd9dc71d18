// Package workers runs what outlives a request: work that is started and not
// waited for, work that needs a deep stack, work that is done at most once in
// a while (see [Pace]), and work that is repeated (see [Every]).
//
// It knows no games, players or sockets.
package workers

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"mancala/match/deadline"
)

// Timeout bounds the work for one command or request.
const Timeout = 10 * time.Second

// maxIdle is how many goroutines wait for work at most.
const maxIdle = 8

// Workers is a group of goroutines with one end. Goroutines are used again: a new
// one would first have to grow its stack, and that was a hundredth of all that
// moves cost.
type Workers struct {
	ctx     context.Context // of everything that the group does
	cancel  context.CancelFunc
	timeout deadline.Shared

	jobs chan func()
	idle atomic.Int32

	mu     sync.Mutex // orders Start and Close; no other lock is taken while it is held
	group  sync.WaitGroup
	closed bool
}

// New returns an empty group. [Workers.Close] ends it.
func New() *Workers {
	w := &Workers{jobs: make(chan func())}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	return w
}

// Context ends when the group is closed.
func (w *Workers) Context() context.Context { return w.ctx }

// Soon returns a context with at least [Timeout] left. Callers at about the same
// time share it.
func (w *Workers) Soon() context.Context { return w.timeout.In(w.ctx, Timeout) }

// Close ends the group's context and waits until all work has returned.
func (w *Workers) Close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.cancel()
	w.group.Wait()
}

// Start calls f on another goroutine and reports whether it will: a closed group
// starts nothing. Close waits until f has returned.
func (w *Workers) Start(f func()) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.group.Add(1)
		w.do(func() {
			defer w.group.Done()
			f()
		})
	}
	return !w.closed
}

// Aside calls f on another goroutine and waits for it. Work that goes deep, such as
// a question to the database, is called this way because a stack that has grown
// stays: the goroutine of a watcher would keep 8 KiB in order to listen.
func (w *Workers) Aside(f func() error) (err error) {
	var panicked any
	over := make(chan struct{})
	w.do(func() {
		defer close(over)
		defer func() {
			if why := recover(); why != nil {
				panicked = fmt.Sprintf("%v\n%s", why, debug.Stack())
			}
		}()
		err = f()
	})
	<-over
	if panicked != nil {
		panic(panicked) // on the caller's goroutine, which recovers it
	}
	return err
}

// do calls f at once, on an idle goroutine if there is one.
func (w *Workers) do(f func()) {
	select {
	case w.jobs <- f:
	default:
		go w.work(f)
	}
}

func (w *Workers) work(f func()) {
	for {
		f()
		if w.idle.Add(1) > maxIdle {
			w.idle.Add(-1)
			return
		}
		select {
		case f = <-w.jobs:
			w.idle.Add(-1)
		case <-w.ctx.Done():
			w.idle.Add(-1)
			return
		}
	}
}
