package main

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// spectators is the spectators of all rooms.
type spectators struct {
	seen  atomic.Int64
	mu    sync.Mutex
	all   []session
	stuck []session // those of them who never read
	wg    sync.WaitGroup
}

// stalledBuffer is the receive buffer of a reader that stalls: small, or the
// kernel would read on for it.
const stalledBuffer = 4 << 10

func (c *spectators) join(ctx context.Context, d driver, room string, l roomLoad) error {
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
			c.stuck = append(c.stuck, s)
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

// stuck is how much a reader who stalls is sent before measuring: more than the
// kernel's buffers on both sides and the server's backlog hold together.
const (
	stuck = 64 // messages
	fill  = 8 << 10
)

// stall talks until those who don't read are behind as far as they can be, and
// everybody else has kept up.
func (c *spectators) stall(ctx context.Context, g *game, l roomLoad) error {
	if _, ok := c.stuck[0].(choker); ok {
		return inParallel(ctx, len(c.stuck), func(i int) error { return c.stuck[i].(choker).choke(stuck * fill / 2) })
	}
	f, ok := g.seats[0].(filler)
	if !ok {
		return errors.New("this server says nothing long enough to stall a reader")
	}
	for i := range stuck {
		if err := f.fill(fill); err != nil {
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

func (c *spectators) leave() {
	for _, s := range c.all {
		s.close()
	}
	c.wg.Wait()
}
