// Package breaker is a circuit breaker for connections to one server: while the server is
// away, one connection is tried about once a second, and all other callers get the result
// of the last try at once.
//
// A short failure does not reach the callers: they wait for the next try instead. So one
// refused connection to a healthy server costs the others a tenth of a second and no error.
package breaker

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

const (
	firstPause   = 100 * time.Millisecond // between the first two tries; the pause is random between half of that and all
	longestPause = time.Second            // short, so that the callers soon learn that the server is back
	maxWait      = 2 * firstPause         // for a caller
)

// Breaker guards the connections to one server. The zero value allows all of them. Its
// methods are safe from any goroutine.
type Breaker struct {
	mu     sync.Mutex
	err    error         // of the last try; nil if it succeeded
	pause  time.Duration // between the next two tries
	next   time.Time     // when the next try is allowed
	closed chan struct{} // closed when a try succeeds
}

// OpenError is the answer to a caller that may not connect now, because the breaker is
// open. Like the error that it stands for, it is a [net.Error].
type OpenError struct {
	// Last is the error of the last try. It is not wrapped: another caller's deadline is
	// not this caller's.
	Last error
}

var _ net.Error = (*OpenError)(nil)

func (e *OpenError) Error() string { return e.Last.Error() }

// Timeout and Temporary make it a [net.Error].
func (e *OpenError) Timeout() bool   { return false }
func (e *OpenError) Temporary() bool { return true }

// SafeToRetry tells a database driver that nothing was sent.
func (e *OpenError) SafeToRetry() bool { return true }

// Allow returns nil if the caller may connect. The caller must then pass the result to
// [Breaker.Report]. Otherwise the error is an [*OpenError].
func (b *Breaker) Allow(ctx context.Context) error {
	until := time.Now().Add(maxWait)
	for {
		wait, closed, err := b.try(time.Now())
		wait = min(wait, time.Until(until))
		if err == nil || wait <= 0 {
			return err
		}
		select {
		case <-closed:
		case <-time.After(wait):
		case <-ctx.Done():
			return err
		}
	}
}

// try returns no error if the caller may connect now. Otherwise it returns the time to wait,
// or 0 if waiting is useless, and a channel that is closed when a try succeeds.
func (b *Breaker) try(now time.Time) (wait time.Duration, closed <-chan struct{}, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		return 0, nil, nil
	}
	if wait = b.next.Sub(now); wait <= 0 {
		b.scheduleNext(now, min(2*b.pause, longestPause)) // now, because this try may never be reported
		return 0, nil, nil
	}
	if b.pause > maxWait {
		wait = 0
	}
	return wait, b.closed, &OpenError{b.err}
}

// scheduleNext sets the time of the next try. The caller holds mu.
func (b *Breaker) scheduleNext(now time.Time, pause time.Duration) {
	b.pause = pause
	b.next = now.Add(pause/2 + rand.N(pause/2))
}

// Report records the result of a try. A try that its caller cancelled has no result.
func (b *Breaker) Report(err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case err == nil && b.err != nil:
		close(b.closed)
	case err != nil && b.err == nil:
		b.closed = make(chan struct{})
		b.scheduleNext(time.Now(), firstPause)
	}
	b.err = err
}
