package room

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// guard calls the machine. If the machine panics the room is quarantined, and no other
// room notices.
func (r *Room) guard(what string, f func()) (err error) {
	defer func() {
		if why := recover(); why != nil {
			r.quarantine(fmt.Errorf("%s panicked: %v\n%s", what, why, debug.Stack()))
			err = ErrQuarantined
		}
	}()
	f()
	return nil
}

// quarantine stops a room that its machine can no longer run. Its state after its last good
// entry can still be read. It decides nothing any more and does not try again. It stays
// loaded, so that no request opens it again.
func (r *Room) quarantine(why error) {
	if r.inQuarantine() {
		return
	}
	r.sick = why
	r.role.decidesNoMore()
	r.registry.stats.quarantined.Add(1)
	r.registry.log.Error("room: quarantined", "room", r.id, "kind", r.kind, "seq", r.seq, "err", why)
	r.registry.watch.quarantined(r.id, why)
	r.notes.add(Note{Kind: NoteQuarantined}, 0)

	// The machine may have stopped in the middle of an entry; a new one that has
	// applied the last good entry has not.
	ctx, cancel := context.WithTimeout(r.registry.ctx, appendTimeout)
	defer cancel()
	if m, seq, _, err := r.registry.replay(ctx, r.id, r.kind, span{entries: r.seq, upTo: r.seq}); m != nil && seq == r.seq {
		r.machine = m
	} else if err != nil {
		r.registry.log.Warn("room: no state to show for a quarantined room", "room", r.id, "err", err)
	}
}

// inQuarantine reports whether the room can only be read.
func (r *Room) inQuarantine() bool { return r.sick != nil }

// runQuarantined does what is due in a room that can only be read.
func (o *owner) runQuarantined(now time.Time) time.Time { return o.lookAtFollowers(now) }
