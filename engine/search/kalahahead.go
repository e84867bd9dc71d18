package search

import "mancala/engine"

// Looking ahead in games of the Kalah family, for searches with a budget: alpha-beta as
// in node.go, on the boards of the solver. Values are in parts of a seed, and what the
// stores hold is left out.

// lookAhead says whether the look ahead is done on these boards, and prepares it.
func (s *Searcher) lookAhead(p *engine.Position) bool {
	k := s.kalah
	if k == nil || !s.boards(p) {
		return false
	}
	k.beginFew(aheadFew, s.memory/4)
	if n := kalahBuckets(s.aheadMemory()); k.seen == nil || len(k.seen.buckets) < n {
		k.seen = newKalahTable(n)
	}
	k.now = (k.now + 1) & 7
	k.own, k.lines = s.eval.own, s.plies[:]
	k.nodes, k.until, k.stopped = s.nodes, 0, false
	k.enough = func() bool {
		if s.nodes = k.nodes; s.limits.Nodes > 0 {
			k.until = min(k.until, s.limits.Nodes)
		}
		return s.spent()
	}
	return true
}

// aheadFew makes a table of few seeds that is filled in no time.
const aheadFew = 20

// aheadMove searches a move at the root, like rootMove.
func (s *Searcher) aheadMove(p *engine.Position, c *child, depth int, alpha int32, narrow bool) result {
	k := s.kalah
	own, other := k.board(p, p.Seat), k.board(p, 1-p.Seat)
	left := sum(own) + sum(other)
	m := kalahMove{}
	k.play(&m, own, other, left, int(c.move.Pit))
	margin := s.eval.margin(p, s.team(p), s.me)
	line := &s.plies[1]
	line.line = line.line[:0]
	r := result{}
	if narrow {
		r.value, r.proven = k.next(&m, left, depth-1, 1, alpha-margin, alpha+1-margin)
	}
	if r.value += margin; !narrow || r.value > alpha && !k.stopped {
		r.value, r.proven = k.next(&m, left, depth-1, 1, alpha-margin, infinite)
		r.value += margin
	}
	if s.nodes = k.nodes; k.stopped {
		s.spent()
	}
	return r
}

// ahead is what a board of left seeds is worth to the mover, within alpha and beta as it
// is, outside as a bound, and whether that is proven.
func (k *kalah) ahead(own, other uint64, left, depth, at int, alpha, beta int32) (value int32, proven bool) {
	if beta-alpha > 1 {
		k.lines[at].line = k.lines[at].line[:0]
	}
	if k.nodes >= k.until && k.giveUp() {
		return 0, false
	}
	k.nodes++
	most := int32(left) * seed
	switch {
	case most <= alpha:
		return most, true
	case -most >= beta:
		return -most, true
	case left <= k.few.seeds:
		nodes := k.nodes
		value = int32(k.exact(own, other, left)) * seed
		k.nodes = nodes // the table of few seeds is not part of a budget
		return value, true
	case depth <= 0 || at >= maxPly:
		return min(max((2*bytes(own)-int32(left))*k.own, -most), most), false
	}
	if depth == 1 {
		return k.lastPly(own, other, left, at, alpha, beta)
	}
	best, bucket := noPit, k.seen.bucket(own, other)
	if e, ok := bucket.find(own, other); ok {
		if e.enough(depth, alpha, beta) {
			return e.value(), e.proven()
		}
		best = e.move()
	}
	value, proven, best = k.tryAhead(own, other, left, depth, at, alpha, beta, best)
	if !k.stopped {
		b := exactly
		switch {
		case value >= beta:
			b = atLeast
		case value <= alpha:
			b = atMost
		}
		bucket.note(own, other, value, depth, b, best, proven, k.now)
	}
	return value, proven
}

// lastPly is ahead for one ply, where neither order nor table is worth the while.
func (k *kalah) lastPly(own, other uint64, left, at int, alpha, beta int32) (value int32, proven bool) {
	value, proven = -infinite, true
	m := kalahMove{}
	for pit := k.pits - 1; pit >= 0; pit-- {
		if own>>(8*pit)&255 == 0 {
			continue
		}
		k.play(&m, own, other, left, pit)
		v, sure := k.next(&m, left, 0, at+1, max(alpha, value), beta)
		if k.stopped {
			return value, false
		}
		if v > value {
			if value = v; v > alpha && beta-alpha > 1 {
				k.lines[at].keep(engine.Move{Pit: m.pit}, &k.lines[at+1])
			}
			if v >= beta {
				return v, sure
			}
		}
		proven = proven && sure
	}
	return value, proven
}

// tryAhead searches the moves of a board.
func (k *kalah) tryAhead(own, other uint64, left, depth, at int, alpha, beta int32, first uint8) (value int32, proven bool, best uint8) {
	var list [maxKalahPits]kalahMove
	moves := list[:k.moves(&list, own, other, left, first)]
	value, proven, best = -infinite, true, noPit
	for i := range moves {
		pickBest(moves, i)
		m, from := &moves[i], max(alpha, value)
		v, sure := int32(0), false
		narrow := i > 0 && beta-from > 1
		less := 0
		if i > 1 && depth > 2 && !m.again {
			less = 1 // a move that does not look good is looked at less far at first
		}
		if narrow || less > 0 {
			v, sure = k.next(m, left, depth-1-less, at+1, from, from+1)
			if less > 0 && v > from && !sure && !k.stopped {
				v, sure = k.next(m, left, depth-1, at+1, from, from+1)
			}
		}
		if !narrow && less == 0 || narrow && v > from && v < beta && !k.stopped {
			v, sure = k.next(m, left, depth-1, at+1, from, beta)
		}
		if k.stopped {
			return value, false, best
		}
		if v > value {
			value, best = v, m.pit
			if v > from && beta-alpha > 1 {
				k.lines[at].keep(engine.Move{Pit: m.pit}, &k.lines[at+1])
			}
			if v >= beta {
				return v, sure, best
			}
		}
		proven = proven && sure
	}
	return value, proven, best
}

// next is ahead for the board after a move, as the mover sees it.
func (k *kalah) next(m *kalahMove, left, depth, at int, alpha, beta int32) (value int32, proven bool) {
	gain := int32(m.gain) * seed
	switch {
	case m.over:
		if beta-alpha > 1 {
			k.lines[at].line = k.lines[at].line[:0]
		}
		return gain, true
	case m.again:
		v, sure := k.ahead(m.own, m.other, left-m.gain, max(depth, 1), at, alpha-gain, beta-gain)
		return gain + v, sure
	}
	v, sure := k.ahead(m.other, m.own, left-m.gain, depth, at, gain-beta, gain-alpha)
	return gain - v, sure
}

// pickBest moves what looks best of the rest to place i.
func pickBest(moves []kalahMove, i int) {
	next := i
	for j := i + 1; j < len(moves); j++ {
		if moves[j].order > moves[next].order {
			next = j
		}
	}
	moves[i], moves[next] = moves[next], moves[i]
}

// bytes is the sum of the bytes of a word.
func bytes(word uint64) int32 { return int32(word * 0x0101010101010101 >> 56) }
