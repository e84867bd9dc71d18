// Package value holds what every search of package search measures with: the unit of
// values, the meaning of a stored value, and the greatest depth.
package value

// Seed is the unit of values inside a search. Estimates are finer than a seed, so
// values are counted in parts of a seed.
const Seed = 16

// Infinite is greater than any value.
const Infinite = 300 * Seed

// MaxPly bounds the depth of a search, and with it the memory for its line.
const MaxPly = 120

// Bound is the meaning of a value in a transposition table. The zero value marks an
// empty entry.
type Bound uint8

const (
	None Bound = iota
	AtLeast
	AtMost
	Exactly
)
