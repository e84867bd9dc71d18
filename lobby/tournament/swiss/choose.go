package swiss

import "slices"

// pairBracket pairs the next bracket and moves down who remains.
func (d *draw) pairBracket() error {
	b := d.nextBracket()
	if b == nil { // no score group is left
		return d.finish()
	}
	b.settle(b.best())
	return nil
}

// nextBracket returns the next bracket: the players who were moved down and the next score
// group. It returns nil if no score group is left.
func (d *draw) nextBracket() *bracket {
	if d.next == len(d.entrants) {
		return nil
	}
	members := slices.Clone(d.moved)
	members, d.next = d.appendGroup(members, d.next)
	b := &bracket{draw: d, moved: len(d.moved), inside: len(members), byePlace: -1}
	b.members, b.below = d.appendGroup(members, d.next)
	b.following = len(b.members)
	return b
}

// appendGroup appends the score group that begins at an index, and returns where it ends.
func (d *draw) appendGroup(members []int, from int) ([]int, int) {
	to := from
	for to < len(d.entrants) && d.entrants[to].score == d.entrants[from].score {
		members = append(members, to)
		to++
	}
	return members, to
}

// settle keeps the pairs of the bracket.
func (b *bracket) settle(pairs []int) {
	b.draw.moved = b.draw.moved[:0]
	for place := range b.inside {
		if mate := pairs[place]; mate >= 0 && mate < b.inside {
			b.mates[b.members[place]] = b.members[mate]
		} else {
			b.draw.moved = append(b.draw.moved, b.members[place])
		}
	}
}

// finish gives the bye to the player who remains after the last bracket.
func (d *draw) finish() error {
	if len(d.moved) > 1 || len(d.moved) == 1 && !d.odd {
		return ErrNoPairing
	}
	d.without = d.moved[0]
	d.moved = nil
	return nil
}

// best returns the mate of each place in the best candidate of the bracket (article 3.8).
func (b *bracket) best() []int {
	if pairs := b.ideal(); pairs != nil {
		return pairs
	}
	return b.weighed()
}

// mayGiveBye reports whether a player of the bracket can get the bye, and not only players
// below it.
func (b *bracket) mayGiveBye() bool {
	return b.odd && b.byeScore >= b.entrants[b.members[b.moved]].score
}

// weighed returns the best candidate after weighing all of them. It first looks at the bracket
// and the next score group alone. Where the rest can't be paired then, it looks at everybody
// who is left.
func (b *bracket) weighed() []int {
	if b.below < len(b.entrants) && !b.mayGiveBye() {
		pairs := b.choose()
		if b.leavesCompletable(pairs) {
			return pairs
		}
	}
	for i := b.below; i < len(b.entrants); i++ {
		b.members = append(b.members, i)
	}
	b.whole = true
	if b.odd {
		b.byePlace = len(b.members)
	}
	pairs := b.choose()
	if b.mayGiveBye() && b.floaters(pairs) == 1 {
		b.single = true
		pairs = b.choose()
	}
	return pairs
}

// leavesCompletable reports whether all who have no mate in pairs can be paired with each other
// and with those below. Only then can the pairs that the criteria have counted be made.
func (b *bracket) leavesCompletable(pairs []int) bool {
	var rest []int
	for place, mate := range pairs {
		if mate < 0 {
			rest = append(rest, b.members[place])
		}
	}
	for i := b.below; i < len(b.entrants); i++ {
		rest = append(rest, i)
	}
	return b.completes(rest, b.byeScore)
}

// choose returns the mates in the best candidate: first by the criteria, then by the order
// in which candidates are generated (articles 3.6 to 3.8 and 4).
func (b *bracket) choose() []int {
	c := newCriteria(b)
	c.preferMovedDown()
	pairs := c.solve(nil)

	fixed := make([]int, b.inside) // the mates that are settled
	for place := range fixed {
		fixed[place] = -1
	}
	var remainder []int // residents who are not paired with players who were moved down
	for place := range b.moved {
		if mate := pairs[place]; mate >= 0 && mate < b.inside {
			fixed[place], fixed[mate] = mate, place
		}
	}
	tops := 0 // pairs in the remainder
	for place := b.moved; place < b.inside; place++ {
		if fixed[place] >= 0 {
			continue
		}
		remainder = append(remainder, place)
		if mate := pairs[place]; mate > place && mate < b.inside {
			tops++
		}
	}
	if tops == 0 {
		return pairs
	}
	c = newCriteria(b)
	c.preferFewExchanges(remainder, tops)
	pairs = c.solve(settled(fixed))
	if exchanged(pairs, remainder, tops, b.inside) {
		c = newCriteria(b)
		c.preferFewExchanges(remainder, tops)
		c.preferTheseExchanges(remainder, tops)
		pairs = c.solve(settled(fixed))
	}
	upper := make([]bool, b.inside)
	for _, place := range remainder {
		if mate := pairs[place]; mate > place && mate < b.inside {
			upper[place] = true
		}
	}
	c = newCriteria(b)
	c.preferFirstTransposition(remainder, upper)
	return c.solve(func(i, j int) bool {
		if j < b.inside && fixed[i] < 0 && fixed[j] < 0 {
			return upper[i] && !upper[j] // a pair of the remainder; tops have the higher place
		}
		return settled(fixed)(i, j)
	})
}

// settled allows only the settled mates of players who have one.
func settled(fixed []int) func(i, j int) bool {
	return func(i, j int) bool {
		for _, k := range [2][2]int{{i, j}, {j, i}} {
			if k[0] < len(fixed) && fixed[k[0]] >= 0 && fixed[k[0]] != k[1] {
				return false
			}
		}
		return true
	}
}

// exchanged reports whether a player of the upper part of the remainder is not the higher
// one of a pair.
func exchanged(pairs, remainder []int, tops, inside int) bool {
	for _, place := range remainder[:tops] {
		if mate := pairs[place]; mate < place || mate >= inside {
			return true
		}
	}
	return false
}
