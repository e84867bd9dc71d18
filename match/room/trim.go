package room

import (
	"sync/atomic"
	"time"

	"mancala/match/machine"
)

const trimAfter = 10 * time.Second // without an entry

// quiet makes a live room small when nothing happens in it for a while. Half of all
// live rooms wait for a player who thinks. Such a room gives back its entries, which are
// in the journal as well, what its notes, repeats and machine can do without, and its
// goroutine, which takes more memory than all the rest.
type quiet struct {
	life   atomic.Uint32 // dozing, ended
	busy   bool          // something has happened since trim last looked
	trimAt time.Time     // when the room may be trimmed; zero if it has been
}

// Bits of life.
const (
	dozing = 1 << iota // the room has no goroutine: the caller that clears this bit starts one
	ended              // the inbox is not read any more
)

// trim gives back what a quiet room can do without. It returns when to ask again.
//
// What stays is copied. It was allocated while the room was played in, each piece among
// garbage, and one piece keeps its whole page of memory.
func (q *quiet) trim(r *Room, now time.Time) time.Time {
	if q.busy {
		q.busy, q.trimAt = false, now.Add(trimAfter)
	}
	if q.trimAt.IsZero() || now.Before(q.trimAt) {
		return q.trimAt
	}
	q.trimAt = time.Time{}
	r.feed.trim()
	r.notes.trim()
	r.repeats.trim()
	r.dropAdmission()
	if m, ok := r.machine.(machine.Trimmer); ok && !r.inQuarantine() {
		if err := r.guard("trim", m.Trim); err != nil {
			r.quarantine(err)
			return now
		}
	}
	if d := r.delayed.Load(); d != nil {
		d.feed.trim()
	}
	return time.Time{}
}

// trimmed reports whether the room is as small as it gets.
func (q *quiet) trimmed() bool { return !q.busy && q.trimAt.IsZero() }

// doze reports whether the room's goroutine may end: the next request for the inbox
// starts another.
func (q *quiet) doze(inbox chan *request) bool {
	q.life.Or(dozing)
	// A request that was put into the inbox just before has not seen the bit, so this
	// goroutine serves it. For a later one wake has been called; if the bit is gone,
	// another goroutine has been started.
	return len(inbox) == 0 || q.life.And(^uint32(dozing))&dozing == 0
}

// wake is called after something was put into the inbox. It reports whether the caller
// must start the room's goroutine, and whether the room has ended.
func (q *quiet) wake() (start, over bool) {
	life := q.life.And(^uint32(dozing))
	return life&(dozing|ended) == dozing, life&ended != 0
}

// end notes that the inbox is not read any more.
func (q *quiet) end() { q.life.Or(ended) }

// over reports whether the room has ended.
func (q *quiet) over() bool { return q.life.Load()&ended != 0 }
