package kalah

import (
	"mancala/engine"
	"mancala/engine/search/internal/value"
)

// A look-ahead is for searches with a budget: alpha-beta as in package search, on the
// boards of the solver. Its values are in parts of a seed. Like all values of boards they
// leave out the seeds in the stores.

// LookAhead describes a search with a budget.
type LookAhead struct {
	OwnSeedWorth int32  // the worth of a seed on the mover's own side, in parts of a seed
	Memory       int64  // bytes for the table of positions
	Endgames     int64  // bytes for the table of endgames
	Nodes        uint64 // nodes that were spent before
	Limit        uint64 // nodes at which Spent is asked at the latest; 0: no limit

	// Spent reports whether the search must stop. It is told the number of nodes, and
	// asked rarely.
	Spent func(nodes uint64) bool
}

// endgamesAhead is the number of seeds on a board whose table of endgames is filled within
// milliseconds.
const endgamesAhead = 20

// BeginLookAhead prepares calls of SearchMove.
func (k *Solver) BeginLookAhead(s LookAhead) {
	k.makeEndgames(endgamesAhead, s.Endgames)
	if n := buckets(s.Memory); k.lookahead == nil || len(k.lookahead.buckets) < n {
		k.lookahead = newTable(n)
	}
	if k.lines == nil {
		k.lines = make([]line, value.MaxPly+1)
	}
	k.generation = (k.generation + 1) & 7
	k.ownSeedWorth, k.spent = s.OwnSeedWorth, s.Spent
	k.nodes, k.limit, k.nextCheck, k.stopped = s.Nodes, s.Limit, 0, false
}

// SearchMove returns the value of the board own, other of left seeds if the mover lifts a
// pit, as lookAhead does for a board. BestLine then returns the play after the move.
func (k *Solver) SearchMove(own, other uint64, left, pit, depth int, alpha, beta int32) (value int32, proven bool) {
	m := move{}
	k.play(&m, own, other, left, pit)
	k.lines[1] = k.lines[1][:0]
	return k.searchMove(&m, left, depth-1, 1, alpha, beta)
}

// BestLine returns the best play after the move that was searched last. The next search
// overwrites it.
func (k *Solver) BestLine() []engine.Move { return k.lines[1] }

// lookAhead returns the value of a board of left seeds for the mover. Between alpha and
// beta it is the value itself, outside a bound. proven tells whether the value follows from
// the rules without an estimate.
func (k *Solver) lookAhead(own, other uint64, left, depth, at int, alpha, beta int32) (v int32, proven bool) {
	if beta-alpha > 1 {
		k.lines[at] = k.lines[at][:0]
	}
	if k.nodes >= k.nextCheck && k.outOfBudget() {
		return 0, false
	}
	k.nodes++
	most := int32(left) * value.Seed
	switch {
	case most <= alpha:
		return most, true
	case -most >= beta:
		return -most, true
	case left <= k.endgames.seeds:
		nodes := k.nodes
		v = int32(k.endgameValue(own, other, left)) * value.Seed
		k.nodes = nodes // filling the table of endgames is not part of a budget
		return v, true
	case depth <= 0 || at >= value.MaxPly:
		return min(max((2*sumBytes(own)-int32(left))*k.ownSeedWorth, -most), most), false
	}
	if depth == 1 {
		return k.lastPly(own, other, left, at, alpha, beta)
	}
	best, bucket := noPit, k.lookahead.bucket(own, other)
	if e, ok := bucket.find(own, other); ok {
		if e.answers(depth, alpha, beta) {
			return e.value(), e.proven()
		}
		best = e.move()
	}
	v, proven, best = k.tryMoves(own, other, left, depth, at, alpha, beta, best)
	if !k.stopped {
		b := value.Exactly
		switch {
		case v >= beta:
			b = value.AtLeast
		case v <= alpha:
			b = value.AtMost
		}
		bucket.putValue(own, other, v, depth, b, best, proven, k.generation)
	}
	return v, proven
}

// lastPly is lookAhead for one ply, where neither move ordering nor the table pays.
func (k *Solver) lastPly(own, other uint64, left, at int, alpha, beta int32) (value int32, proven bool) {
	value, proven = -infinite, true
	m := move{}
	for pit := k.pits - 1; pit >= 0; pit-- {
		if own>>(8*pit)&255 == 0 {
			continue
		}
		k.play(&m, own, other, left, pit)
		v, sure := k.searchMove(&m, left, 0, at+1, max(alpha, value), beta)
		if k.stopped {
			return value, false
		}
		if v > value {
			if value = v; v > alpha && beta-alpha > 1 {
				k.keepLine(at, m.pit)
			}
			if v >= beta {
				return v, sure
			}
		}
		proven = proven && sure
	}
	return value, proven
}

// tryMoves searches the moves of a board, first the one that was best before.
func (k *Solver) tryMoves(own, other uint64, left, depth, at int, alpha, beta int32, first uint8) (value int32, proven bool, best uint8) {
	var list [maxPits]move
	moves := list[:k.moves(&list, own, other, left, first)]
	value, proven, best = -infinite, true, noPit
	for i := range moves {
		pickBest(moves, i)
		m, from := &moves[i], max(alpha, value)
		v, sure := int32(0), false
		nullWindow := i > 0 && beta-from > 1
		reduction := 0
		if i > 1 && depth > 2 && !m.again {
			reduction = 1 // late move reduction: a move that does not look good
		}
		if nullWindow || reduction > 0 {
			v, sure = k.searchMove(m, left, depth-1-reduction, at+1, from, from+1)
			if reduction > 0 && v > from && !sure && !k.stopped {
				v, sure = k.searchMove(m, left, depth-1, at+1, from, from+1)
			}
		}
		if !nullWindow && reduction == 0 || nullWindow && v > from && v < beta && !k.stopped {
			v, sure = k.searchMove(m, left, depth-1, at+1, from, beta)
		}
		if k.stopped {
			return value, false, best
		}
		if v > value {
			value, best = v, m.pit
			if v > from && beta-alpha > 1 {
				k.keepLine(at, m.pit)
			}
			if v >= beta {
				return v, sure, best
			}
		}
		proven = proven && sure
	}
	return value, proven, best
}

// searchMove is lookAhead for the board after a move, as the mover sees it.
func (k *Solver) searchMove(m *move, left, depth, at int, alpha, beta int32) (v int32, proven bool) {
	gain := int32(m.gain) * value.Seed
	switch {
	case m.over:
		if beta-alpha > 1 {
			k.lines[at] = k.lines[at][:0]
		}
		return gain, true
	case m.again:
		v, sure := k.lookAhead(m.own, m.other, left-m.gain, max(depth, 1), at, alpha-gain, beta-gain)
		return gain + v, sure
	}
	v, sure := k.lookAhead(m.other, m.own, left-m.gain, depth, at, gain-beta, gain-alpha)
	return gain - v, sure
}

// keepLine records that the best line at a ply is a pit and then the line of the next ply.
func (k *Solver) keepLine(at int, pit uint8) {
	k.lines[at] = append(append(k.lines[at][:0], engine.Move{Pit: pit}), k.lines[at+1]...)
}

// sumBytes returns the sum of the bytes of a word, which must be less than 256.
func sumBytes(word uint64) int32 { return int32(word * 0x0101010101010101 >> 56) }
