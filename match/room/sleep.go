package room

import (
	"context"
	"fmt"
	"time"

	"mancala/match/machine"
)

const (
	linger    = 5 * time.Second  // after the last sign of interest
	stayAwake = time.Minute      // a wake-up this near is not worth unloading for
	tidyAfter = 10 * time.Second // without an entry
	maxWakes  = 100              // wake-ups in a row that lead nowhere
)

// wakeUp sends the wake command when its time has come, and says when that will
// be.
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
	if r.away != nil || r.over != nil || r.sick != nil {
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
			r.registry.log.Warn("room: a wake-up came to nothing", "room", r.id, "wake", wake, "err", err)
		}
		return r.wakeAfter
	}
	return now // look again, after those who wait in the inbox
}

// sleepy unloads the room when nobody is there and nothing is due; it says when
// that may be.
func (r *Room) sleepy(now time.Time) time.Time {
	if r.replica != nil {
		return r.restful(now)
	}
	if r.followed > 0 || len(r.tasks) > 0 || r.away != nil || r.sick != nil || !r.settled() || r.lags() || r.wakesSoon() {
		r.idle = time.Time{}
		return time.Time{}
	}
	if r.idle.IsZero() {
		r.idle = now.Add(linger)
	}
	if now.Before(r.idle) {
		return r.idle
	}
	if r.release() != nil {
		r.idle = now.Add(linger)
		return r.idle
	}
	r.over = errAsleep
	return time.Time{}
}

// wakesSoon says whether it would not pay to fall asleep.
func (r *Room) wakesSoon() bool {
	return !r.wake.IsZero() && r.wake.UnixMilli() < r.now()+stayAwake.Milliseconds()
}

// tidy makes a live room small when nothing new has happened for a while: what it
// kept for those who resume is in the journal as well, and it needs no goroutine. Half
// of all live rooms wait for a person who thinks.
//
// What stays is copied. It was allocated while the room was played in, each piece
// among garbage; a page of memory with one such piece on it is a page that stays.
func (r *Room) tidy(now time.Time) time.Time {
	if r.busy {
		r.busy, r.quiet = false, now.Add(tidyAfter)
	}
	if r.quiet.IsZero() || now.Before(r.quiet) {
		return r.quiet
	}
	r.quiet = time.Time{}
	r.feed.trim()
	r.notes.trim()
	r.repeats.trim()
	r.dropAdmission()
	if m, ok := r.machine.(machine.Trimmer); ok && r.sick == nil {
		if err := r.guard("trim", m.Trim); err != nil {
			r.quarantine(err)
			return now
		}
	}
	if l := r.late.Load(); l != nil {
		l.feed.trim()
	}
	return time.Time{}
}

// tidied says whether the room is as small as it gets.
func (r *Room) tidied() bool { return !r.busy && r.quiet.IsZero() }

// tellUnseen tells how the room stands, if nobody may have seen what happened.
func (r *Room) tellUnseen(ctx context.Context) error {
	if !r.unseen || r.registry.unseen == nil || r.sick != nil {
		return nil
	}
	v := View{Kind: r.kind, Seq: r.seq, Audience: machine.Watchers}
	err := r.guard("snapshot", func() { v.Snapshot = r.machine.Snapshot(machine.Watchers) })
	if err == nil {
		err = r.registry.unseen(ctx, r.id, v)
	}
	r.unseen = err != nil
	return err
}

// release gives the room up, with the time at which it wants to be woken.
func (r *Room) release() error {
	if r.replica != nil {
		return nil // it is not ours to give
	}
	ctx, cancel := context.WithTimeout(r.registry.ctx, appendTimeout)
	defer cancel()
	if err := r.tellUnseen(ctx); err != nil {
		r.registry.log.Warn("room: nobody has heard how it stands", "room", r.id, "err", err)
		return err
	}
	wake := r.wake
	if len(r.tasks) > 0 {
		wake = msTime(r.now())
	}
	err := r.registry.journal.Release(ctx, r.id, r.registry.self, r.epoch, wake)
	if err != nil {
		r.registry.log.Warn("room: cannot release", "room", r.id, "err", err)
	}
	return err
}
