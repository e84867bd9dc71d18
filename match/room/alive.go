package room

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
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

	scanEvery = time.Second
	lookEvery = 250 * time.Millisecond // for instances that have died
	lookMost  = 2 * time.Second        // that a look takes; the next goes over another connection
	scanBatch = 256
	scanners  = 8
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
		if s := v.(*slot); isReady(s) && s.err == nil {
			s.room.nudge()
		}
		return true
	})
}

func isReady(s *slot) bool {
	select {
	case <-s.ready:
		return true
	default:
		return false
	}
}

// scan opens the rooms that are due and that nobody alive owns, so that a flag
// falls although nobody is connected.
func (h *House) scan() {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var dead []string
	for n := 0; ; n++ {
		died := false
		if h.link != nil {
			dead, died = h.bury(dead)
		}
		if died || n%int(scanEvery/lookEvery) == 0 {
			h.openDue()
		}
		select {
		case <-tick.C:
		case <-h.ctx.Done():
			return
		}
	}
}

// bury looks for instances that have died since the last time: what we follow
// there is looked for at once, and who was connected there is no longer.
func (h *House) bury(before []string) (dead []string, died bool) {
	ctx, cancel := context.WithTimeout(h.ctx, lookMost)
	defer cancel()
	dead, err := h.journal.Dead(ctx)
	if err != nil || !h.heeds() {
		return before, false
	}
	for _, name := range dead {
		if name != h.self && !slices.Contains(before, name) {
			h.log.Info("room: another instance has died", "instance", name)
			h.Lost(name)
			died = true
		}
	}
	return dead, died
}

func (h *House) openDue() {
	var ids []string
	h.retry.Range(func(id, _ any) bool {
		ids = append(ids, id.(string))
		return true
	})
	for full := true; full && h.ctx.Err() == nil; {
		due, err := h.journal.Due(h.ctx, msTime(h.anchor.Load().now()), scanBatch)
		if err != nil {
			if h.ctx.Err() == nil && !errors.Is(err, journal.ErrUnavailable) {
				h.log.Warn("room: cannot look for due rooms", "err", err)
			}
			due = nil
		}
		for _, line := range due {
			if line.Owner == "" || h.heeds() {
				ids = append(ids, line.ID)
			}
		}
		// Others look at the same list, and one room is for one of us.
		rand.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		// Those that could be opened are no longer listed; if none could, the
		// same would come again.
		full = h.openAll(ids) > 0 && len(due) == scanBatch
		ids = ids[:0]
	}
}

// openAll opens rooms, a few at a time, and says how many were not open before.
func (h *House) openAll(ids []string) (opened int) {
	var mu sync.Mutex
	var group sync.WaitGroup
	slots := make(chan struct{}, scanners)
	for _, id := range ids {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			r, err := h.open(h.ctx, id, false)
			if err != nil {
				if h.ctx.Err() == nil {
					h.log.Debug("room: cannot open a due room", "room", id, "err", err)
				}
				return
			}
			if r.mirror != nil {
				r.mirror.lose(r, "") // of a room that lost its owner: it ends, and is opened by those who follow it
				return
			}
			mu.Lock()
			opened++
			mu.Unlock()
		})
	}
	group.Wait()
	return opened
}
