package room

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mancala/match/deadline"
	"mancala/match/journal"
	"mancala/match/machine"
)

const (
	loadTimeout = 30 * time.Second
	takenMost   = 10 // looks at a room that another statement holds
)

// attempt is what a registry knew before it took a room.
type attempt struct{ doubts, wakings int64 }

func (reg *Registry) attempt() attempt { return attempt{reg.doubts.Load(), reg.wakings.Load()} }

// load claims a room and replays it. A room that cannot be replayed is loaded all the
// same, in quarantine. With replicas wanted, a room of another instance is loaded as a
// replica.
func (reg *Registry) load(ctx context.Context, id string, replicas bool) (*Room, error) {
	if !reg.ready(time.Now()) {
		return nil, fmt.Errorf("room: open %s: %w", id, ErrUnavailable)
	}
	since := reg.attempt()
	line, rows, err := reg.claim(ctx, id)
	switch {
	case err == nil:
		return reg.loadOwned(ctx, line, since, nil, rows)
	case errors.Is(err, errElsewhere) && replicas && reg.link != nil:
		r := reg.newRoom(line, since)
		r.role = &replica{room: r, owner: line.Owner}
		r.unheard.Store(true)
		return r, r.restore(ctx, line.Seq, reg.takeRemains(id), nil, rows)
	}
	return nil, err
}

func (reg *Registry) newRoom(line journal.Room, since attempt) *Room {
	r := &Room{
		id: line.ID, kind: line.Kind, registry: reg, epoch: line.Epoch,
		inbox: make(chan *request, inboxSize),
	}
	r.anchor.Store(reg.anchor.Load())
	r.wakings.Store(since.wakings)
	r.quiet.busy = true
	return r
}

// loadOwned opens a room that this instance owns. f has its entries if the room was created
// just now; otherwise it is nil. rows are as for [Room.restore].
func (reg *Registry) loadOwned(ctx context.Context, line journal.Room, since attempt, f *unopened, rows []journal.Row) (*Room, error) {
	r := reg.newRoom(line, since)
	r.fresh = f != nil && reg.Alone()
	last := reg.takeRemains(line.ID)
	o := &owner{room: r, sure: since.doubts, frozen: reg.frozen.Load()}
	r.role = o
	if err := r.restore(ctx, line.Seq, last, f, rows); err != nil {
		// It is ours, and no other instance opens it while we live.
		reg.retry.Store(line.ID, true)
		return nil, err
	}
	reg.retry.Delete(line.ID)
	if !r.inQuarantine() {
		o.syncTasks()
	}
	if !r.inQuarantine() {
		o.tellAwaited() // the last owner may have died before it did
	}
	if !r.inQuarantine() {
		seen := line.OwnerSeen
		if last != nil && last.epoch > 0 && last.epoch+1 == line.Epoch && !seen.IsZero() {
			// The last owner was this instance, which lives, so its last sign of life is no
			// sign of the outage.
			seen = time.UnixMilli(min(seen.UnixMilli(), last.inOrder))
		}
		o.beginCutOff(seen)
	}
	return r, nil
}

// claim makes us the owner of a room without a living owner. It returns the room's line, also of
// a room of another instance, and its rows, or nil if they were not read.
func (reg *Registry) claim(ctx context.Context, id string) (journal.Room, []journal.Row, error) {
	var line journal.Room
	for try, taken := 0, 0; try < 3; try++ { // in case another instance is quicker, and gone again
		found, err := journal.Take(ctx, reg.journal, id, reg.self, reg.kindNames, freeEntries)
		if err != nil {
			switch {
			case errors.Is(err, journal.ErrUnknown):
				reg.retry.Store(id, true) // it may be ours, and then no other instance opens it
			case errors.Is(err, journal.ErrNoRoom):
				reg.retry.Delete(id)
			}
			return line, nil, outside("open", id, err)
		}
		seen := found.Room
		if err := reg.knows(id, seen.Kind); err != nil {
			reg.retry.Delete(id)
			return line, nil, err
		}
		switch {
		case found.Mine:
			return seen, found.Rows, nil
		case seen.Owner == "" && seen.Seq <= freeEntries && taken < takenMost && ctx.Err() == nil:
			// Another statement holds its line. Claim below would wait for it.
			taken++
			try--
			_ = deadline.Wait(ctx, time.Duration(taken)*time.Millisecond)
			continue
		case seen.Owner != reg.self && reg.lives(seen):
			reg.retry.Delete(id) // that instance wakes it
			if reg.link != nil {
				return seen, found.Rows, errElsewhere
			}
		}
		line, err = reg.journal.Claim(ctx, id, reg.self, seen.Epoch)
		switch {
		case err == nil:
			if reg.link != nil && seen.Owner != "" && seen.Owner != reg.self {
				// It may be cut off from the database only, with people who wait there.
				reg.link.Tell(seen.Owner, Message{Kind: tellTaken, Room: id, Epoch: line.Epoch})
			}
			return line, nil, nil
		case errors.Is(err, journal.ErrUnknown):
			reg.retry.Store(id, true) // it may be ours, and then no other instance opens it
		case !errors.Is(err, journal.ErrConflict):
			return line, nil, outside("claim", id, err)
		}
	}
	return line, nil, fmt.Errorf("room: claim %s: another instance owns it: %w", id, ErrUnavailable)
}

// restore builds the state from the journal, which has at least the given number of entries. last is what
// the copy before left here, or nil. f has all entries of a room that was created just now, or
// is nil. rows are all rows, or nil if they must be read. The error is the journal's.
func (r *Room) restore(ctx context.Context, entries uint64, last *remains, f *unopened, rows []journal.Row) error {
	reg := r.registry
	var broken, err error
	if r.encoder, broken = reg.encoder(r.kind); broken == nil {
		s := span{
			entries: last.mayHold(entries), rows: rows,
			begin: func(c *checkpoint) { r.begin(c, last) },
			each: func(seq uint64, e machine.Entry) {
				r.last = e.At
				r.sum = addSum(r.sum, e)
				last.compare(seq, r.sum)
				r.repeats.learn(e, seq)
				r.feed.remember(&Published{Seq: seq, Entry: e, encoder: r})
			},
		}
		if f != nil {
			r.machine, r.seq = f.replay(s)
		} else {
			r.machine, r.seq, broken, err = reg.replay(ctx, r.id, r.kind, s)
		}
		if err != nil {
			reg.putBack(r.id, last)
			return err
		}
		if last.differs(r.seq) {
			reg.rewound.Store(r.id, time.Now())
		}
	}
	r.feed.roster = new(Roster)
	r.roster.Store(r.feed.roster)
	if r.machine != nil {
		r.feed.seq = r.seq
		if broken == nil && r.startsDelay() {
			if err := r.startDelay(); err != nil {
				reg.putBack(r.id, last)
				return err
			}
		}
		if r.deriveState() == nil {
			for i := range r.people {
				r.people[i].told = toldUnknown
			}
		}
		if l := r.delayed.Load(); l != nil {
			l.feed.roster = r.feed.roster // the delay began before there was one
		}
	}
	if broken != nil {
		r.quarantine(broken)
	}
	return nil
}

// begin sets what a room keeps beside its machine, as a checkpoint has it, or as it is before
// the first entry if c is nil.
func (r *Room) begin(c *checkpoint, last *remains) {
	if c == nil {
		c = new(checkpoint)
	}
	r.last, r.sum, r.repeats, r.feed = c.At, c.Sum, repeats{}, feed{seq: c.Seq}
	r.repeats.load(c.Repeats)
	last.compare(c.Seq, c.Sum)
	if o, ok := r.role.(*owner); ok {
		o.saves.last.Store(c.Seq)
		o.saves.due = c.Seq + r.registry.checkpointEvery
	}
}

// unopened is a room that is created here, with all its entries.
type unopened struct {
	line    journal.Room
	machine machine.Machine
	entries []machine.Entry
	rows    []journal.Row // the entries
}

// replay is [Registry.replay] for a room whose entries are known.
func (f *unopened) replay(s span) (machine.Machine, uint64) {
	s.begin(nil)
	for i, e := range f.entries {
		s.each(uint64(i)+1, e)
	}
	return f.machine, uint64(len(f.entries))
}
