package room

import (
	"slices"

	"mancala/match/machine"
)

// repeats remembers the last command IDs of each author with the entries that they
// became, so that a repeat is answered as the first was.
//
// A room with very many authors, the lobby, forgets those who came first.
//
// IDs are kept as hashes, for each author apart: a live room stays small, and an author
// cannot make one ID look like another author's. A checkpoint holds the hashes, so they are
// the same on every instance.
type repeats struct {
	authors []author
	index   map[string]int // only when there are many
}

// author is one author's last commands: at most repeatsKept, the oldest at next
// once full.
type author struct {
	id   string
	next int
	done []done
}

// done is a command that became an entry. It has 12 bytes; with the hash in one piece
// it would have 16.
type done struct {
	hash [2]uint32
	seq  uint32 // a room never has more entries than that
}

// hashOf returns the FNV-1a hash of an ID, with 64 bits.
func hashOf(id string) [2]uint32 {
	h := uint64(14695981039346656037)
	for i := range len(id) {
		h = (h ^ uint64(id[i])) * 1099511628211
	}
	return [2]uint32{uint32(h), uint32(h >> 32)}
}

func (m *repeats) find(by, id string) (seq uint64, ok bool) {
	i := m.author(by)
	if i < 0 {
		return 0, false
	}
	hash := hashOf(id)
	j := slices.IndexFunc(m.authors[i].done, func(d done) bool { return d.hash == hash })
	if j < 0 {
		return 0, false
	}
	return uint64(m.authors[i].done[j].seq), true
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

// learn records the command of an entry, when the entry is made or read back.
func (m *repeats) learn(e machine.Entry, seq uint64) {
	if e.By == "" || e.Command == "" {
		return // the room's own
	}
	i := m.author(e.By)
	if i < 0 {
		i = m.add(e.By)
	}
	a := &m.authors[i]
	d := done{hashOf(e.Command), uint32(seq)}
	if len(a.done) < repeatsKept {
		a.done = append(a.done, d)
		return
	}
	a.done[a.next] = d
	a.next = (a.next + 1) % repeatsKept
}

// authorCommands is the form of an author in a checkpoint.
type authorCommands struct {
	By   string      `json:"by"`
	Done [][3]uint32 `json:"done"` // hash and sequence of each command, the oldest first
}

// stored returns everything that is remembered, for a checkpoint.
func (m *repeats) stored() []authorCommands {
	list := make([]authorCommands, len(m.authors))
	for i, a := range m.authors {
		list[i].By = a.id
		for j := range a.done {
			d := a.done[(a.next+j)%len(a.done)]
			list[i].Done = append(list[i].Done, [3]uint32{d.hash[0], d.hash[1], d.seq})
		}
	}
	return list
}

// load remembers what a checkpoint has.
func (m *repeats) load(list []authorCommands) {
	for _, c := range list {
		i := m.add(c.By)
		a := &m.authors[i]
		for _, d := range c.Done {
			a.done = append(a.done, done{[2]uint32{d[0], d[1]}, d[2]})
		}
	}
}

// trim gives back what was allocated for commands to come.
func (m *repeats) trim() {
	if m.index != nil {
		return // there are many authors, and to visit all of them costs more than it saves
	}
	m.authors = exactly(m.authors)
	for i := range m.authors {
		m.authors[i].done = exactly(m.authors[i].done)
	}
}

// exactly returns a copy without spare capacity.
func exactly[T any](s []T) []T { return append(make([]T, 0, len(s)), s...) }

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
