package kalah

import (
	"mancala/engine/search/internal/ranking"
	"mancala/engine/search/internal/tablemem"
)

// endgames holds the exact values of all boards with few seeds, one byte for each. A value
// is computed when it is asked for.
type endgames struct {
	pits   int
	seeds  int // largest number of seeds on its boards
	wanted int // seeds on the boards that it was made to solve
	values []int8
	boards ranking.Ranking
}

const unknown int8 = -128

// newEndgames makes a table for searches of boards with wanted seeds. Its size grows with
// wanted, because filling a larger table takes more time.
func newEndgames(pits, wanted int, memory int64) *endgames {
	t := &endgames{pits: pits, wanted: wanted, seeds: min(ranking.MaxSeeds, max(wanted, 4)/4+1)}
	for ranking.Boards(2*pits, t.seeds) > max(memory, tablemem.MinBytes)/4 {
		t.seeds--
	}
	t.boards = ranking.New(2*pits, t.seeds)
	t.values = make([]int8, t.boards.Count)
	for i := range t.values {
		t.values[i] = unknown
	}
	return t
}

// makeEndgames makes the table, unless the one at hand is large enough.
func (k *Solver) makeEndgames(wanted int, memory int64) {
	if k.endgames == nil || k.endgames.wanted < wanted {
		k.endgames = newEndgames(k.pits, wanted, memory)
	}
}

func (t *endgames) index(own, other uint64) uint32 {
	at, left := t.boards.Add(0, t.seeds, own, 0, t.pits)
	at, _ = t.boards.Add(at, left, other, t.pits, 2*t.pits)
	return at
}

// endgameValue returns the value of a board with few seeds. If the table does not hold it,
// it searches every move.
func (k *Solver) endgameValue(own, other uint64, left int) int {
	at := &k.endgames.values[k.endgames.index(own, other)]
	if *at != unknown {
		return int(*at)
	}
	k.nodes++
	value, m := -infinite, move{}
	for pit := range k.pits {
		if own>>(8*pit)&255 == 0 {
			continue
		}
		k.play(&m, own, other, left, pit)
		switch v := m.gain; {
		case m.over:
			value = max(value, v)
		case m.again:
			value = max(value, v+k.endgameValue(m.own, m.other, left-v))
		default:
			value = max(value, v-k.endgameValue(m.other, m.own, left-v))
		}
	}
	*at = int8(value)
	return value
}
