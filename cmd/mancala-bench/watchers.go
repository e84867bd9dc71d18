package main

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// watchers are the watchers of all rooms.
type watchers struct {
	seen    atomic.Int64 // moves, summed over all who read
	mu      sync.Mutex
	all     []session
	stalled []session // those of all who never read
	wg      sync.WaitGroup
}

// stalledBuffer is the receive buffer of a watcher who never reads, in bytes. It is
// small because the kernel receives for them until it is full.
const stalledBuffer = 4 << 10

func (c *watchers) join(ctx context.Context, d driver, room string, l roomLoad) error {
	return inParallel(ctx, l.watchers, func(i int) error {
		recv := 0
		if i < l.stalled {
			recv = stalledBuffer
		}
		s, err := d.watch(ctx, room, recv)
		if err != nil {
			return err
		}
		c.mu.Lock()
		c.all = append(c.all, s)
		if i < l.stalled {
			c.stalled = append(c.stalled, s)
		}
		c.mu.Unlock()
		if i >= l.stalled {
			c.wg.Go(func() {
				for {
					if _, err := s.seen(); err != nil {
						return
					}
					c.seen.Add(1)
				}
			})
		}
		return nil
	})
}

// These messages are sent to stalled watchers before measuring. Together they are
// more than the kernel's buffers on both sides and the server's backlog hold.
const (
	fillMessages = 64
	fillBytes    = 8 << 10 // of each message
)

// stall fills the buffers of the watchers who never read, and waits until all others
// have read everything.
func (c *watchers) stall(ctx context.Context, g *game, l roomLoad) error {
	if _, ok := c.stalled[0].(choker); ok {
		return inParallel(ctx, len(c.stalled), func(i int) error { return c.stalled[i].(choker).choke(fillMessages * fillBytes / 2) })
	}
	f, ok := g.seats[0].(filler)
	if !ok {
		return errors.New("this server sends no message that is long enough to stall a watcher")
	}
	for i := range fillMessages {
		if err := f.fill(fillBytes); err != nil {
			return err
		}
		for _, s := range g.seats {
			if _, err := s.seen(); err != nil {
				return err
			}
		}
		for c.seen.Load() < int64((i+1)*(l.watchers-l.stalled)) {
			select {
			case <-time.After(time.Millisecond):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return nil
}

func (c *watchers) leave() {
	for _, s := range c.all {
		s.Close()
	}
	c.wg.Wait()
}
