package search

// maxFew is the largest number of seeds that a fewTable is made for.
const maxFew = 14

// fewTable holds the exact value of every board with few seeds, once it has been asked
// for: a byte for each, found by counting the boards before it (combinatorial number
// system).
type fewTable struct {
	pits   int
	seeds  int // of the boards it holds
	wanted int // seeds of the boards for which it was made
	values []int8
	// before[i][left][n]: how many boards there are before those that have n seeds in
	// pit i, if left seeds may still be placed from there on.
	before [2 * maxKalahPits][maxFew + 1][maxFew + 1]uint32
}

const unknown int8 = -128

// newFewTable makes a table for searches of boards of so many seeds: it grows with
// them, since filling it takes time.
func newFewTable(pits, wanted int, memory int64) *fewTable {
	t := &fewTable{pits: pits, wanted: wanted}
	// ways[i][left]: how many ways there are to place up to left seeds in the pits from i.
	var ways [2*maxKalahPits + 1][maxFew + 1]uint32
	for left := range ways[0] {
		ways[2*pits][left] = 1
	}
	for i := 2*pits - 1; i >= 0; i-- {
		for left := range ways[i] {
			for n := range left + 1 {
				t.before[i][left][n] = ways[i][left]
				ways[i][left] += ways[i+1][left-n]
			}
		}
	}
	t.seeds = min(maxFew, max(wanted, 4)/4+1)
	for int64(ways[0][t.seeds]) > max(memory, minMemory)/4 {
		t.seeds--
	}
	t.values = make([]int8, ways[0][t.seeds])
	for i := range t.values {
		t.values[i] = unknown
	}
	return t
}

func (t *fewTable) index(own, other uint64) uint32 {
	at, left := uint32(0), uint64(t.seeds)
	for i := range t.pits {
		n := own & 255
		at += t.before[i][left][n]
		left -= n
		own >>= 8
	}
	for i := t.pits; i < 2*t.pits; i++ {
		n := other & 255
		at += t.before[i][left][n]
		left -= n
		other >>= 8
	}
	return at
}

// exact is the value of a board with few seeds, by looking at every move.
func (k *kalah) exact(own, other uint64, left int) int {
	at := &k.few.values[k.few.index(own, other)]
	if *at != unknown {
		return int(*at)
	}
	k.nodes++
	value := -infinite
	for pit := range k.pits {
		if own>>(8*pit)&255 == 0 {
			continue
		}
		m := k.play(own, other, left, pit)
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
