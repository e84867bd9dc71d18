package room

import (
	"context"
	"time"

	"golang.org/x/time/rate"
)

// Drain lets every room go: it is released with its wake time, and its followers are
// told [ErrDrained]. No room is opened any more. Drain returns when all are gone or ctx
// ends.
//
// With a pace the rooms go one after the other for as long as there is time, since
// other instances take them over: opening and catching up with each costs them a few
// milliseconds. Without one, all go at once.
func (reg *Registry) Drain(ctx context.Context, pace *rate.Limiter) error {
	reg.gate.Lock()
	reg.closed = true
	reg.gate.Unlock()
	if pace != nil {
		reg.handOver(ctx, pace)
	}
	rooms := func(do func(*Room)) {
		reg.rooms.Range(func(_, v any) bool {
			if r, err := reg.opened(ctx, v.(*slot)); err == nil {
				do(r)
			}
			return true
		})
	}
	rooms((*Room).drain)
	rooms(func(r *Room) {
		select {
		case <-r.done.Done():
		case <-ctx.Done():
		}
	})
	return ctx.Err()
}

// handOver lets rooms go at a pace, in three quarters of the time. The rest is for rooms
// that are being opened, and rooms that are slow to go. Replicas go first, since no
// instance takes them over. So do rooms whose state is not in the journal, since all
// clients wait for the lobby.
func (reg *Registry) handOver(ctx context.Context, pace *rate.Limiter) {
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(end)*3/4)
		defer cancel()
	}
	var ours []*Room
	reg.rooms.Range(func(_, v any) bool {
		s := v.(*slot)
		if !s.ready.HasFired() {
			return true
		}
		switch r := s.room; {
		case s.err != nil:
		case r.isReplica() || r.ephemeral():
			r.drain()
		default:
			ours = append(ours, r)
		}
		return true
	})
	for _, r := range ours {
		if pace.Wait(ctx) != nil {
			return
		}
		r.drain()
	}
}
