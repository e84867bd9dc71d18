package room

import (
	"context"
	"errors"
	"sync"
	"time"

	"mancala/match/journal"
)

const (
	beatEvery   = time.Second
	beatTimeout = time.Second
	// lease is how long we trust a sign of life: a little less than others do,
	// so that we stop deciding before they may take our rooms. The fence would
	// stop us anyway; this way the clocks stand still as well.
	lease = journal.DeadAfter - time.Second

	scanEvery = time.Second
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
	// The database looked at its clock somewhere between.
	middle := before.Add(time.Since(before) / 2)
	h.anchor.Store(&anchor{local: middle, db: db.UnixMilli()})
	h.lastSeen.Store(db.UnixMilli())
	h.lastWall.Store(before.UnixMilli())
	return nil
}

// live writes signs of life. When they fail for too long the rooms stop by
// themselves; they are only told to look.
func (h *House) live() {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	well := true
	for {
		select {
		case <-tick.C:
		case <-h.ctx.Done():
			h.nudgeAll()
			return
		}
		if err := h.beat(); err != nil && h.ctx.Err() == nil {
			h.log.Warn("room: no sign of life", "err", err)
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
	tick := time.NewTicker(scanEvery)
	defer tick.Stop()
	for {
		h.openDue()
		select {
		case <-tick.C:
		case <-h.ctx.Done():
			return
		}
	}
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
			ids = append(ids, line.ID)
		}
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
			_, err := h.open(h.ctx, id, false)
			if err != nil {
				if h.ctx.Err() == nil {
					h.log.Debug("room: cannot open a due room", "room", id, "err", err)
				}
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
