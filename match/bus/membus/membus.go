// Package membus carries messages within one process.
//
// It starts no goroutine and works inside a testing/synctest bubble.
package membus

import (
	"context"
	"fmt"
	"sync"

	"mancala/match/bus"
)

var _ bus.Bus = (*Bus)(nil)

// Bus is a [bus.Bus] in memory, made with [New]. All instances share it.
type Bus struct {
	mu      sync.RWMutex
	inboxes map[bus.Instance][]*inbox
}

// inbox is one open inbox. A name may have several for a short time, while its owner
// opens the next one. Each gets every message.
type inbox struct {
	mu     sync.Mutex // excludes sending while the inbox is closed
	ch     chan []byte
	closed bool
	forget func() bool // ends the wait for the end of its context
}

// New returns a bus without inboxes.
func New() *Bus { return &Bus{inboxes: map[bus.Instance][]*inbox{}} }

// Send implements [bus.Bus].
func (b *Bus) Send(ctx context.Context, to bus.Instance, msg []byte) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("membus: send to %s: %w", to, err)
	}
	b.mu.RLock()
	inboxes := b.inboxes[to] // this slice is replaced and never changed
	b.mu.RUnlock()
	for _, in := range inboxes {
		if !in.put(msg) {
			b.remove(to, in)
			in.forget() // otherwise a long-lived context would keep the inbox
		}
	}
	return nil
}

// put adds a message. If the reader is too far behind, it closes the inbox and
// returns false.
func (in *inbox) put(msg []byte) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.closed {
		return true
	}
	select {
	case in.ch <- msg:
		return true
	default:
		in.closed = true
		close(in.ch)
		return false
	}
}

// Inbox implements [bus.Bus].
func (b *Bus) Inbox(ctx context.Context, self bus.Instance) (<-chan []byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("membus: inbox of %s: %w", self, err)
	}
	in := &inbox{ch: make(chan []byte, bus.Backlog)}
	b.mu.Lock()
	defer b.mu.Unlock()
	old := b.inboxes[self]
	b.inboxes[self] = append(old[:len(old):len(old)], in)
	in.forget = context.AfterFunc(ctx, func() {
		b.remove(self, in)
		in.mu.Lock()
		defer in.mu.Unlock()
		if !in.closed {
			in.closed = true
			close(in.ch)
		}
	})
	return in.ch, nil
}

func (b *Bus) remove(name bus.Instance, gone *inbox) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var left []*inbox
	for _, in := range b.inboxes[name] {
		if in != gone {
			left = append(left, in)
		}
	}
	if left == nil {
		delete(b.inboxes, name)
		return
	}
	b.inboxes[name] = left
}
