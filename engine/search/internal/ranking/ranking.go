// Package ranking numbers the boards with few seeds, so that a table of their values
// can be an array without gaps.
package ranking

const (
	MaxPits  = 12 // pits on a board that can be ranked
	MaxSeeds = 14 // seeds on such a board
)

// A Ranking numbers the boards with at most Seeds seeds, without gaps. The number of a
// board is the count of boards before it (the combinatorial number system).
type Ranking struct {
	Pits, Seeds int
	Count       uint32 // boards in all
	// Before[i][left][n] counts the boards before those that have n seeds in pit i, if
	// left seeds may still be placed from pit i on.
	Before [MaxPits][MaxSeeds + 1][MaxSeeds + 1]uint32
}

// Boards returns the number of boards with the given number of pits and at most the given
// number of seeds: binomial(pits + seeds, pits).
func Boards(pits, seeds int) int64 {
	n := int64(1)
	for i := range pits {
		n = n * int64(seeds+i+1) / int64(i+1)
	}
	return n
}

// New numbers the boards with the given number of pits and at most the given number of seeds.
func New(pits, seeds int) Ranking {
	r := Ranking{Pits: pits, Seeds: seeds, Count: uint32(Boards(pits, seeds))}
	for i := range pits {
		for left := range seeds + 1 {
			at := int64(0)
			for n := range left + 1 {
				r.Before[i][left][n] = uint32(at)
				at += Boards(pits-i-1, left-n)
			}
		}
	}
	return r
}

// Add adds the pits from first up to last to the number of a board. word holds one byte
// for each of these pits, and left seeds may still be placed. It returns the number and
// the seeds that may be placed after them.
func (r *Ranking) Add(number uint32, left int, word uint64, first, last int) (uint32, int) {
	for i := first; i < last; i++ {
		n := int(word & 255)
		number += r.Before[i][left][n]
		left -= n
		word >>= 8
	}
	return number, left
}
