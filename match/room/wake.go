package room

import (
	"fmt"
	"time"

	"mancala/match/machine"
)

const maxWakes = 100 // wake-ups in a row without the wake time moving on

// wakeUp sends the wake command when its time has come, and returns when that will be.
func (r *Room) wakeUp(now time.Time) time.Time {
	switch {
	case r.wake.IsZero():
		return time.Time{}
	case r.wake.UnixMilli() > r.timeAt(now):
		r.wakes = 0
		return r.anchor.at(r.wake)
	case now.Before(r.wakeAfter):
		return r.wakeAfter
	}
	wake := r.wake
	answer, err := r.execute(machine.Command{ID: machine.KindWake, Kind: machine.KindWake}, true)
	if r.mode() != deciding {
		return time.Time{}
	}
	if r.wakes++; r.wakes > maxWakes && answer.Seq != 0 {
		// It would fill the journal for ever.
		r.quarantine(fmt.Errorf("%d wake-ups in a row and the next is due at %v", r.wakes, r.wake.UTC()))
		return time.Time{}
	}
	if answer.Seq == 0 && r.wake.Equal(wake) {
		r.wakeAfter = now.Add(backoff(r.wakes, 100*time.Millisecond, time.Minute))
		if r.wakes == 1 {
			r.registry.log.Warn("room: a wake-up changed nothing", "room", r.id, "wake", wake, "err", err)
		}
		return r.wakeAfter
	}
	return now // look again, after the requests in the inbox
}

// wakesSoon reports whether the room wakes too soon for unloading it.
func (r *Room) wakesSoon() bool {
	return !r.wake.IsZero() && r.wake.UnixMilli() < r.now()+stayAwake.Milliseconds()
}
