package search

// maxFew is the largest number of seeds that a fewTable is made for.
const maxFew = 14

// fewTable holds the exact value of every board with few seeds, once it has been asked
// for: a byte for each.
type fewTable struct {
	pits   int
	seeds  int // of the boards it holds
	wanted int // seeds of the boards for which it was made
	values []int8
	boards ranking
}

const unknown int8 = -128

// newFewTable makes a table for searches of boards of so many seeds: it grows with
// them, since filling it takes time.
func newFewTable(pits, wanted int, memory int64) *fewTable {
	t := &fewTable{pits: pits, wanted: wanted, seeds: min(maxFew, max(wanted, 4)/4+1)}
	for boardsUpTo(2*pits, t.seeds) > max(memory, minMemory)/4 {
		t.seeds--
	}
	t.boards = newRanking(2*pits, t.seeds)
	t.values = make([]int8, t.boards.count)
	for i := range t.values {
		t.values[i] = unknown
	}
	return t
}

func (t *fewTable) index(own, other uint64) uint32 {
	at, left := t.boards.add(0, t.seeds, own, 0, t.pits)
	at, _ = t.boards.add(at, left, other, t.pits, 2*t.pits)
	return at
}

// exact is the value of a board with few seeds, by looking at every move.
func (k *kalah) exact(own, other uint64, left int) int {
	at := &k.few.values[k.few.index(own, other)]
	if *at != unknown {
		return int(*at)
	}
	k.nodes++
	value, m := -infinite, kalahMove{}
	for pit := range k.pits {
		if own>>(8*pit)&255 == 0 {
			continue
		}
		k.play(&m, own, other, left, pit)
		switch v := m.gain; {
		case m.over:
			value = max(value, v)
		case m.again:
			value = max(value, v+k.exact(m.own, m.other, left-v))
		default:
			value = max(value, v-k.exact(m.other, m.own, left-v))
		}
	}
	*at = int8(value)
	return value
}
