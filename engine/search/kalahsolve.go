package search

// atLeast finds out whether a board of left seeds is worth goal or more to the mover.
// If it is, the answer is a value that it is worth at least; if not, one that it is
// worth at most. The parity of goal is that of left.
func (k *kalah) atLeast(own, other uint64, left, goal int) int {
	switch {
	case left < goal:
		return left
	case -left >= goal:
		return -left
	case left <= k.few.seeds:
		return k.exact(own, other, left)
	}
	if k.nodes++; k.nodes >= k.until && k.giveUp() {
		return 0
	}
	slot := k.table.bucket(own, other)
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
	var list [maxKalahPits]kalahMove
	moves := list[:k.moves(&list, own, other, left, best)]
	value, done := k.glance(moves, goal, left)
	if !done {
		value, best = k.try(moves, left, goal)
		if k.stopped {
			return 0
		}
	}
	if value >= goal {
		low = max(low, value)
	} else {
		high = min(high, value)
	}
	slot.put(own, other, low, high, best, left)
	return value
}

// moves lists the moves and how good they look: another ply first, then what wins
// most, then what is furthest right; the one that was best before all of them.
func (k *kalah) moves(list *[maxKalahPits]kalahMove, own, other uint64, left int, best uint8) (n int) {
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

// glance looks whether a move reaches the goal without being searched: because the
// game ends, or because enough is known about the board after it (enhanced
// transposition cutoffs, Plaat et al., 1996).
func (k *kalah) glance(moves []kalahMove, goal, left int) (value int, done bool) {
	for i := range moves {
		if m := &moves[i]; m.over && m.gain >= goal {
			return m.gain, true
		}
	}
	if left <= k.few.seeds+2 {
		return 0, false // looking it up costs more than searching
	}
	for i := range moves {
		m := &moves[i]
		switch {
		case m.over:
		case m.again:
			if e, ok := k.table.bucket(m.own, m.other).find(m.own, m.other); ok && m.gain+e.low() >= goal {
				return m.gain + e.low(), true
			}
		default:
			if e, ok := k.table.bucket(m.other, m.own).find(m.other, m.own); ok && m.gain-e.high() >= goal {
				return m.gain - e.high(), true
			}
		}
	}
	return 0, false
}

// try searches the moves, those that look best first, until one reaches the goal.
func (k *kalah) try(moves []kalahMove, left, goal int) (value int, best uint8) {
	value = -infinite
	for i := range moves {
		pickBest(moves, i)
		m := &moves[i]
		if v := k.after(m, left, goal); v > value {
			value, best = v, m.pit
		}
		if value >= goal || k.stopped {
			break
		}
	}
	return value, best
}

// after is atLeast for the board after a move.
func (k *kalah) after(m *kalahMove, left, goal int) int {
	switch {
	case m.over:
		return m.gain
	case m.again:
		return m.gain + k.atLeast(m.own, m.other, left-m.gain, goal-m.gain)
	}
	return m.gain - k.atLeast(m.other, m.own, left-m.gain, m.gain-goal+2)
}

func (k *kalah) giveUp() bool {
	k.until = k.nodes + 1024
	k.stopped = k.stopped || k.enough()
	return k.stopped
}

// begin makes the tables for solving boards of so many seeds.
func (k *kalah) begin(left int, memory int64) {
	if n := kalahBuckets(memory); k.table == nil || len(k.table.buckets) < n {
		k.table = newKalahTable(n)
	}
	k.beginFew(left, memory)
}

func (k *kalah) beginFew(left int, memory int64) {
	if k.few == nil || k.few.wanted < left {
		k.few = newFewTable(k.pits, left, memory)
	}
	k.nodes, k.until, k.stopped = 0, 0, false
}

func (k *kalah) forget() {
	if k.table != nil {
		wipe(k.table.buckets)
	}
	if k.seen != nil {
		wipe(k.seen.buckets)
		k.now = 0
	}
	k.few = nil
}

// value closes in on what a board is worth: MTD(f), Plaat, 1996. If it is stopped, the
// value is between low and high.
func (k *kalah) value(own, other uint64, left int) (low, high int) {
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
