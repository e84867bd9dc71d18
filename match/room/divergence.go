package room

import "time"

// A database that fails over to a standby may lose acknowledged rows. A copy of a room that
// has shown these rows, as its owner or as a replica, is then ahead of the journal, or has
// other entries in their place. It ends, and its followers see the state of the journal.

// diverged ends a copy with entries up to seq that are not in the journal.
func (r *Room) diverged(seq uint64, from string) {
	if r.ends() {
		return
	}
	r.registry.log.Warn("room: the entries of this copy differ, so it restarts", "room", r.id, "entry", seq, "differs_from", from)
	r.end(ErrMoved)
}

const (
	// rewindFor is how long every follower of the room gets a snapshot after a loss of
	// entries.
	rewindFor = time.Minute
	// remainFor is how long the remains of a copy are kept. The next copy may be opened only
	// after an outage.
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

// putBack keeps remains for the next attempt to open the room. s may be nil.
func (reg *Registry) putBack(id string, s *remains) {
	if s != nil {
		reg.left.Store(id, s)
	}
}

// mayHold returns how many of a room's entries a checkpoint may hold: at most those that were
// shown, because the checksum at the last of these is compared. s may be nil.
func (s *remains) mayHold(entries uint64) uint64 {
	if s == nil {
		return entries
	}
	return min(entries, s.seq)
}

// compare is called with the checksum of the journal's entries up to each number.
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
