// Package event provides something that happens once and that many goroutines can wait
// for: a room is ready, a hub follows, a room has ended. A closed channel would do the
// same. But each live room has several events, a channel takes a hundred bytes, and
// almost no event is ever waited for.
package event

import "sync/atomic"

// Event happens at most once. Its zero value is ready to use and has not happened. A
// goroutine that sees that it has happened also sees what was written before Fire.
type Event struct {
	waiting atomic.Pointer[signal] // nil until a goroutine waits
}

type signal struct{ fired chan struct{} }

var fired = func() *signal {
	s := &signal{make(chan struct{})}
	close(s.fired)
	return s
}()

// Fire makes the event happen. All waiting goroutines go on. Further calls do nothing.
func (e *Event) Fire() {
	if s := e.waiting.Swap(fired); s != nil && s != fired {
		close(s.fired)
	}
}

// HasFired reports whether the event has happened.
func (e *Event) HasFired() bool { return e.waiting.Load() == fired }

// Done returns a channel that is closed when the event has happened.
func (e *Event) Done() <-chan struct{} {
	s := e.waiting.Load()
	if s == nil {
		s = &signal{make(chan struct{})}
		if !e.waiting.CompareAndSwap(nil, s) {
			s = e.waiting.Load()
		}
	}
	return s.fired
}
