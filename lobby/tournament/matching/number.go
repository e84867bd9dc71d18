package matching

import "math/bits"

// Numbers are many natural numbers of the same length, each of several 64-bit words, the
// lowest word first. They are one slice, since a table of n×n of them is read in order.
type numbers struct {
	words int
	all   []uint64
}

func newNumbers(n, words int) numbers {
	return numbers{words: words, all: make([]uint64, n*words)}
}

// at returns number i, which stays part of n.
func (n *numbers) at(i int) []uint64 { return n.all[i*n.words : (i+1)*n.words : (i+1)*n.words] }

// add adds b to a.
func add(a, b []uint64) {
	var carry uint64
	for i := range a {
		a[i], carry = bits.Add64(a[i], b[i], carry)
	}
}

// subtract takes b from a, which must not be smaller.
func subtract(a, b []uint64) {
	var borrow uint64
	for i := range a {
		a[i], borrow = bits.Sub64(a[i], b[i], borrow)
	}
}

// double doubles a.
func double(a []uint64) {
	var carry uint64
	for i, w := range a {
		a[i] = w<<1 | carry
		carry = w >> 63
	}
}

// halve halves a.
func halve(a []uint64) {
	var carry uint64
	for i := len(a) - 1; i >= 0; i-- {
		w := a[i]
		a[i] = w>>1 | carry
		carry = w << 63
	}
}

// compare returns −1, 0 or 1 as a is less than, equal to or greater than b.
func compare(a, b []uint64) int {
	for i := len(a) - 1; i >= 0; i-- {
		if a[i] != b[i] {
			if a[i] < b[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}

func isZero(a []uint64) bool {
	for _, w := range a {
		if w != 0 {
			return false
		}
	}
	return true
}

// Save writes into weight what a pair saves: the costs of two vertices that have no mate,
// less the cost of their pair, or 0 if that is not positive.
func Save(weight, alone1, alone2, pair []uint64) {
	copy(weight, alone1)
	add(weight, alone2)
	if compare(weight, pair) <= 0 {
		clear(weight)
		return
	}
	subtract(weight, pair)
}
