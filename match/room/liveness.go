package room

import (
	"context"
	"errors"
	"time"

	"mancala/match/journal"
)

const (
	beatEvery    = 500 * time.Millisecond
	beatTimeout  = time.Second
	serviceEvery = 2 * time.Second        // between two signs of life of the service
	firstBeats   = 10                     // signs of life that may time out: an instance that starts can wait
	beatAgain    = 100 * time.Millisecond // the first pause after a failure: the next sign of life uses another connection
	// trustAfter is how long an instance that could not reach the database declares no
	// other instance dead. The others may have been cut off too, and may be reconnecting
	// now.
	trustAfter = journal.DeadAfter
	// lease is how long this instance relies on its sign of life. It is shorter than the
	// time after which other instances take its rooms over, so it stops deciding before
	// that. The fence would stop it anyway; the lease also pauses the clocks.
	lease = journal.DeadAfter - time.Second
	// stoppedAfter is how long this process may run no goroutine before it counts as
	// stopped, and its rooms as possibly behind the journal. The goroutine that writes
	// signs of life runs twice as often, even while the database does not answer.
	stoppedAfter = 2 * beatTimeout
)

// chainFor is how long a finished freeze is kept for the rooms that have not credited it yet.
// Every room looks at once, or after the write that it is in.
const chainFor = time.Minute

var errStopped = errors.New("room: the process was stopped during the sign of life")

// healthy reports whether other instances certainly consider this one alive. It uses both
// the monotonic and the wall clock, since the monotonic clock stops while a laptop sleeps.
// Setting the wall clock back changes nothing.
func (reg *Registry) healthy(now time.Time) bool {
	wall := now.UnixMilli() - reg.lastWall.Load()
	return wall < reg.lease.Milliseconds() && now.Sub(reg.anchor.Load().local) < reg.lease
}

// ready reports whether this instance may open rooms: it is healthy, and its rooms have not
// been left to other instances.
func (reg *Registry) ready(now time.Time) bool { return reg.healthy(now) && !reg.leaves() }

// mayDecide reports whether this instance is healthy and every time for which its process
// was stopped is in frozen. A resumed process may run its rooms before its sign of life.
func (reg *Registry) mayDecide(now time.Time) bool {
	return reg.healthy(now) && reg.ran(now) && reg.wakings.Load() == reg.noted.Load()
}

// stopped reports whether the room may not decide: its instance may count as dead, or was
// frozen since the room last decided. A resumed process may write its sign of life before
// its rooms read the clock, so they check [freeze] as well.
func (o *owner) stopped(now time.Time) bool {
	reg := o.room.registry
	return !reg.mayDecide(now) || o.frozen != reg.frozen.Load()
}

// beat writes a sign of life, and takes the database's time from the answer. After a gap
// the rooms may decide again only once the gap is known: to the service, see [Downtime],
// and as a freeze of this instance.
//
// An instance is not alive while commits wait in vain: its players cannot move, and their clocks
// must stand.
func (reg *Registry) beat() error {
	ctx, cancel := context.WithTimeout(reg.ctx, beatTimeout)
	defer cancel()
	reg.noteRunning(time.Now())
	err := reg.journal.Confirm(ctx)
	before := time.Now()
	reg.noteRunning(before)
	if err != nil {
		return err
	}
	db, err := reg.signOfLife(ctx)
	if err != nil {
		return err
	}
	// The database read its clock between before and now.
	middle := before.Add(time.Since(before) / 2)
	last, stops := reg.lastSeen.Load(), reg.wakings.Load()
	gap := last != 0 && (!reg.healthy(before) || stops != reg.noted.Load())
	if gap {
		reg.distrust() // perhaps all instances were stopped together
		if err := reg.noteService(db); err != nil {
			return err
		}
		reg.noteFreeze(last, db.UnixMilli(), stops != reg.noted.Load())
	}
	reg.noted.Store(stops)
	reg.anchor.Store(&anchor{local: middle, db: db.UnixMilli()})
	reg.lastSeen.Store(db.UnixMilli())
	reg.lastWall.Store(before.UnixMilli())
	doubt := reg.link != nil && last != 0 && db.UnixMilli()-last >= journal.GoneAfter.Milliseconds()
	if doubt {
		reg.doubts.Add(1)
	}
	if gap || doubt {
		reg.nudgeAll()
	}
	return nil
}

// signOfLife writes a sign of life. It fails if the process was stopped meanwhile, since
// the database's answer may be as old as the stop.
func (reg *Registry) signOfLife(ctx context.Context) (time.Time, error) {
	db, err := reg.journal.Alive(ctx, reg.self)
	if !reg.noteRunning(time.Now()) && err == nil {
		err = errStopped
	}
	return db, err
}

// noteService stores the gap if no other instance was alive either. Rooms that slept credit
// it, so they may be opened only afterwards.
func (reg *Registry) noteService(at time.Time) error {
	if reg.down == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(reg.ctx, beatTimeout)
	defer cancel()
	err := reg.down.Alive(ctx, at)
	if !reg.noteRunning(time.Now()) && err == nil {
		err = errStopped
	}
	return err
}

// noteFreeze stores a gap for the rooms, and forgets the gaps that are too old.
func (reg *Registry) noteFreeze(from, until int64, stopped bool) {
	f := &freeze{stopped: stopped, from: from, until: until}
	f.before.Store(reg.frozen.Load())
	for g := f; g != nil; g = g.before.Load() {
		if old := g.before.Load(); old != nil && from-old.until > chainFor.Milliseconds() {
			g.before.Store(nil)
		}
	}
	reg.frozen.Store(f)
}

// noteRunning records that this process runs. If the process was stopped it counts that and
// returns false.
func (reg *Registry) noteRunning(now time.Time) bool {
	ran := reg.ran(now)
	if !ran {
		reg.wakings.Add(1)
		reg.woke = now
	}
	reg.lastRun.Store(&now)
	return ran
}

// ran reports whether the process has been running until now. It uses both clocks, as
// [Registry.healthy] does.
func (reg *Registry) ran(now time.Time) bool {
	last := reg.lastRun.Load()
	return last == nil || now.Sub(*last) < reg.stoppedAfter && now.UnixMilli()-last.UnixMilli() < reg.stoppedAfter.Milliseconds()
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
			reg.log.Warn("room: sign of life of the service not written", "err", err)
		}
		cancel()
	}
}

// distrust records that this instance could not reach the database.
func (reg *Registry) distrust() {
	until := time.Now().Add(trustAfter)
	reg.trustFrom.Store(&until)
}

// trusts reports whether this instance may declare another one dead. It may not while its
// own signs of life fail or are slow, and for [trustAfter] afterwards. The monotonic clock
// measures this time, so setting the wall clock does not change it.
func (reg *Registry) trusts() bool {
	now := time.Now()
	from := reg.trustFrom.Load()
	return reg.healthy(now) && (from == nil || !now.Before(*from))
}

// lives reports whether a room has an owner that counts as alive.
func (reg *Registry) lives(line journal.Room) bool {
	return line.Owner != "" && !(line.OwnerDead && reg.trusts())
}

// live writes signs of life. When they fail for too long, live wakes the rooms, which then
// stop deciding on their own. It also wakes them when messages to this instance no longer
// arrive, see [owner.unheard].
func (reg *Registry) live() {
	next := time.NewTimer(beatEvery)
	defer next.Stop()
	well, deaf, failed := true, false, 0
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
			if failed > 0 {
				reg.returns.Add(1)
				reg.nudgeAll() // their next attempts may be seconds away
			}
			failed = 0
			reg.abandoned.Store(false)
			next.Reset(beatEvery)
		} else if reg.ctx.Err() == nil {
			reg.log.Warn("room: sign of life not written", "err", err)
			next.Reset(backoff(failed, beatAgain, 2*beatEvery))
			failed++
		}
		if now := reg.link != nil && !reg.link.Healthy(); now != deaf {
			deaf = now
			reg.nudgeAll() // players may be connected elsewhere unheard, or be heard again
		}
		reg.giveUpIsolated()
		reg.forgetRemains()
		if now := reg.healthy(time.Now()); now != well {
			if well = now; !well {
				reg.nudgeAll()
			}
		}
	}
}

// giveUpIsolated ends every room, once, when this instance has reached neither the database
// nor another instance for longer than the others wait before they take its rooms over. It
// cannot learn of the takeover, and its followers may find the rooms on another instance.
// An instance that has just resumed after a freeze does not know yet what it reaches.
func (reg *Registry) giveUpIsolated() {
	const most = journal.DeadAfter + beatTimeout
	alone := time.Since(reg.anchor.Load().local) >= most && time.Since(reg.woke) >= most
	if reg.link == nil || !alone || reg.link.Healthy() {
		reg.isolated = reg.isolated && alone
		return
	}
	if reg.isolated {
		return
	}
	reg.isolated = true
	reg.abandoned.Store(true)
	reg.log.Warn("room: neither the database nor another instance answers; all rooms are given up")
	reg.eachRoom((*Room).fence)
}

// hearDead ends every room when another instance tells this one that it counts as dead, and
// the database is indeed out of reach here: the other instances open the rooms, and the
// clients of this one can play there. Without the message no room ends, because then the
// database may be out of reach for all instances. The clients that come until the next sign
// of life must play there as well, see [Stats].
func (reg *Registry) hearDead(from string) {
	if reg.healthy(time.Now()) && !reg.failing.Load() {
		return
	}
	reg.abandoned.Store(true)
	left := 0
	reg.eachRoom(func(r *Room) {
		if !r.fenced.Load() {
			r.fence()
			left++
		}
	})
	if left > 0 {
		reg.log.Warn("room: the database does not answer and other instances count this one as dead; the rooms are left to them", "rooms", left, "from", from)
	}
}

const (
	hearsEvery = time.Second             // between two times that an instance stores
	hearsFresh = 2500 * time.Millisecond // how old the last one is at most while messages arrive somewhere
	// hearsLater is how long after this instance received its last message another one must
	// have heard some. When messages stop for all instances, none is healthy for longer: each
	// receives its own every second, and notices after three seconds that it does not.
	hearsLater = 4500 * time.Millisecond
	// deafFor is how long messages must seem to arrive only elsewhere. When they begin again
	// for all instances, some notice it later.
	deafFor = 3 * time.Second
)

// compareHearing stores that messages arrive here. If they arrive at other instances only,
// this one leaves its rooms to them: its players would stay before a page that says that the
// clocks stand, while the other instances cannot wait for them for ever.
func (reg *Registry) compareHearing() {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	var stored, alone time.Time // when we last stored it; since when we seem to be the only one that hears nothing
	for {
		select {
		case <-tick.C:
		case <-reg.ctx.Done():
			return
		}
		now := time.Now()
		since := reg.link.DeafSince()
		if !reg.ran(now) || !reg.healthy(now) {
			alone = time.Time{} // the database does not answer, or we do not know yet what arrives
			continue
		}
		if since.IsZero() {
			alone = time.Time{}
			reg.hearsAgain("messages from other instances arrive again")
			if now.Sub(stored) >= hearsEvery && reg.storeHearing() {
				stored = now
			}
			continue
		}
		switch heard, later, err := reg.othersHear(since); {
		case err != nil:
			alone = time.Time{}
		case !heard:
			alone = time.Time{}
			reg.hearsAgain("messages arrive at no other instance either")
		case alone.IsZero():
			alone = now
		case later && now.Sub(alone) >= deafFor:
			if !reg.deaf.Swap(true) {
				reg.log.Warn("room: messages arrive at other instances only; all rooms are left to them")
			}
			reg.eachRoom((*Room).drain) // also those that were being opened
		}
	}
}

// hearsAgain makes this instance open rooms again.
func (reg *Registry) hearsAgain(why string) {
	if reg.deaf.Swap(false) {
		reg.log.Info("room: rooms may be opened again", "why", why)
	}
}

func (reg *Registry) storeHearing() bool {
	ctx, cancel := context.WithTimeout(reg.ctx, beatTimeout)
	defer cancel()
	err := reg.hearing.Hears(ctx, msTime(reg.Now()))
	if err != nil && reg.ctx.Err() == nil {
		reg.log.Warn("room: not stored that messages arrive", "err", err)
	}
	return err == nil
}

// othersHear reports whether messages arrive at another instance now, and whether they did
// for so long after they stopped here that they have not stopped for all.
func (reg *Registry) othersHear(stopped time.Time) (now, later bool, err error) {
	ctx, cancel := context.WithTimeout(reg.ctx, beatTimeout)
	defer cancel()
	at, err := reg.hearing.Heard(ctx)
	ms := at.UnixMilli()
	a := reg.anchor.Load()
	return err == nil && a.now()-ms < hearsFresh.Milliseconds(), ms-a.ms(stopped) > hearsLater.Milliseconds(), err
}
