package room

import (
	"hash/maphash"

	"mancala/match/machine"
)

// repeats remembers the last command IDs of each author with the entries they
// became, so that a repeat is answered as the first was.
//
// IDs are kept as hashes, keyed by author and by a seed that nobody outside
// knows: an author cannot make one of his IDs look like another's, and a live
// room stays small.
type repeats struct {
	authors map[string]*ring
}

type ring struct {
	next int
	ids  []remembered // at most repeatsKept, oldest at next once full
}

type remembered struct {
	id  uint64
	seq uint64
}

var idSeed = maphash.MakeSeed()

func (m *repeats) find(by, id string) (seq uint64, ok bool) {
	r := m.authors[by]
	if r == nil {
		return 0, false
	}
	h := maphash.String(idSeed, id)
	for i := range r.ids {
		if r.ids[i].id == h {
			return r.ids[i].seq, true
		}
	}
	return 0, false
}

// learn takes in an entry, as it is made or as it is read back.
func (m *repeats) learn(e machine.Entry, seq uint64) {
	if e.By == "" || e.Command == "" {
		return // the room's own
	}
	if m.authors == nil {
		m.authors = make(map[string]*ring, 2)
	}
	r := m.authors[e.By]
	if r == nil {
		r = new(ring)
		m.authors[e.By] = r
	}
	k := remembered{maphash.String(idSeed, e.Command), seq}
	if len(r.ids) < repeatsKept {
		r.ids = append(r.ids, k)
		return
	}
	r.ids[r.next] = k
	r.next = (r.next + 1) % repeatsKept
}
