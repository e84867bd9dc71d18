package room

import (
	"math"
	"sync"

	"mancala/match/machine"
)

// Limits of what a room keeps so that sockets can resume from memory.
const (
	tailEntries = 16
	tailBytes   = 2 << 10 // of entries; their encoded forms come on top
)

// feed holds what a room has published lately, and its followers. The room's goroutine
// writes it. All other goroutines read it under the lock, so a watcher who resumes takes
// no turn of the room's goroutine.
type feed struct {
	mu        sync.Mutex
	seq       uint64
	tail      []*Published        // the last entries, oldest first, without holes up to seq
	size      int                 // bytes of entries in tail
	sizes     [tailEntries]uint16 // of each, at its sequence modulo their number: dropping an old entry does not read it
	roster    *Roster
	snap      []byte        // for watchers, nil if none was needed yet
	snapSeq   uint64        // the state that snap shows
	snapSize  int           // of the last snapshot; 0 if none was made
	blank     bool          // the machine cannot make a snapshot any more
	wanted    chan struct{} // closed when a new snap has been made; nil if no reader waits
	sticky    []Note        // the last note of each sticky kind; replaced, never changed
	following []*Following
	over      error // why the room has ended; nil while it lives
}

// put adds an entry and tells the followers, in one step under the lock. That keeps
// [Following.Resume] free of gaps and doubles. It reports whether there was a follower
// to tell.
func (f *feed) put(p *Published) (told bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.remember(p)
	for _, g := range f.following {
		if !g.closed.Load() {
			g.follower.Entry(p)
			told = true
		}
	}
	p.private = nil // lent to the room
	return told
}

// remember adds an entry to the tail. The caller holds the lock, or is the only one
// that has the feed.
func (f *feed) remember(p *Published) {
	size := entrySize(p.Entry)
	drop := 0
	for drop < len(f.tail) && (len(f.tail)-drop == tailEntries || f.size+int(size) > tailBytes) {
		f.size -= int(f.sizes[(f.first()+uint64(drop))%tailEntries])
		drop++
	}
	if drop > 0 {
		n := copy(f.tail, f.tail[drop:])
		clear(f.tail[n:])
		f.tail = f.tail[:n]
	}
	f.seq, f.roster = p.Seq, p.Roster
	f.tail = append(f.tail, p)
	f.size += int(size)
	f.sizes[p.Seq%tailEntries] = size
	if f.snap != nil && f.first() > f.snapSeq+1 {
		f.snap = nil // no longer reaches the tail
	}
}

// trim forgets the entries: a socket that has missed one gets it from the journal.
func (f *feed) trim() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tail, f.size, f.snap = nil, 0, nil
}

// entrySize is what an entry counts for in the tail, in bytes: its texts and its
// record. A size beyond the largest number is cut to it, which is more than the whole
// tail may hold.
func entrySize(e machine.Entry) uint16 {
	return uint16(min(160+len(e.Kind)+len(e.By)+len(e.Command)+len(e.Body), math.MaxUint16))
}

// first is the sequence of the oldest entry in the tail.
func (f *feed) first() uint64 { return f.seq + 1 - uint64(len(f.tail)) }

// after returns the entries after since, or false if the tail does not go back that
// far.
func (f *feed) after(since uint64) ([]*Published, bool) {
	if since > f.seq || since+1 < f.first() {
		return nil, false
	}
	return f.tail[since+1-f.first():], true
}

// want asks the room for a fresh watchers' snapshot; many may wait for one.
func (f *feed) want() <-chan struct{} {
	if f.wanted == nil {
		f.wanted = make(chan struct{})
	}
	return f.wanted
}

// keepSticky keeps a sticky note for sockets that resume later.
func (f *feed) keepSticky(n Note) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n.sticky() {
		next := make([]Note, 0, len(f.sticky)+1)
		for _, old := range f.sticky {
			if old.Kind != n.Kind || old.By != n.By {
				next = append(next, old)
			}
		}
		if !n.Over {
			next = append(next, n)
		}
		f.sticky = next
	}
}

// note tells every follower, and keeps the note if it is sticky.
func (f *feed) note(n Note) {
	f.keepSticky(n)
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, g := range f.following {
		if !g.closed.Load() {
			g.follower.Note(n)
		}
	}
}

// end tells every follower that this copy of the room has ended. Later calls of the
// followers get the same answer.
func (f *feed) end(why error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.over = why
	for _, g := range f.following {
		if !g.closed.Swap(true) {
			g.follower.Gone(why)
		}
	}
	f.following = nil
	if f.wanted != nil {
		close(f.wanted)
		f.wanted = nil
	}
}
