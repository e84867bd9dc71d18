// Package gate holds a process back from a server that is away: however many want
// to connect, it is tried about once a second, and the others are told at once
// what the last try met.
//
// A trouble of a moment is waited out instead, so that one refused connection to a
// server that is well costs others a tenth of a second and no error.
package gate

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

const (
	first    = 100 * time.Millisecond // between two tries, at first; each takes half of that to all
	longest  = time.Second            // so that it is soon known that the server is back
	patience = 2 * first              // for how long somebody waits
)

// Gate is a server's. The zero value lets everybody through. Its methods are safe
// from any goroutine.
type Gate struct {
	mu    sync.Mutex
	err   error         // what the last try met; nil if it worked
	pause time.Duration // between the next two tries
	next  time.Time     // when one more may be made
	works chan struct{} // closed when one has worked again
}

// Away is the answer to who may not try now. Like what it stands for it is a
// [net.Error].
type Away struct {
	Last error // what the last try met; not wrapped: somebody else's deadline is not the caller's
}

var _ net.Error = (*Away)(nil)

func (e *Away) Error() string { return e.Last.Error() }

// Timeout and Temporary make it a [net.Error].
func (e *Away) Timeout() bool   { return false }
func (e *Away) Temporary() bool { return true }

// SafeToRetry says, to who asks database drivers for that, that nothing was sent.
func (e *Away) SafeToRetry() bool { return true }

// Enter returns nil to who may try, who then says by [Gate.Tell] how it went.
// Otherwise the error is an [*Away].
func (g *Gate) Enter(ctx context.Context) error {
	until := time.Now().Add(patience)
	for {
		wait, works, err := g.try(time.Now())
		wait = min(wait, time.Until(until))
		if err == nil || wait <= 0 {
			return err
		}
		select {
		case <-works:
		case <-time.After(wait):
		case <-ctx.Done():
			return err
		}
	}
}

// try says for how long to wait, or for works, if one may not try now; no time if
// it is no use.
func (g *Gate) try(now time.Time) (wait time.Duration, works <-chan struct{}, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err == nil {
		return 0, nil, nil
	}
	if wait = g.next.Sub(now); wait <= 0 {
		g.put(now, min(2*g.pause, longest)) // also if nothing is ever heard of this one
		return 0, nil, nil
	}
	if g.pause > patience {
		wait = 0
	}
	return wait, g.works, &Away{g.err}
}

// put sets when the next try may be made. Called with mu held.
func (g *Gate) put(now time.Time, pause time.Duration) {
	g.pause = pause
	g.next = now.Add(pause/2 + rand.N(pause/2))
}

// Tell says how a try went. One that its caller gave up says nothing.
func (g *Gate) Tell(err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case err == nil && g.err != nil:
		close(g.works)
	case err != nil && g.err == nil:
		g.works = make(chan struct{})
		g.put(time.Now(), first)
	}
	g.err = err
}
