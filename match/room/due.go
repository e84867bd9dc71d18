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
	scanEvery = time.Second
	lookEvery = 250 * time.Millisecond // for instances that have died
	lookMost  = 2 * time.Second        // that a look takes; the next goes over another connection
	scanBatch = 256
	scanners  = 8
)

// scan opens the rooms that are due and that nobody alive owns, so that a flag
// falls although nobody is connected.
func (h *House) scan() {
	tick := time.NewTicker(scanEvery)
	defer tick.Stop()
	for {
		h.openDue()
		select {
		case <-tick.C:
		case <-h.died:
		case <-h.ctx.Done():
			return
		}
	}
}

// mourn looks for instances that have died, also while the rooms of one that died
// before are still being opened.
func (h *House) mourn() {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var dead []string
	for {
		dead = h.bury(dead)
		select {
		case <-tick.C:
		case <-h.ctx.Done():
			return
		}
	}
}

// bury looks for instances that have died since the last time: what we follow
// there is looked for at once, who was connected there is no longer, and what was
// theirs is due.
func (h *House) bury(before []string) (dead []string) {
	ctx, cancel := context.WithTimeout(h.ctx, lookMost)
	defer cancel()
	dead, err := h.journal.Dead(ctx)
	if err != nil || !h.heeds() {
		return before
	}
	for _, name := range dead {
		if name != h.self && !slices.Contains(before, name) {
			h.log.Info("room: another instance has died", "instance", name)
			h.Lost(name)
			select {
			case h.died <- struct{}{}:
			default: // it will look anyway
			}
		}
	}
	return dead
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
