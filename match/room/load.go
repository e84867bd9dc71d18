package room

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mancala/match/journal"
	"mancala/match/machine"
)

const loadTimeout = 30 * time.Second

// load claims a room and replays it. A room that cannot be replayed is loaded all the
// same, in quarantine. With replicas wanted, a room of another instance is loaded as a
// replica.
func (reg *Registry) load(id string, replicas bool) (*Room, error) {
	ctx, cancel := context.WithTimeout(reg.ctx, loadTimeout)
	defer cancel()
	if !reg.healthy(time.Now()) {
		return nil, fmt.Errorf("room: open %s: %w", id, ErrUnavailable)
	}
	doubts, wakings := reg.doubts.Load(), reg.wakings.Load()
	line, err := reg.claim(ctx, id)
	elsewhere := errors.Is(err, errElsewhere)
	if err != nil && !(elsewhere && replicas && reg.link != nil) {
		return nil, err
	}
	r := &Room{
		id: id, kind: line.Kind, registry: reg, epoch: line.Epoch,
		inbox: make(chan *request, inboxSize),
	}
	r.anchor.Store(reg.anchor.Load())
	r.wakings.Store(wakings)
	r.quiet.busy = true
	last := reg.takeRemains(id)
	if elsewhere {
		r.role = &replica{room: r, owner: line.Owner}
		r.unheard.Store(true)
		return r, r.restore(ctx, last)
	}
	o := &owner{room: r, sure: doubts, frozen: reg.frozen.Load()}
	r.role = o
	if err := r.restore(ctx, last); err != nil {
		// It is ours, and no other instance opens it while we live.
		reg.retry.Store(id, true)
		return nil, err
	}
	reg.retry.Delete(id)
	if !r.inQuarantine() {
		o.syncTasks()
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

// claim makes us the owner of a room without a living owner.
func (reg *Registry) claim(ctx context.Context, id string) (journal.Room, error) {
	var line journal.Room
	for range 3 { // in case another instance is quicker, and gone again
		seen, err := reg.journal.Room(ctx, id)
		if err != nil {
			return line, outside("open", id, err)
		}
		if reg.link != nil && seen.Owner != reg.self && reg.lives(seen) {
			return seen, errElsewhere
		}
		line, err = reg.journal.Claim(ctx, id, reg.self, seen.Epoch)
		switch {
		case err == nil:
			if reg.link != nil && seen.Owner != "" && seen.Owner != reg.self {
				// It may be cut off from the database only, with people who wait there.
				reg.link.Tell(seen.Owner, Message{Kind: tellTaken, Room: id, Epoch: line.Epoch})
			}
			return line, nil
		case errors.Is(err, journal.ErrUnknown):
			reg.retry.Store(id, true) // it may be ours, and then no other instance opens it
		case !errors.Is(err, journal.ErrConflict):
			return line, outside("claim", id, err)
		}
	}
	return line, fmt.Errorf("room: claim %s: another instance owns it: %w", id, ErrUnavailable)
}

// restore builds the state from the journal. last is what the copy before left here, or nil.
// The error is the journal's.
func (r *Room) restore(ctx context.Context, last *remains) error {
	reg := r.registry
	var broken, err error
	if r.encoder, broken = reg.encoder(r.kind); broken == nil {
		r.machine, r.seq, broken, err = reg.replay(ctx, r.id, r.kind, 0, func(seq uint64, e machine.Entry) {
			r.last = e.At
			r.sum = addSum(r.sum, e)
			last.compare(seq, r.sum)
			r.repeats.learn(e, seq)
			r.feed.remember(&Published{Seq: seq, Entry: e, encoder: r})
		})
		if err != nil {
			if last != nil {
				reg.left.Store(r.id, last) // for the next attempt
			}
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
				return err
			}
		}
		if r.deriveState() == nil {
			for i := range r.people {
				r.people[i].told = toldUnknown
			}
		}
	}
	if broken != nil {
		r.quarantine(broken)
	}
	return nil
}

const (
	// rewindFor is for how long after a loss of entries every follower of the room gets a
	// snapshot.
	rewindFor = time.Minute
	// remainFor is for how long what a copy left is kept. Nobody may open the room before
	// an outage is over.
	remainFor = time.Hour
)

// remains are what a copy of a room leaves to the next one on this instance.
//
// The database can lose entries when it fails over to a standby that did not have them. The
// next entries then have numbers that followers know already, so numbers do not tell what
// they miss.
type remains struct {
	at      time.Time
	seq     uint64 // of the last entry that followers were shown
	sum     uint32 // of the entries up to it, see addSum
	same    bool   // the journal has these entries
	epoch   uint64 // of an owner; 0 for a replica
	inOrder int64  // of an owner: when the room could last decide, ms, the database's time
}

// leaveRemains keeps what the next copy of the room must know, if followers are going to
// follow that.
func (r *Room) leaveRemains() {
	if r.over == errAsleep || r.over == ErrDrained || r.seq == 0 || r.inQuarantine() || r.ephemeral() {
		return
	}
	left := &remains{at: time.Now(), seq: r.seq, sum: r.sum}
	if o, ok := r.role.(*owner); ok {
		left.epoch, left.inOrder = r.epoch, o.inOrder()
	}
	r.registry.left.Store(r.id, left)
}

// takeRemains returns what the last copy of a room left, or nil.
func (reg *Registry) takeRemains(id string) *remains {
	v, ok := reg.left.LoadAndDelete(id)
	if !ok {
		return nil
	}
	return v.(*remains)
}

// compare takes in the checksum of the journal's entries up to a number.
func (s *remains) compare(seq uint64, sum uint32) {
	if s != nil && seq == s.seq {
		s.same = sum == s.sum
	}
}

// differs reports whether the journal, which ends at a number, has lost what was shown.
func (s *remains) differs(seq uint64) bool { return s != nil && (seq < s.seq || !s.same) }

// isRewound reports whether the journal has lost entries of a room of late that followers
// here may know.
func (reg *Registry) isRewound(id string) bool {
	v, ok := reg.rewound.Load(id)
	return ok && time.Since(v.(time.Time)) < rewindFor
}

// forgetRemains removes what no copy and no follower can miss any more.
func (reg *Registry) forgetRemains() {
	reg.left.Range(func(id, v any) bool {
		if time.Since(v.(*remains).at) >= remainFor {
			reg.left.Delete(id)
		}
		return true
	})
	reg.rewound.Range(func(id, v any) bool {
		if time.Since(v.(time.Time)) >= rewindFor {
			reg.rewound.Delete(id)
		}
		return true
	})
}
