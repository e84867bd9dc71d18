package search

// A ranking numbers the boards with at most so many seeds, without gaps, by counting
// those before each (combinatorial number system).
type ranking struct {
	pits, seeds int
	count       uint32
	// before[i][left][n]: how many boards there are before those that have n seeds in
	// pit i, if left seeds may still be placed from there on.
	before [maxRanked][maxFew + 1][maxFew + 1]uint32
}

// maxRanked is the largest number of pits on a board that is ranked.
const maxRanked = 12

// boardsUpTo is how many boards there are with at most so many seeds: binomial(pits +
// seeds, pits).
func boardsUpTo(pits, seeds int) int64 {
	n := int64(1)
	for i := range pits {
		n = n * int64(seeds+i+1) / int64(i+1)
	}
	return n
}

func newRanking(pits, seeds int) ranking {
	r := ranking{pits: pits, seeds: seeds, count: uint32(boardsUpTo(pits, seeds))}
	for i := range pits {
		for left := range seeds + 1 {
			at := int64(0)
			for n := range left + 1 {
				r.before[i][left][n] = uint32(at)
				at += boardsUpTo(pits-i-1, left-n)
			}
		}
	}
	return r
}

// add goes on counting from at, with left seeds still to be placed, over the pits
// from first to last, a byte each in word.
func (r *ranking) add(at uint32, left int, word uint64, first, last int) (uint32, int) {
	for i := first; i < last; i++ {
		n := int(word & 255)
		at += r.before[i][left][n]
		left -= n
		word >>= 8
	}
	return at, left
}
