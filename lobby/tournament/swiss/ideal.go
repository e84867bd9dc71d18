package swiss

import "mancala/lobby/tournament/matching"

// ideal looks for a candidate that is as good as any candidate can be, by counting alone: at
// most one player floats, as few wishes clash as there are players with the same wish, and
// every other criterion is kept. Where one exists without an exchange, the first of them is
// what the system asks for (article 3.8), and it is found much faster than by weighing all
// candidates. Large brackets nearly always have one.
//
// It returns nil where it finds none. That says nothing about other candidates.
func (b *bracket) ideal() []int {
	anyBelow := b.below < len(b.entrants) || b.inside < b.following
	if b.moved > b.inside-b.moved || b.mayGiveBye() && anyBelow {
		return nil
	}
	i := &ideal{bracket: b, odd: b.inside%2 == 1, floatsNot: make([]bool, b.inside)}
	i.countWishes()
	for range 4 { // the player who floats may turn out not to fit into the next bracket
		pairs, floater := i.first()
		switch {
		case pairs == nil:
			return nil
		case !i.fitsNext(floater):
			i.floatsNot[floater] = true
		case i.fitsBelow(floater):
			return pairs
		default:
			return nil
		}
	}
	return nil
}

// ideal is one search for an ideal candidate. If the number of players is odd, one of them floats down.
// In the search that player is paired with the place inside, the way down.
type ideal struct {
	*bracket
	odd       bool
	majority  start  // the wish that more players have than all others together; either: there is none
	allMild   bool   // there are too few mild wishes of the majority for the clashes: each takes part in one
	floatsNot []bool // by place
}

// countWishes finds the wish that more players have than all others together. Every pair then
// has one of them, and where both have it, at least one with a mild wish as far as these
// suffice (C12, C13).
func (i *ideal) countWishes() {
	var n [3]int
	var isMild [3]int
	for place := range i.inside {
		e := i.at(place)
		n[e.wish]++
		if e.strength < strong {
			isMild[e.wish]++
		}
	}
	surplus := max(n[first]-n[second], n[second]-n[first]) - n[either]
	clashes, scarce := surplus/2, false // of an odd number one of the majority floats
	if surplus > 0 {
		i.majority = first
		if n[second] > n[first] {
			i.majority = second
		}
		i.allMild = isMild[i.majority] < clashes
		scarce = isMild[i.majority] <= clashes // mild wishes that had better not float
	}
	fewest := i.fewestUnplayed()
	for place := range i.inside {
		e := i.at(place)
		wrongWish := i.majority != either && (e.wish != i.majority || scarce && e.strength < strong)
		repeats := e.drifts[0] == down || e.drifts[1] == down
		noBye := i.inside == i.following && i.below == len(i.entrants) && !(e.mayHaveBye && e.score <= i.byeScore && i.round-1-e.games == fewest)
		i.floatsNot[place] = place < i.moved || wrongWish || repeats || noBye
	}
}

// fewestUnplayed returns the least number of unplayed games of those who may get the bye (C9).
func (i *ideal) fewestUnplayed() int {
	fewest := i.round
	for place := range i.inside {
		if e := i.at(place); e.mayHaveBye && e.score <= i.byeScore {
			fewest = min(fewest, i.round-1-e.games)
		}
	}
	return fewest
}

// fits reports whether the pair of places x < y keeps every criterion, but for a clash of the
// majority's wishes.
func (i *ideal) fits(x, y int) bool {
	if y == i.inside {
		return !i.floatsNot[x]
	}
	if !i.allowed(x, y) {
		return false
	}
	a, b := i.at(x), i.at(y)
	clashes := clash(a, b)
	switch {
	case i.majority == either:
		if clashes {
			return false
		}
	case a.wish != i.majority && b.wish != i.majority:
		return false
	case i.allMild:
		if mildOnes := i.mildOnes(a) + i.mildOnes(b); mildOnes == 2 || mildOnes == 1 && !clashes {
			return false
		}
	case clashes && a.strength >= strong && b.strength >= strong:
		return false
	}
	if clashes && a.strength == absolute && b.strength == absolute { // C10, C11
		return false
	}
	return a.score == b.score || b.drifts[0] != up && b.drifts[1] != up // C15, C17, C19, C21
}

// mildOnes returns 1 if e has the majority's wish mildly, or else 0.
func (i *ideal) mildOnes(e *entrant) int {
	if e.wish == i.majority && e.strength < strong {
		return 1
	}
	return 0
}

// first returns the first ideal candidate without an exchange, and the place of the player who
// floats in it, or −1. It returns nil if there is no such candidate.
func (i *ideal) first() (pairs []int, floater int) {
	n := i.inside
	if i.odd {
		n++
	}
	all, complete := matching.NewPerfect(n, func(x, y int) bool { return i.fits(min(x, y), max(x, y)) })
	if !complete {
		return nil, -1
	}
	pairs = make([]int, len(i.members))
	for place := range pairs {
		pairs[place] = -1
	}
	for x := range i.moved { // their opponents in order (article 4.3)
		y := i.moved
		for !all.Settle(x, y) {
			y++
		}
		pairs[x], pairs[y] = y, x
	}
	var remainder []int
	for place := i.moved; place < i.inside; place++ {
		if pairs[place] < 0 {
			remainder = append(remainder, place)
		}
	}
	tops := len(remainder) / 2
	if i.odd {
		remainder = append(remainder, i.inside) // the way down comes last in the lower half
	}
	halves, complete := matching.NewPerfect(len(remainder), func(x, y int) bool {
		x, y = min(x, y), max(x, y)
		upper := x < tops && y >= tops && remainder[y] < i.inside
		wayDown := x >= tops && remainder[y] == i.inside
		return (upper || wayDown) && i.fits(remainder[x], remainder[y])
	})
	if !complete {
		return nil, -1
	}
	for x := range tops {
		y := tops
		for !halves.Settle(x, y) {
			y++
		}
		pairs[remainder[x]], pairs[remainder[y]] = remainder[y], remainder[x]
	}
	if !i.odd {
		return pairs, -1
	}
	return pairs, remainder[halves.Mate(len(remainder)-1)]
}

// fitsNext reports whether all players of the next bracket can be paired when the floater joins
// it (C8). If their number is odd, one player is left over, and it is not the floater.
func (i *ideal) fitsNext(floater int) bool {
	_, fits := i.nextBracketWith(floater)
	return floater < 0 || i.inside == i.following || fits
}

// fitsBelow reports whether the players below the next bracket can all be paired (C4), together
// with the player whom one pairing of the next bracket leaves over. Another pairing of the next
// bracket may leave over another player, so false is not a proof.
func (i *ideal) fitsBelow(floater int) bool {
	var rest []int
	for index := i.below; index < len(i.entrants); index++ {
		rest = append(rest, index)
	}
	if floater < 0 { // nothing here depends on the bracket
		for place := i.inside; place < i.following; place++ {
			rest = append(rest, i.members[place])
		}
		return i.completes(rest, i.byeScore)
	}
	if i.inside == i.following {
		return i.completes(append(rest, i.members[floater]), i.byeScore)
	}
	left, _ := i.nextBracketWith(floater)
	if left >= 0 {
		rest = append(rest, left)
	}
	return i.completes(rest, i.byeScore)
}

// nextBracketWith pairs the next score group with the floater. It returns who is left where
// their number is odd, or −1, and whether all others have a mate.
func (i *ideal) nextBracketWith(floater int) (left int, complete bool) {
	if floater < 0 {
		return -1, true
	}
	group := []int{i.members[floater]}
	for place := i.inside; place < i.following; place++ {
		group = append(group, i.members[place])
	}
	n := len(group)
	wayDown := n // a place for the one who is left
	if n%2 == 1 {
		n++
	}
	mates, complete := matching.Complete(n, func(u, v int) bool {
		u, v = min(u, v), max(u, v)
		if v == wayDown {
			return u > 0 // not the floater, whose score is higher
		}
		return i.mayMeet(group[u], group[v])
	})
	if complete && n > wayDown {
		return group[mates[wayDown]], true
	}
	return -1, complete
}
