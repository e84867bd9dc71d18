package room

import (
	"fmt"
	"time"

	"mancala/match/machine"
)

// anchor relates this process's monotonic clock to the database's. A room takes an anchor
// when it is claimed and keeps it, so its time runs evenly even when a clock is set.
type anchor struct {
	local time.Time // with a monotonic reading
	db    int64     // ms since 1970 at that moment
}

func (a *anchor) now() int64 { return a.ms(time.Now()) }

// ms returns a local moment in the database's time.
func (a *anchor) ms(local time.Time) int64 { return a.db + local.Sub(a.local).Milliseconds() }

// at returns the local moment of a database time.
func (a *anchor) at(t time.Time) time.Time {
	return a.local.Add(time.Duration(t.UnixMilli()-a.db) * time.Millisecond)
}

// now returns the room's time in ms: the owner's time, corrected to the database's, and
// never before the time of the last entry.
func (r *Room) now() int64 { return r.timeAt(time.Now()) }

// timeAt returns the room's time at a local moment. A caller that already has the moment
// saves a reading of the clock, whose cost is visible in every move.
func (r *Room) timeAt(local time.Time) int64 { return max(r.anchor.Load().ms(local), r.last) }

const maxWakes = 100 // wake-ups in a row without the wake time moving on

// wakeUp sends the wake command if it is due, and returns when the next one is due.
func (o *owner) wakeUp(now time.Time) time.Time {
	r := o.room
	switch {
	case o.wake.IsZero():
		return time.Time{}
	case o.wake.UnixMilli() > r.timeAt(now):
		o.wakes = 0
		return r.anchor.Load().at(o.wake)
	case now.Before(o.wakeAfter):
		return o.wakeAfter
	}
	if at := o.unanswered(now); !at.IsZero() {
		return at
	}
	wake := o.wake
	answer, err := o.execute(machine.Command{ID: machine.KindWake, Kind: machine.KindWake}, true)
	if r.mode() != deciding {
		return time.Time{}
	}
	if o.wakes++; o.wakes > maxWakes && answer.Seq != 0 {
		// Further wake-ups would fill the journal without end.
		r.quarantine(fmt.Errorf("%d wake-ups in a row and the next is due at %v", o.wakes, o.wake.UTC()))
		return time.Time{}
	}
	if answer.Seq == 0 && o.wake.Equal(wake) {
		o.wakeAfter = now.Add(backoff(o.wakes, 100*time.Millisecond, time.Minute))
		if o.wakes == 1 {
			r.registry.log.Warn("room: a wake-up changed nothing", "room", r.id, "wake", wake, "err", err)
		}
		return o.wakeAfter
	}
	return now // try again after the requests in the inbox
}

// learnWake reads when the machine wants to be woken.
func (o *owner) learnWake() {
	if wake := o.room.machine.Wake(); !wake.Equal(o.wake) {
		o.wake, o.wakeAfter = wake, time.Time{}
	}
}

// wakesSoon reports whether the room wakes too soon for unloading it.
func (o *owner) wakesSoon() bool {
	return !o.wake.IsZero() && o.wake.UnixMilli() < o.room.now()+stayAwake.Milliseconds()
}
