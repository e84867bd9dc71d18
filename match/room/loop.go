package room

import (
	"errors"
	"time"
)

// loop is the room's goroutine. A room has one at most: none while it dozes. The loop
// ends when the room does, see [Room.runEnding].
func (r *Room) loop() {
	now := time.Now()
	for {
		r.attend(now)
		if r.ends() {
			r.runEnding()
			return
		}
		if r.quiet.trimmed() && r.quiet.doze(r.inbox) {
			return
		}
		now = r.next()
	}
}

// attend does what is due besides the inbox, and sets the timer for what will be.
func (r *Room) attend(now time.Time) {
	if !now.Before(r.armed) {
		r.armed = time.Time{}
	}
	if r.registry.ctx.Err() != nil {
		r.end(ErrDrained)
	}
	if r.fenced.Load() {
		r.end(ErrFenced)
	}
	if why := r.broken.Load(); why != nil && !r.inQuarantine() {
		r.quarantine(errors.New(*why))
	}
	if o, owns := r.role.(*owner); owns {
		now = o.takeNews(now)
	}
	next := r.run(now)
	next = earlier(next, r.showDelayed())
	if r.role.showsState() {
		r.makeSnapshots()
	}
	next = earlier(next, r.sendNotes(now))
	if r.draining.Load() && !r.ends() {
		r.letGo()
	}
	if !r.ends() {
		next = earlier(next, r.role.rest(now))
		next = earlier(next, r.quiet.trim(r, now))
	}
	r.arm(next)
}

// arm sets the timer. A timer that is set for an earlier moment stays: one look too many
// is cheaper than to set the timer with every command.
func (r *Room) arm(next time.Time) {
	if next.IsZero() || (!r.armed.IsZero() && !next.Before(r.armed)) {
		return
	}
	r.armed = next
	if r.timer == nil {
		r.timer = time.AfterFunc(time.Until(next), r.nudge)
		return
	}
	r.timer.Reset(time.Until(next))
}

// next waits for a request or a nudge and deals with it. It returns the time after that.
func (r *Room) next() time.Time {
	if q := <-r.inbox; q != nil {
		r.idle = time.Time{}
		return r.role.serve(q)
	}
	r.poked.Store(false)
	return time.Now()
}
