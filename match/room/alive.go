package room

import (
	"context"
	"time"

	"mancala/match/journal"
)

const (
	beatEvery   = 500 * time.Millisecond
	beatTimeout = time.Second
	firstBeats  = 10                     // that may take too long: one who starts has nothing to lose by waiting
	beatAgain   = 100 * time.Millisecond // after one that failed, at first: the next goes over another connection
	// heedAfter is for how long an instance that could not reach the database
	// believes no other dead: they may have been away with it, and come back now.
	heedAfter = journal.DeadAfter
	// lease is how long we trust a sign of life: a little less than others do,
	// so that we stop deciding before they may take our rooms. The fence would
	// stop us anyway; this way the clocks stand still as well.
	lease = journal.DeadAfter - time.Second
)

// healthy says whether others surely believe us alive. It goes by the wall
// clock: a process that was stopped, or a laptop that slept, finds out with its
// first command.
func (h *House) healthy(now time.Time) bool {
	d := now.UnixMilli() - h.lastWall.Load()
	return d < lease.Milliseconds()
}

// beat writes a sign of life and learns the database's time from it.
func (h *House) beat() error {
	ctx, cancel := context.WithTimeout(h.ctx, beatTimeout)
	defer cancel()
	before := time.Now()
	db, err := h.journal.Alive(ctx, h.self)
	if err != nil {
		return err
	}
	if was := h.lastWall.Load(); was != 0 && !h.healthy(before) { // we were stopped, perhaps with all others
		h.cutOff()
	}
	// The database looked at its clock somewhere between.
	middle := before.Add(time.Since(before) / 2)
	h.anchor.Store(&anchor{local: middle, db: db.UnixMilli()})
	last := h.lastSeen.Swap(db.UnixMilli())
	h.lastWall.Store(before.UnixMilli())
	if h.link != nil && last != 0 && db.UnixMilli()-last >= journal.GoneAfter.Milliseconds() {
		h.doubts.Add(1)
		h.nudgeAll()
	}
	return nil
}

// cutOff notes that we could not reach the database.
func (h *House) cutOff() { h.heedFrom.Store(time.Now().Add(heedAfter).UnixMilli()) }

// heeds says whether it is for us to say that another instance is dead: not while
// our own signs of life fail, nor for a while afterwards. Slow ones are as good.
func (h *House) heeds() bool {
	now := time.Now()
	return h.healthy(now) && now.UnixMilli() >= h.heedFrom.Load()
}

// live writes signs of life. When they fail for too long the rooms stop by
// themselves; they are only told to look.
func (h *House) live() {
	next := time.NewTimer(beatEvery)
	defer next.Stop()
	well, failed := true, 0
	for {
		select {
		case <-next.C:
		case <-h.ctx.Done():
			h.nudgeAll()
			return
		}
		err := h.beat()
		if err != nil || failed > 0 {
			h.cutOff()
		}
		if err == nil {
			failed = 0
			next.Reset(beatEvery)
		} else if h.ctx.Err() == nil {
			h.log.Warn("room: no sign of life", "err", err)
			next.Reset(backoff(failed, beatAgain, 2*beatEvery))
			failed++
		}
		if now := h.healthy(time.Now()); now != well {
			if well = now; !well {
				h.nudgeAll()
			}
		}
	}
}

// nudgeAll makes every room that runs look around. One that is still being
// opened does that anyway when it begins.
func (h *House) nudgeAll() {
	h.rooms.Range(func(_, v any) bool {
		if s := v.(*slot); s.ready.IsOpen() && s.err == nil {
			s.room.nudge()
		}
		return true
	})
}
