// Package latch has what many wait for and what happens once: a room is open, a hub
// follows, a room has ended. A closed channel would do, but there are several for
// each room that is live, of a hundred bytes each, and nearly always nobody waits.
package latch

import "sync/atomic"

// Latch is closed until it is opened, once and for ever. Its zero value is ready.
// What was written before Open is seen by who has waited.
type Latch struct {
	gate atomic.Pointer[gate] // nil while nobody waits
}

type gate struct{ opened chan struct{} }

var open = func() *gate {
	g := &gate{make(chan struct{})}
	close(g.opened)
	return g
}()

// Open lets all through who wait and whoever comes. To open it again does nothing.
func (l *Latch) Open() {
	if g := l.gate.Swap(open); g != nil && g != open {
		close(g.opened)
	}
}

// IsOpen says whether nobody has to wait.
func (l *Latch) IsOpen() bool { return l.gate.Load() == open }

// Opened is a channel that is closed when the latch is open.
func (l *Latch) Opened() <-chan struct{} {
	g := l.gate.Load()
	if g == nil {
		g = &gate{make(chan struct{})}
		if !l.gate.CompareAndSwap(nil, g) {
			g = l.gate.Load()
		}
	}
	return g.opened
}
