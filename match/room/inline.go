package room

import (
	"time"

	"mancala/match/machine"
)

// inline carries a command out on the caller's own goroutine if the room is
// idle, and says false if it is not. To wake the room's goroutine, wait for it
// and be woken by it is a good part of what a move costs; the caller would only
// wait. The turn keeps it one thing at a time, and whoever has come before goes
// first.
//
// A caller who has the turn cannot give up before the journal has answered:
// that is bounded as it is for the room itself.
func (r *Room) inline(c machine.Command) (p reply, ok bool) {
	if len(r.inbox) > 0 {
		return p, false
	}
	select {
	case r.turn <- struct{}{}:
	default:
		return p, false
	}
	defer func() { <-r.turn }() // also if a follower panics
	if len(r.inbox) > 0 || r.followed == 0 || r.over != nil || r.away != nil || r.sick != nil {
		return p, false // what is unusual is the loop's
	}
	now := time.Now()
	tidied := r.quiet.IsZero()
	r.idle, r.quiet = time.Time{}, now.Add(tidyAfter)
	p = r.carry(c, false, now)
	if tidied || r.unsettled() {
		r.nudge()
	}
	return p, true
}

// unsettled says whether the loop has to look around after a command. It need
// not for what a timer will find that is set already, nor for what has nudged
// it.
func (r *Room) unsettled() bool {
	return r.over != nil || r.away != nil || r.sick != nil || r.crowd.dirty.Load() ||
		r.armed.IsZero() ||
		!r.wake.IsZero() && r.anchor.at(r.wake).Before(r.armed)
}
