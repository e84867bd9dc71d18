package ranking_test

import (
	"testing"

	"mancala/engine/search/internal/ranking"
)

func TestEveryBoardHasItsOwnNumberAndNoNumberIsUnused(t *testing.T) {
	const pits, seeds = 4, 5
	r, seen := ranking.New(pits, seeds), map[uint32]bool{}
	var each func(pit, left int, word uint64)
	each = func(pit, left int, word uint64) {
		if pit == pits {
			number, rest := r.Add(0, seeds, word, 0, pits)
			if number >= r.Count || seen[number] || rest != left {
				t.Fatalf("board %#x has number %d of %d, and %d seeds left", word, number, r.Count, rest)
			}
			seen[number] = true
			return
		}
		for n := range left + 1 {
			each(pit+1, left-n, word|uint64(n)<<(8*pit))
		}
	}
	each(0, seeds, 0)
	if len(seen) != int(r.Count) || int64(r.Count) != ranking.Boards(pits, seeds) {
		t.Errorf("%d boards have numbers, want %d", len(seen), r.Count)
	}
}
