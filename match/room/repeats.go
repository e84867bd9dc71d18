package room

import (
	"hash/maphash"
	"slices"

	"mancala/match/machine"
)

// repeats remembers the last command IDs of each author with the entries they
// became, so that a repeat is answered as the first was.
//
// A room through which everybody passes, the lobby, forgets those who came first.
//
// IDs are kept as hashes, for each author apart and with a seed that nobody
// outside knows: an author cannot make one of his IDs look like another's, and
// a live room stays small.
type repeats struct {
	authors []author
	index   map[string]int // only when there are many
}

// author is one author's last commands: at most repeatsKept, the oldest at next
// once full. Two slices, since pairs would be padded.
type author struct {
	id    string
	next  int
	ids   []uint64
	lower []uint32 // the sequences; a room never has more than 32 bits of entries
}

var idSeed = maphash.MakeSeed()

func (m *repeats) find(by, id string) (seq uint64, ok bool) {
	i := m.author(by)
	if i < 0 {
		return 0, false
	}
	j := slices.Index(m.authors[i].ids, maphash.String(idSeed, id))
	if j < 0 {
		return 0, false
	}
	return uint64(m.authors[i].lower[j]), true
}

func (m *repeats) author(by string) int {
	if m.index == nil {
		return slices.IndexFunc(m.authors, func(a author) bool { return a.id == by })
	}
	if i, ok := m.index[by]; ok {
		return i
	}
	return -1
}

// learn takes in an entry, as it is made or as it is read back.
func (m *repeats) learn(e machine.Entry, seq uint64) {
	if e.By == "" || e.Command == "" {
		return // the room's own
	}
	i := m.author(e.By)
	if i < 0 {
		i = m.add(e.By)
	}
	a := &m.authors[i]
	h := maphash.String(idSeed, e.Command)
	if len(a.ids) < repeatsKept {
		a.ids, a.lower = append(a.ids, h), append(a.lower, uint32(seq))
		return
	}
	a.ids[a.next], a.lower[a.next] = h, uint32(seq)
	a.next = (a.next + 1) % repeatsKept
}

func (m *repeats) add(by string) int {
	if len(m.authors) == manyAuthors {
		m.authors, m.index = slices.Clone(m.authors[manyAuthors/2:]), nil
	}
	m.authors = append(m.authors, author{id: by})
	n := len(m.authors)
	switch {
	case m.index != nil:
		m.index[by] = n - 1
	case n > fewPeople:
		m.index = make(map[string]int, 2*n)
		for i, a := range m.authors {
			m.index[a.id] = i
		}
	}
	return n - 1
}
