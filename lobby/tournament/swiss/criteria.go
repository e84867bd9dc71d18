package swiss

import (
	"cmp"
	"math/bits"
	"slices"

	"mancala/lobby/tournament/crosstable"
	"mancala/lobby/tournament/matching"
)

// criteria weighs the candidates of a bracket. Each criterion is a field in a long number,
// wide enough for the sum over all players, the first criterion in the highest bits. So
// the candidate with the least cost is the best by the first criterion in which two differ.
//
// A player who has no mate costs something, and a pair costs something. What a pair saves,
// compared with two players without a mate, is the weight of its edge.
type criteria struct {
	*bracket
	fields []field
}

// field is one criterion.
type field struct {
	alone  func(place int) uint64 // the cost of a player who has no mate at all
	pair   func(i, j int) uint64  // the cost of a pair, i < j
	most   uint64                 // the greatest cost of a player or pair
	offset int                    // the lowest bit
}

// add puts a criterion below those that are there.
func (c *criteria) add(most uint64, alone func(place int) uint64, pair func(i, j int) uint64) {
	c.fields = append(c.fields, field{alone: alone, pair: pair, most: most})
}

func count(yes bool) uint64 {
	if yes {
		return 1
	}
	return 0
}

// newCriteria returns the criteria of article 2 for a bracket, in their order.
func newCriteria(b *bracket) *criteria {
	c := &criteria{bracket: b}
	in := func(place int) bool { return place < b.inside }
	near := func(place int) bool { return place < b.following }
	if b.whole {
		c.addEach(1, func(int) uint64 { return 1 }, func(i, j int) bool { return false }) // C4
	}
	// A player of the bracket floats who has no mate inside it.
	floats := func(i, j int) bool { return !(in(i) && in(j)) }
	c.addEach(1, func(p int) uint64 { return count(in(p)) }, floats) // C6
	for _, s := range b.scoresOf(0, b.inside) {                      // C7
		c.addEach(1, func(p int) uint64 { return count(in(p) && b.at(p).score == s) }, floats)
	}
	// In the next bracket are those who float and the next score group.
	further := func(i, j int) bool { return !(near(i) && near(j)) }
	c.addEach(1, func(p int) uint64 { return count(near(p)) }, further) // C8
	for _, s := range b.scoresOf(0, b.following) {
		c.addEach(1, func(p int) uint64 { return count(near(p) && b.at(p).score == s) }, further)
	}
	if b.single { // C9
		c.add(uint64(b.round), nothing, func(i, j int) uint64 {
			if j == b.byePlace && in(i) {
				return uint64(b.round - 1 - b.at(i).games)
			}
			return 0
		})
	}
	inside := func(cost func(x, y *entrant) bool) {
		c.add(1, nothing, func(i, j int) uint64 { return count(in(j) && cost(b.at(i), b.at(j))) })
	}
	inside(func(x, y *entrant) bool { return clash(x, y) && x.surplus > 1 && y.surplus > 1 })        // C10
	inside(thirdInARow)                                                                              // C11
	inside(clash)                                                                                    // C12
	inside(func(x, y *entrant) bool { return clash(x, y) && min(x.strength, y.strength) == strong }) // C13
	rounds := min(2, b.round-1)
	for back := range rounds {
		c.addEach(1, func(p int) uint64 { return count(p >= b.moved && in(p) && b.at(p).drifts[back] == down) }, floats) // C14, C16
		inside(func(x, y *entrant) bool { return x.score > y.score && y.drifts[back] == up })                            // C15, C17
	}
	for back := range rounds {
		for _, s := range b.scoresOf(0, b.inside) {
			c.addEach(1, func(p int) uint64 { return count(in(p) && b.at(p).score == s && b.at(p).drifts[back] == down) }, floats) // C18, C20
		}
		for _, s := range b.scoresOf(0, b.moved) {
			inside(func(x, y *entrant) bool { return x.score == s && x.score > y.score && y.drifts[back] == up }) // C19, C21
		}
	}
	return c
}

func nothing(int) uint64 { return 0 }

// addEach adds a criterion that counts players: those who have no mate, and those whose pair
// is no better than none.
func (c *criteria) addEach(most uint64, cost func(place int) uint64, asAlone func(i, j int) bool) {
	c.add(most, cost, func(i, j int) uint64 {
		if !asAlone(i, j) {
			return 0
		}
		if j == c.byePlace {
			return cost(i)
		}
		return cost(i) + cost(j)
	})
}

// thirdInARow reports whether one of x and y would have the same start a third time.
func thirdInARow(x, y *entrant) bool {
	if !clash(x, y) || x.strength != absolute || y.strength != absolute {
		return false
	}
	switch cmp.Compare(x.surplus, y.surplus) {
	case 0:
		return x.repeated != either && x.repeated == y.repeated
	case 1:
		return y.repeated == y.wish.other()
	}
	return x.repeated == x.wish.other()
}

// scoresOf returns the different scores of some places, descending.
func (b *bracket) scoresOf(from, to int) []crosstable.Tenths {
	var scores []crosstable.Tenths
	for place := from; place < to; place++ {
		scores = append(scores, b.at(place).score)
	}
	slices.SortFunc(scores, func(x, y crosstable.Tenths) int { return cmp.Compare(y, x) })
	return slices.Compact(scores)
}

// preferMovedDown orders candidates by who of the players who were moved down is paired
// (article 4.4), and then by their opponents (article 4.3).
func (c *criteria) preferMovedDown() {
	b := c.bracket
	for place := range b.moved {
		c.addEach(1, func(p int) uint64 { return count(p == place) }, func(i, j int) bool { return j >= b.inside })
	}
	for place := range b.moved {
		c.add(uint64(b.inside), nothing, func(i, j int) uint64 {
			if i == place && j < b.inside {
				return uint64(j - b.moved)
			}
			return 0
		})
	}
}

// preferFewExchanges orders candidates by the number of players who are exchanged between
// the halves of the remainder, and by how far they are apart (article 4.2).
func (c *criteria) preferFewExchanges(remainder []int, tops int) {
	rank := ranks(remainder, c.inside)
	pair := func(cost func(rank int) uint64) func(i, j int) uint64 {
		return func(i, j int) uint64 {
			if j >= c.inside || rank[i] < 0 || rank[j] < 0 {
				return 0
			}
			return cost(rank[i])
		}
	}
	c.add(1, nothing, pair(func(rank int) uint64 { return count(rank >= tops) }))
	c.add(uint64(len(remainder)), nothing, pair(func(rank int) uint64 { return uint64(rank) }))
}

// preferTheseExchanges orders candidates by who is exchanged: from the upper half the
// lowest, then from the lower half the highest (article 4.2).
func (c *criteria) preferTheseExchanges(remainder []int, tops int) {
	rank := ranks(remainder, c.inside)
	isTop := func(r int) func(i, j int) uint64 {
		return func(i, j int) uint64 { return count(j < c.inside && rank[i] == r && rank[j] >= 0) }
	}
	for r := tops - 1; r >= 0; r-- {
		c.add(1, nothing, isTop(r))
	}
	for r := tops; r < len(remainder); r++ { // a cost for not being the higher of a pair
		top := isTop(r)
		c.add(1, func(place int) uint64 { return count(place < c.inside && rank[place] == r) }, func(i, j int) uint64 {
			member := i < c.inside && rank[i] == r || j < c.inside && rank[j] == r
			return count(member) - top(i, j)
		})
	}
}

// preferFirstTransposition orders candidates by the opponents of the upper half, in order
// (article 4.3).
func (c *criteria) preferFirstTransposition(remainder []int, upper []bool) {
	lower := 0
	place := make([]uint64, c.inside) // of each in the lower half
	for _, p := range remainder {
		if !upper[p] {
			place[p] = uint64(lower)
			lower++
		}
	}
	for _, p := range remainder {
		if upper[p] {
			c.add(uint64(lower), nothing, func(i, j int) uint64 {
				if i == p && j < c.inside {
					return place[j]
				}
				return 0
			})
		}
	}
}

// ranks returns the index in remainder of each place, or −1.
func ranks(remainder []int, inside int) []int {
	rank := make([]int, inside)
	for i := range rank {
		rank[i] = -1
	}
	for r, place := range remainder {
		rank[place] = r
	}
	return rank
}

// solve returns the mates in the candidate of the least cost among those whose pairs are
// all allowed, also by only unless it is nil.
func (c *criteria) solve(only func(i, j int) bool) []int {
	offset := 0
	for k := len(c.fields) - 1; k >= 0; k-- {
		f := &c.fields[k]
		f.offset = offset
		offset += bits.Len64(f.most * uint64(len(c.members)+2))
	}
	words := (offset + 4 + 63) / 64
	n := len(c.members)
	if c.byePlace >= 0 {
		n++
	}
	alone := make([][]uint64, n)
	for place := range n {
		alone[place] = make([]uint64, words)
		for _, f := range c.fields {
			if place != c.byePlace {
				put(alone[place], f.offset, f.alone(place))
			}
		}
	}
	g := matching.NewGraph(n, words)
	cost := make([]uint64, words)
	for i := range n {
		for j := i + 1; j < n; j++ {
			if !c.allowed(i, j) || only != nil && !only(i, j) {
				continue
			}
			clear(cost)
			for _, f := range c.fields {
				put(cost, f.offset, f.pair(i, j))
			}
			matching.Save(g.Weight(i, j), alone[i], alone[j], cost)
		}
	}
	return g.Heaviest()
}

// put adds value at a bit of a long number.
func put(number []uint64, bit int, value uint64) {
	word, shift := bit/64, bit%64
	var carry uint64
	number[word], carry = bits.Add64(number[word], value<<shift, 0)
	high := uint64(0)
	if shift > 0 {
		high = value >> (64 - shift)
	}
	for word++; word < len(number) && (high != 0 || carry != 0); word++ {
		number[word], carry = bits.Add64(number[word], high, carry)
		high = 0
	}
}
