package room

import (
	"context"
	"time"

	"mancala/match/journal"
)

const (
	beatEvery    = 500 * time.Millisecond
	beatTimeout  = time.Second
	serviceEvery = 2 * time.Second        // between two signs of life of the service
	firstBeats   = 10                     // that may time out: an instance that starts can wait
	beatAgain    = 100 * time.Millisecond // after a failure, at first: the next sign of life goes over another connection
	// trustAfter is for how long an instance that could not reach the database takes
	// no other for dead: they may have been cut off, too, and come back now.
	trustAfter = journal.DeadAfter
	// lease is how long we rely on our sign of life: a little less than other
	// instances do, so that we stop deciding before they may take our rooms. The
	// fence would stop us anyway; with the lease the clocks stand as well.
	lease = journal.DeadAfter - time.Second
	// stoppedAfter is the time without a sign of running after which this process counts
	// as stopped, and its rooms may be behind the journal. The goroutine that writes signs
	// of life runs twice as often, also while the database does not answer.
	stoppedAfter = 2 * beatTimeout
)

// freeze is a gap in this instance's signs of life that is over: the process was stopped,
// or the database did not answer.
type freeze struct {
	from int64 // the last sign of life before it, ms, the database's time
}

// healthy reports whether other instances surely take us for alive. It goes by the wall
// clock too: the other one stands while a laptop sleeps. A wall clock that is set back
// changes nothing.
func (reg *Registry) healthy(now time.Time) bool {
	wall := now.UnixMilli() - reg.lastWall.Load()
	return wall < lease.Milliseconds() && now.Sub(reg.anchor.Load().local) < lease
}

// stopped reports whether the room may not decide: its instance may count as dead, or has
// been frozen since the room last decided. A process that is woken writes its sign of life
// perhaps before its rooms look at the clock, so they go by [freeze] as well.
func (r *Room) stopped(now time.Time) bool {
	return !r.registry.healthy(now) || r.frozen != r.registry.frozen.Load()
}

// beat writes a sign of life, and learns the database's time from it.
func (reg *Registry) beat() error {
	ctx, cancel := context.WithTimeout(reg.ctx, beatTimeout)
	defer cancel()
	before := time.Now()
	reg.noteRunning(before)
	db, err := reg.journal.Alive(ctx, reg.self)
	reg.noteRunning(time.Now())
	if err != nil {
		return err
	}
	if was := reg.lastWall.Load(); was != 0 && !reg.healthy(before) { // this process was stopped, perhaps with all others
		reg.distrust()
		reg.frozen.Store(&freeze{from: reg.lastSeen.Load()}) // before the instance counts as healthy again
	}
	// The database read its clock between before and now.
	middle := before.Add(time.Since(before) / 2)
	reg.anchor.Store(&anchor{local: middle, db: db.UnixMilli()})
	last := reg.lastSeen.Swap(db.UnixMilli())
	reg.lastWall.Store(before.UnixMilli())
	if reg.link != nil && last != 0 && db.UnixMilli()-last >= journal.GoneAfter.Milliseconds() {
		reg.doubts.Add(1)
		reg.nudgeAll()
	}
	return nil
}

// noteRunning notes that this process runs. It counts how often the process was stopped.
func (reg *Registry) noteRunning(now time.Time) {
	if !reg.ran(now) {
		reg.wakings.Add(1)
	}
	reg.lastRun.Store(&now)
}

// ran reports whether the process has been running until now. It goes by the wall clock
// too: the other one stands while a laptop sleeps.
func (reg *Registry) ran(now time.Time) bool {
	last := reg.lastRun.Load()
	return last == nil || now.Sub(*last) < stoppedAfter && now.UnixMilli()-last.UnixMilli() < stoppedAfter.Milliseconds()
}

// noteLife writes signs of life of the service, see [Downtime].
func (reg *Registry) noteLife() {
	tick := time.NewTicker(serviceEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-reg.ctx.Done():
			return
		}
		if !reg.healthy(time.Now()) {
			continue // the time is not known
		}
		ctx, cancel := context.WithTimeout(reg.ctx, appendTimeout)
		if err := reg.down.Alive(ctx, msTime(reg.anchor.Load().now())); err != nil && reg.ctx.Err() == nil {
			reg.log.Warn("room: no sign of life of the service", "err", err)
		}
		cancel()
	}
}

// distrust notes that this instance could not reach the database.
func (reg *Registry) distrust() { reg.trustFrom.Store(time.Now().Add(trustAfter).UnixMilli()) }

// trusts reports whether this instance may judge that another one is dead. It may not
// while its own signs of life fail or are slow, nor for a while afterwards.
func (reg *Registry) trusts() bool {
	now := time.Now()
	return reg.healthy(now) && now.UnixMilli() >= reg.trustFrom.Load()
}

// lives reports whether a room has an owner that counts as alive.
func (reg *Registry) lives(line journal.Room) bool {
	return line.Owner != "" && !(line.OwnerDead && reg.trusts())
}

// live writes signs of life. When they fail for too long the rooms stop by themselves;
// live only makes them look.
func (reg *Registry) live() {
	next := time.NewTimer(beatEvery)
	defer next.Stop()
	well, failed := true, 0
	for {
		select {
		case <-next.C:
		case <-reg.ctx.Done():
			reg.nudgeAll()
			return
		}
		err := reg.beat()
		reg.failing.Store(err != nil)
		if err != nil || failed > 0 {
			reg.distrust()
		}
		if err == nil {
			failed = 0
			next.Reset(beatEvery)
		} else if reg.ctx.Err() == nil {
			reg.log.Warn("room: no sign of life", "err", err)
			next.Reset(backoff(failed, beatAgain, 2*beatEvery))
			failed++
		}
		reg.giveUpIsolated()
		if now := reg.healthy(time.Now()); now != well {
			if well = now; !well {
				reg.nudgeAll()
			}
		}
	}
}

// giveUpIsolated ends every room, once, when this instance reaches neither the database
// nor other instances, for longer than they wait before they take its rooms over. It
// cannot be told that they have, and its followers may find them elsewhere.
func (reg *Registry) giveUpIsolated() {
	alone := time.Since(reg.anchor.Load().local) >= journal.DeadAfter+beatTimeout
	if reg.link == nil || !alone || reg.link.Healthy() {
		reg.isolated = reg.isolated && alone
		return
	}
	if reg.isolated {
		return
	}
	reg.isolated = true
	reg.log.Warn("room: neither the database nor other instances answer; the rooms are left to them")
	reg.eachRoom(func(r *Room) {
		r.callLater(func(r *Room) {
			if r.over == nil {
				r.over = ErrFenced
			}
		})
	})
}
