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
	lookEvery = 250 * time.Millisecond // for dead instances
	lookMost  = 2 * time.Second        // that a look may take; the next goes over another connection
	scanBatch = 256
	scanners  = 8

	tellDeadEvery = time.Second // an instance that counts as dead is told so, since messages may be lost
	tellDeadFor   = 10 * time.Second
)

// scan opens the rooms that are due and have no living owner, so that a flag falls with
// no player connected.
func (reg *Registry) scan() {
	tick := time.NewTicker(scanEvery)
	defer tick.Stop()
	var dead map[string]bool
	for {
		dead = reg.openDue(dead)
		select {
		case <-tick.C:
		case <-reg.ctx.Done():
			return
		}
	}
}

// detectDead looks for instances that have died. It does so while the rooms of an
// instance that died before are still being opened.
func (reg *Registry) detectDead() {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var dead []string
	told := map[string]*notice{}
	for {
		dead = reg.reapDead(dead)
		if reg.trusts() {
			reg.tellDead(dead, told, time.Now())
		}
		select {
		case <-tick.C:
		case <-reg.ctx.Done():
			return
		}
	}
}

// reapDead looks for instances that have died since the last time. The rooms that we
// follow there get a new owner at once, the people who were connected there are so no
// longer, and the other rooms of that instance are due.
func (reg *Registry) reapDead(before []string) (dead []string) {
	ctx, cancel := context.WithTimeout(reg.ctx, lookMost)
	defer cancel()
	dead, err := reg.journal.Dead(ctx)
	if err != nil || !reg.trusts() {
		return before
	}
	for _, name := range dead {
		if name != reg.self && !slices.Contains(before, name) {
			reg.log.Info("room: another instance has died", "instance", name)
			reg.Lost(name)
		}
	}
	return dead
}

// notice is what an instance that counts as dead was told.
type notice struct{ first, last time.Time }

// tellDead tells instances that they count as dead. One that is only cut off from the
// database then sends its clients on, see [Registry.hearDead].
func (reg *Registry) tellDead(dead []string, told map[string]*notice, now time.Time) {
	for name := range told {
		if !slices.Contains(dead, name) {
			delete(told, name)
		}
	}
	for _, name := range dead {
		n := told[name]
		if n == nil {
			n = &notice{first: now}
			told[name] = n
		}
		if name == reg.self || now.Sub(n.last) < tellDeadEvery || now.Sub(n.first) > tellDeadFor {
			continue
		}
		n.last = now
		reg.link.Tell(name, Message{Kind: tellDead})
	}
}

// openDue opens the rooms that are due, and returns the dead instances that own some. The rooms of
// an instance that was not dead at the last scan are left to the next one: there may be thousands
// without followers, which would hold up the rooms that people follow. None is in a hurry, since its
// clocks stand until it is opened.
func (reg *Registry) openDue(deadBefore map[string]bool) (dead map[string]bool) {
	dead = map[string]bool{}
	var ids []string
	reg.retry.Range(func(id, _ any) bool {
		ids = append(ids, id.(string))
		return true
	})
	ids = append(ids, reg.orphaned()...)
	strange := 0 // rooms that only a newer release knows; they stay on the list
	for full := true; full && reg.ctx.Err() == nil; {
		limit := scanBatch + strange
		due, err := reg.journal.Due(reg.ctx, msTime(reg.anchor.Load().now()), limit)
		if err != nil {
			if reg.ctx.Err() == nil && !errors.Is(err, journal.ErrUnavailable) {
				reg.log.Warn("room: cannot look for due rooms", "err", err)
			}
			due = nil
		}
		before := strange
		strange = 0
		for _, line := range due {
			if line.Owner != "" {
				dead[line.Owner] = true
			}
			switch {
			case reg.kinds[line.Kind] == nil:
				strange++
			case line.Owner == "", deadBefore[line.Owner] && reg.trusts():
				ids = append(ids, line.ID)
			}
		}
		// Other instances have the same list, and only one opens a room.
		rand.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		// Rooms that could be opened are no longer listed. If none could, the same
		// list would come again.
		full = (reg.openAll(ids) > 0 || strange > before) && len(due) == limit
		ids = ids[:0]
	}
	return dead
}

// orphaned returns rooms that do not run here although the rooms table names this instance
// as their owner. A release or the answer to a claim was lost, for example in a failover of
// the database. Other instances follow such a room here, and no instance would open it.
func (reg *Registry) orphaned() (ids []string) {
	reg.orphans.Range(func(id, _ any) bool {
		reg.orphans.Delete(id)
		if len(ids) == scanBatch || reg.ctx.Err() != nil {
			return false // the instances that follow ask again
		}
		line, err := reg.journal.Room(reg.writing.In(reg.ctx, appendTimeout), id.(string))
		if err == nil && line.Owner == reg.self {
			ids = append(ids, line.ID)
		}
		return true
	})
	return ids
}

// openAll opens rooms, a few at a time, and returns how many were not open before.
func (reg *Registry) openAll(ids []string) (opened int) {
	var mu sync.Mutex
	var group sync.WaitGroup
	slots := make(chan struct{}, scanners)
	for _, id := range ids {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			r, err := reg.open(reg.ctx, id, false)
			if err != nil {
				if reg.ctx.Err() == nil {
					reg.log.Debug("room: cannot open a due room", "room", id, "err", err)
				}
				return
			}
			if r.isReplica() {
				r.role.lost("") // of a room that lost its owner: it ends, and its followers open the room
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
