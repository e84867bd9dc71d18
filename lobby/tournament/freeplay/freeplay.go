// Package freeplay pairs the players of a class who are free.
//
// A class has no points and no winner, so a pairing depends on past opponents alone. New
// opponents come first, then those of long ago. Everything here is a pure function.
package freeplay

import (
	"math/rand/v2"
	"slices"

	"mancala/lobby/tournament/crosstable"
	"mancala/lobby/tournament/matching"
)

// MaxFree is how many players [Pair] takes. Its work grows with the third power of their number.
const MaxFree = 250

// A Player is a player who is free, with their past opponents.
type Player struct {
	Number    int
	Opponents []int // of all games, the last one at the end
	First     int   // in how many games they moved first
	LeftOver  int   // how many times they had no opponent
}

// A pair has a weight of three words, the highest first. Each pair has a constant worth, so that as
// many players as possible play. It is worth more if its players were left over more often. The
// weights of all pairs are added up. So worthPair, costMet and worthStarts are each greater than the
// sum of all that follows them in their word, over [MaxFree]/2 pairs.
const (
	words = 3

	worthPair    = 1 << 20 // the highest word; each time that a player was left over is worth 1
	mostLeftOver = 255

	worthNew   = 1 << 50 // the middle word, less the costs
	costMet    = 1 << 40 // for each time that the two have met, up to mostMet
	mostMet    = 255
	costRecent = 1 << 30 // divided by how many games ago it was

	worthStarts = 1 << 20 // the lowest word, where not both have moved first too often, or too seldom
	chance      = 1 << 10 // so that a class does not always begin in the same order
)

// Pair pairs up to [MaxFree] players. Where apart is not nil, it reports whether two players may
// not meet. left has the numbers of the players without an opponent; the caller adds one to their
// LeftOver. The same arguments give the same pairings.
func Pair(free []Player, apart func(a, b int) bool, run uint64) (pairings []crosstable.Pairing, left []int) {
	free = free[:min(len(free), MaxFree)]
	r := rand.New(rand.NewPCG(run, 0))
	g := matching.NewGraph(len(free), words)
	for j := range free {
		for i := range j {
			by := r.Uint64N(chance)
			if apart == nil || !apart(free[i].Number, free[j].Number) {
				weigh(g.Weight(i, j), &free[i], &free[j], by)
			}
		}
	}
	for i, j := range g.Heaviest() {
		switch {
		case j < 0:
			left = append(left, free[i].Number)
		case i < j:
			pairings = append(pairings, order(&free[i], &free[j], r))
		}
	}
	return pairings, left
}

// weigh writes the weight of a pair, the lowest word first.
func weigh(w []uint64, a, b *Player, by uint64) {
	w[2] = worthPair + uint64(min(a.LeftOver, mostLeftOver)+min(b.LeftOver, mostLeftOver))
	met := 0
	for _, opponent := range a.Opponents {
		if opponent == b.Number {
			met++
		}
	}
	w[1] = worthNew - costMet*uint64(min(met, mostMet))
	if ago := min(last(a, b.Number), last(b, a.Number)); ago > 0 {
		w[1] -= costRecent / uint64(ago)
	}
	w[0] = by
	if a.surplus()*b.surplus() <= 0 {
		w[0] += worthStarts
	}
}

// last returns how many games ago a player met another, or 0 if they have not met.
func last(p *Player, other int) int {
	for i, opponent := range slices.Backward(p.Opponents) {
		if opponent == other {
			return len(p.Opponents) - i
		}
	}
	return 0
}

// surplus returns how many games more a player has moved first in than second.
func (p *Player) surplus() int { return 2*p.First - len(p.Opponents) }

// order lets the player move first who has done so less often.
func order(a, b *Player, r *rand.Rand) crosstable.Pairing {
	if a.surplus() > b.surplus() || a.surplus() == b.surplus() && r.IntN(2) == 0 {
		a, b = b, a
	}
	return crosstable.Pairing{First: a.Number, Second: b.Number}
}
