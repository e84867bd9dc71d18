package kalah

// BeginSolve makes the tables for proofs about boards of at most left seeds, which take
// about memory bytes. Value, Rate and Line stop when spent returns true; it is told the
// number of nodes, and asked rarely.
func (k *Solver) BeginSolve(left int, memory int64, spent func(nodes uint64) bool) {
	if n := buckets(memory); k.proofs == nil || len(k.proofs.buckets) < n {
		k.proofs = newTable(n)
	}
	k.makeEndgames(left, memory)
	k.nodes, k.limit, k.nextCheck, k.stopped, k.spent = 0, 0, 0, false, spent
}

// Value narrows the bounds on a board until they are equal (MTD(f), Plaat, 1996). If it is
// stopped, the value is between low and high.
func (k *Solver) Value(own, other uint64, left int) (low, high int) {
	low, high = -left, left
	for guess := 0; low < high; {
		goal := min(max(guess+(guess^left)&1, low+2), high)
		v := k.atLeast(own, other, left, goal)
		switch {
		case k.stopped:
			return low, high
		case v >= goal:
			low, guess = v, v+2
		default:
			high, guess = v, v
		}
	}
	return low, high
}

// atLeast proves whether a board of left seeds is worth goal or more to the mover. If it
// is, the result is a lower bound of its value, otherwise an upper bound. The parity of
// goal must be that of left.
func (k *Solver) atLeast(own, other uint64, left, goal int) int {
	switch {
	case left < goal:
		return left
	case -left >= goal:
		return -left
	case left <= k.endgames.seeds:
		return k.endgameValue(own, other, left)
	}
	if k.nodes++; k.nodes >= k.nextCheck && k.outOfBudget() {
		return 0
	}
	slot := k.proofs.bucket(own, other)
	low, high, best := -left, left, noPit
	if e, ok := slot.find(own, other); ok {
		low, high, best = e.low(), e.high(), e.best()
		switch {
		case low >= goal:
			return low
		case high < goal:
			return high
		}
	}
	var list [maxPits]move
	moves := list[:k.moves(&list, own, other, left, best)]
	value, done := k.cutoff(moves, goal, left)
	if !done {
		value, best = k.searchMoves(moves, left, goal)
		if k.stopped {
			return 0
		}
	}
	if value >= goal {
		low = max(low, value)
	} else {
		high = min(high, value)
	}
	slot.putBounds(own, other, low, high, best, left)
	return value
}

// moves lists the moves and how good they look: the one that was best before, then those
// that give another ply, then those that win most, then those furthest right.
func (k *Solver) moves(list *[maxPits]move, own, other uint64, left int, best uint8) (n int) {
	for pit := k.pits - 1; pit >= 0; pit-- {
		if own>>(8*pit)&255 == 0 {
			continue
		}
		m := &list[n]
		k.play(m, own, other, left, pit)
		m.order = 4*m.gain + pit
		if m.again {
			m.order += 100
		}
		if m.pit == best {
			m.order += 1000
		}
		n++
	}
	return n
}

// cutoff reports whether a move reaches the goal without a search: because the game ends,
// or because the table knows enough about the board after it (enhanced transposition
// cutoffs, Plaat et al., 1996).
func (k *Solver) cutoff(moves []move, goal, left int) (value int, done bool) {
	for i := range moves {
		if m := &moves[i]; m.over && m.gain >= goal {
			return m.gain, true
		}
	}
	if left <= k.endgames.seeds+2 {
		return 0, false // a look into the table costs more than the search
	}
	for i := range moves {
		m := &moves[i]
		switch {
		case m.over:
		case m.again:
			if e, ok := k.proofs.bucket(m.own, m.other).find(m.own, m.other); ok && m.gain+e.low() >= goal {
				return m.gain + e.low(), true
			}
		default:
			if e, ok := k.proofs.bucket(m.other, m.own).find(m.other, m.own); ok && m.gain-e.high() >= goal {
				return m.gain - e.high(), true
			}
		}
	}
	return 0, false
}

// searchMoves searches the moves, the most promising first, until one reaches the goal.
func (k *Solver) searchMoves(moves []move, left, goal int) (value int, best uint8) {
	value = -infinite
	for i := range moves {
		pickBest(moves, i)
		m := &moves[i]
		if v := k.afterMove(m, left, goal); v > value {
			value, best = v, m.pit
		}
		if value >= goal || k.stopped {
			break
		}
	}
	return value, best
}

// afterMove is atLeast for the board after a move, as the mover sees it.
func (k *Solver) afterMove(m *move, left, goal int) int {
	switch {
	case m.over:
		return m.gain
	case m.again:
		return m.gain + k.atLeast(m.own, m.other, left-m.gain, goal-m.gain)
	}
	return m.gain - k.atLeast(m.other, m.own, left-m.gain, m.gain-goal+2)
}

// pickBest moves the most promising of the moves from i on to place i.
func pickBest(moves []move, i int) {
	next := i
	for j := i + 1; j < len(moves); j++ {
		if moves[j].order > moves[next].order {
			next = j
		}
	}
	moves[i], moves[next] = moves[next], moves[i]
}
