// Package gather answers the questions of many callers with few calls.
//
// Questions that come while calls run are gathered, and the next call answers all of them. A
// question that comes alone is asked at once. So a burst of questions to a database costs few
// statements, and keeps few of its connections from other work.
package gather

import (
	"context"
	"errors"
	"sync"
)

var (
	// ErrClosed is the error of a question that was not asked before Close.
	ErrClosed = errors.New("gather: closed")
	// ErrFull is the error of a question while too many others wait.
	ErrFull = errors.New("gather: too many questions wait")
)

// maxWaiting is how many batches wait for a call.
const maxWaiting = 256

// Config is how questions are answered.
type Config[Q, A any] struct {
	// Ask answers questions, in their order. After an error it has answered none. No context of a
	// caller reaches it, so it must end by itself.
	Ask func([]Q) ([]A, error)
	// Calls is how many calls may run at the same time.
	Calls int
	// Fits reports whether one more question may be asked together with these, of which there is one
	// at least. It must be quick.
	Fits func(together []Q, q Q) bool
}

// Gather gathers questions. Its methods are safe from any goroutine. Make one with [New].
//
// It is an interface because every package in whose types a generic struct occurs compiles its
// methods again.
type Gather[Q, A any] interface {
	// Do returns the answer to a question, or the error of the call that it was part of. A question
	// whose context has ended is not asked. If ctx ends later, Do returns its error, and the question
	// is asked all the same.
	Do(ctx context.Context, q Q) (A, error)
	// Close returns when the calls that run have ended. Questions that wait and later ones are refused.
	Close()
}

type gather[Q, A any] struct {
	Config[Q, A]
	group sync.WaitGroup

	mu      sync.Mutex
	waiting []*batch[Q, A] // in order; each is full except the last
	running int
	closed  bool
}

// batch is questions that are asked together.
type batch[Q, A any] struct {
	questions []Q
	done      chan struct{} // closed when the fields below are set
	answers   []A
	err       error
}

// New makes a Gather. The caller closes it.
func New[Q, A any](c Config[Q, A]) Gather[Q, A] { return &gather[Q, A]{Config: c} }

func (g *gather[Q, A]) Do(ctx context.Context, q Q) (answer A, err error) {
	if err := ctx.Err(); err != nil {
		return answer, err // an answer that comes at once must not hide it
	}
	b, n, err := g.add(q)
	if err != nil {
		return answer, err
	}
	select {
	case <-b.done:
	case <-ctx.Done():
		return answer, ctx.Err()
	}
	if b.err != nil {
		return answer, b.err
	}
	return b.answers[n], nil
}

// add puts a question into a batch, and returns its place there.
func (g *gather[Q, A]) add(q Q) (b *batch[Q, A], n int, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil, 0, ErrClosed
	}
	if last := len(g.waiting) - 1; last >= 0 && g.Fits(g.waiting[last].questions, q) {
		b = g.waiting[last]
	} else {
		if len(g.waiting) == maxWaiting {
			return nil, 0, ErrFull
		}
		b = &batch[Q, A]{done: make(chan struct{})}
		g.waiting = append(g.waiting, b)
	}
	b.questions = append(b.questions, q)
	if g.running < g.Calls {
		g.running++
		g.group.Go(g.run)
	}
	return b, len(b.questions) - 1, nil
}

// run makes calls until no question waits.
func (g *gather[Q, A]) run() {
	for b := g.next(); b != nil; b = g.next() {
		b.answers, b.err = g.Ask(b.questions)
		close(b.done)
	}
}

// next takes the first batch that waits. If there is none it returns nil, and the caller ends.
func (g *gather[Q, A]) next() *batch[Q, A] {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.waiting) == 0 {
		g.running--
		return nil
	}
	b := g.waiting[0]
	g.waiting = append(g.waiting[:0:0], g.waiting[1:]...)
	return b
}

func (g *gather[Q, A]) Close() {
	g.mu.Lock()
	g.closed = true
	for _, b := range g.waiting {
		b.err = ErrClosed
		close(b.done)
	}
	g.waiting = nil
	g.mu.Unlock()
	g.group.Wait()
}
