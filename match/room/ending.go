package room

// The mode ending: a room ends for one of four reasons, which is in its field over.
//
//	errAsleep    nothing holds it here, see [role.rest]; a request opens it again
//	ErrFenced    another instance owns it
//	ErrMoved     a replica has no owner to follow, its missing entries are nowhere, or its
//	             entries are not its owner's
//	ErrDrained   this instance goes away
//
// From then on the room answers commands with [ErrMoved]. After the step that it is in its
// goroutine runs [Room.runEnding].

// end makes the room end. Only the first reason counts.
func (r *Room) end(why error) {
	if r.over == nil {
		r.over = why
	}
}

// ends reports whether the room ends after this step.
func (r *Room) ends() bool { return r.over != nil }

// drain makes the room leave. It is safe from any goroutine.
func (r *Room) drain() {
	r.draining.Store(true)
	r.nudge()
}

// fence makes the room end because another instance owns it or may open it. It is safe from
// any goroutine, and a full inbox does not drop it.
func (r *Room) fence() {
	r.fenced.Store(true)
	r.nudge()
}

// letGo ends the room because this instance goes away, or leaves its rooms to the others for
// a while. A room whose clocks could not be stopped is not released: the next owner finds
// that its owner has died, and credits the time since. If this instance lives on, it opens
// the room again itself. The same happens when the release fails: then a takeover waits
// until our lease expires.
func (r *Room) letGo() {
	if !r.role.leave() || !r.ends() && r.role.release() != nil {
		r.registry.retry.Store(r.id, true)
	}
	r.end(ErrDrained) // unless another instance owns it
}

// runEnding is the last thing that a room does: its followers are told, its place in the
// registry is free, and the requests that are still in the inbox are answered.
func (r *Room) runEnding() {
	if r.timer != nil {
		r.timer.Stop()
	}
	r.leaveRemains() // before the role forgets its outage
	r.role.ended()
	if r.over == ErrFenced {
		r.registry.watch.fenced(r.id)
	}
	r.feed.end(r.over)
	if d := r.delayed.Load(); d != nil {
		d.feed.end(r.over)
	}
	r.registry.forget(r)
	r.quiet.end()
	r.done.Fire()
	r.turnAway()
	r.registry.group.Done()
}

// turnAway answers the requests in the inbox of a room that has ended. Their senders
// try the next copy.
func (r *Room) turnAway() {
	for {
		select {
		case q := <-r.inbox:
			if q != nil {
				q.answer(r.registry, reply{err: ErrMoved})
			}
		default:
			return
		}
	}
}
