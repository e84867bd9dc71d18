// Package freshcall shares the result of a call among all who asked for it before it began.
//
// A caller of golang.org/x/sync/singleflight may get the result of a call that had begun before
// the caller asked. Such a result does not show what happened in between. Here it always does.
package freshcall

import (
	"context"
	"sync"
)

// Group runs calls, one at a time. The zero value is ready. It is safe from any goroutine.
type Group struct {
	mu      sync.Mutex
	running *call
	next    *call // begins when running has ended
}

type call struct {
	done chan struct{} // closed once err is set
	err  error
}

// Do returns the result of a call of f that begins after Do was called. All who ask before it
// begins share it, so f must not depend on who asks. If ctx ends first, Do returns its error and
// the call goes on.
func (g *Group) Do(ctx context.Context, f func() error) error {
	g.mu.Lock()
	c := g.next
	if c == nil {
		c = &call{done: make(chan struct{})}
		g.next = c
		go g.run(c, g.running, f)
	}
	g.mu.Unlock()
	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *Group) run(c, before *call, f func() error) {
	if before != nil {
		<-before.done
	}
	g.mu.Lock()
	g.running, g.next = c, nil
	g.mu.Unlock()
	c.err = f()
	g.mu.Lock()
	g.running = nil
	g.mu.Unlock()
	close(c.done)
}
