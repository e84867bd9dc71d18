package room

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"mancala/match/journal"
	"mancala/match/machine"
)

const (
	linger     = 5 * time.Second        // after the last request or follower
	stayAwake  = time.Minute            // a room whose wake-up is nearer than this is not unloaded
	asksWithin = 500 * time.Millisecond // of a doubt
)

// owner is the role of a room that this instance owns: it makes entries of commands,
// wakes the machine, carries out its tasks, and tells the replicas.
type owner struct{ room *Room }

// runOwner does what is due in a room that decides.
func (r *Room) runOwner(now time.Time) (next time.Time) {
	if r.stopped(now) {
		r.goAway(nil)
		return time.Time{}
	}
	if since := r.unreachable(); !since.IsZero() {
		r.waitForPlayer(now, since)
		return time.Time{}
	}
	next = r.reassure(now)
	if r.ends() {
		return time.Time{}
	}
	next = earlier(next, r.wakeUp(now))
	next = earlier(next, r.lookAtFollowers(now))
	return earlier(next, r.presence(now))
}

// lookAtFollowers takes in who follows now.
func (r *Room) lookAtFollowers(now time.Time) (next time.Time) {
	if len(r.peers) > 0 {
		next = r.dropSilent(now)
	}
	if _, counted := r.lookAround(now); counted {
		r.notes.add(Note{Kind: NoteWatching, Body: countBody(r.watching)}, 0)
	}
	return next
}

// commitOwn is [Room.commit] for an entry that this room has written.
func (r *Room) commitOwn(e machine.Entry) bool {
	r.registry.watch.entered(r.kind, e.Kind)
	if !r.commit(e) {
		return false
	}
	r.syncTasks()
	return true
}

// reassure checks whether this instance still owns the room, after signs of life so far
// apart that other instances may have declared it dead. The next entry would show it, but
// there may be none: all players may be waiting for a player who is connected to the new
// owner. It returns when to ask.
func (r *Room) reassure(now time.Time) time.Time {
	doubts := r.registry.doubts.Load()
	switch {
	case r.sure == doubts:
		return time.Time{}
	case r.asks.IsZero():
		r.asks = now.Add(rand.N(asksWithin)) // all our rooms ask
		return r.asks
	case now.Before(r.asks):
		return r.asks
	}
	r.asks = time.Time{}
	if r.owns() {
		r.sure = doubts
	} else if !r.ends() {
		r.asks = now.Add(backoff(0, probeFirst, probeMost))
	}
	return r.asks
}

// owns asks the rooms table whether the room is ours. It returns false if the table
// cannot be read, too.
func (r *Room) owns() bool {
	ctx, cancel := context.WithTimeout(r.registry.ctx, appendTimeout)
	defer cancel()
	line, err := r.registry.journal.Room(ctx, r.id)
	if errors.Is(err, journal.ErrNoRoom) || (err == nil && (line.Epoch != r.epoch || line.Owner != r.registry.self)) {
		r.end(ErrFenced)
		return false
	}
	return err == nil
}

// hear takes in what a follower on another instance says.
func (o owner) hear(from string, m Message) {
	switch {
	case toOwner(m.Kind):
		o.room.hearPeer(from, m)
	case m.Kind == tellEntry || m.Kind == tellNote:
		o.room.registry.tellLeft(from, m.Room)
	case m.Kind == tellTaken:
		o.room.callLater(func(r *Room) {
			if m.Epoch > r.epoch {
				r.end(ErrFenced)
			}
		})
	}
}

func (o owner) missed(string) {}

func (o owner) lost(from string) { o.room.callLater(func(r *Room) { r.strand(from) }) }

func (o owner) silent(from string, since time.Time) { o.room.markPeer(from, since) }

func (o owner) audible(from string) { o.room.markPeer(from, time.Time{}) }

func (o owner) spread(n Note) { o.room.spread("", n) }

func (o owner) pass(*request) bool { return false }

func (o owner) say(n Note) { o.room.passNote(n) }

func (o owner) showsState() bool { return true }

// rowsToRead is 1: one unknown row is enough to know that the room has another owner.
func (o owner) rowsToRead() int { return 1 }

func (o owner) takeRow(row journal.Row) error {
	r := o.room
	if r.outage != nil && row.Epoch == r.epoch {
		return ErrUnavailable // our own entry; we do not know yet whether it was written
	}
	r.end(ErrFenced)
	return ErrMoved
}

// rest unloads the room when it has no followers and nothing is due. It returns when to ask
// again.
func (o owner) rest(now time.Time) time.Time {
	r := o.room
	if r.mode() != deciding || r.followed > 0 || len(r.tasks) > 0 || !r.settled() || r.delays() || r.wakesSoon() {
		r.idle = time.Time{}
		return time.Time{}
	}
	if r.idle.IsZero() {
		r.idle = now.Add(linger)
	}
	if now.Before(r.idle) {
		return r.idle
	}
	if o.release() != nil {
		r.idle = now.Add(linger)
		return r.idle
	}
	r.end(errAsleep)
	return time.Time{}
}

// leave stops the clocks, as in an outage that begins now: players lose no time while
// they connect again and wait for the next owner.
func (o owner) leave() {
	r := o.room
	switch {
	case r.outage != nil && r.outage.cut:
		_ = r.credit()
	case r.mode() == deciding:
		now := time.Now()
		_, _ = r.decide(outageCommand(r.timeAt(now)), true, now)
	}
}

// release gives the room up, with the time at which it must be woken.
func (o owner) release() error {
	r := o.room
	ctx, cancel := context.WithTimeout(r.registry.ctx, appendTimeout)
	defer cancel()
	if err := r.tellUnseen(ctx); err != nil {
		r.registry.log.Warn("room: the state that no follower has seen was not reported", "room", r.id, "err", err)
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

// tellUnseen reports the state, if something may have happened that no follower saw.
func (r *Room) tellUnseen(ctx context.Context) error {
	if !r.unseen || r.registry.unseen == nil || r.inQuarantine() {
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

func (o owner) ended() {
	if a := o.room.outage; a != nil && a.noted {
		o.room.registry.stats.away.Add(-1)
	}
}
