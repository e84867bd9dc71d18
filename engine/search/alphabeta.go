package search

import (
	"mancala/engine"
)

// result is what a search found out about a position, for its side to move.
type result struct {
	value int32
	// proven is set if the value (or bound) follows from the rules, without an
	// estimate.
	proven bool
	// dependsOn is the first ply of the line whose position the value depends on,
	// because a cycle or a count of plies without a win ended there. It is
	// independent if there is none. A proof that depends on plies before its own
	// position holds on this line only.
	dependsOn int32
}

// independent is greater than every ply.
const independent = maxPly + 1

// ply is the working memory of a search for one ply of the line.
type ply struct {
	key      uint64 // key of the position
	path     uint64 // hash of the plies before it; see keyWithPath
	children []child
	boards   []engine.Position // positions after the children; repetition is not applied to them
	line     []engine.Move     // best play from here
}

// alphaBeta returns the value of p. Between alpha and beta it is the value itself,
// outside a bound.
func (s *Searcher) alphaBeta(p *engine.Position, depth, at int, alpha, beta int32) result {
	here := &s.plies[at]
	here.line = here.line[:0]
	if p.Phase == engine.Over {
		return result{s.eval.margin(p, s.team(p), s.me), true, s.cycles.dependsOn(p, at)}
	}
	if s.endsByRepetition(p, at) {
		return result{s.eval.margin(p, s.team(p), s.me), true, -1}
	}
	low, high := s.provable(p)
	switch {
	case low >= beta || low == high:
		return result{low, true, independent}
	case high <= alpha:
		return result{high, true, independent}
	}
	if s.endings != nil {
		if low, high = s.narrowByEndings(p, low, high); low >= beta || low == high {
			return result{low, true, independent}
		} else if high <= alpha {
			return result{high, true, independent}
		}
	}
	if depth <= 0 || at >= maxPly {
		return result{min(max(s.eval.value(p, s.team(p), s.me), low), high), false, independent}
	}
	here.key = s.key(p)
	if first, ok := s.cycleStart(p, at); ok {
		return result{s.eval.margin(p, s.team(p), s.me), true, first}
	}
	if depth == 1 {
		r, _ := s.lastPly(p, here, at, alpha, beta)
		return r
	}
	key := s.keyWithPath(p, here.key, at)
	entry, known := s.table.find(key)
	best := noBit
	if known {
		if r, ok := s.answerFrom(entry, p, depth, alpha, beta); ok {
			return r
		}
		best = entry.move
	}
	r, move := s.searchMoves(p, here, depth, at, alpha, beta, best)
	if s.stop == "" {
		s.store(p, key, depth, at, alpha, beta, r, move)
	}
	return r
}

// searchMoves searches the moves of p and returns the value and the best move.
func (s *Searcher) searchMoves(p *engine.Position, here *ply, depth, at int, alpha, beta int32, first uint8) (result, uint8) {
	r, move := result{-infinite, true, independent}, noBit
	mark, legal := s.history.Len(), s.game.Legal(p)
	if first != noBit && int(first) < legal.Len() && !s.spent() {
		// The best move of an earlier search comes before the others are even listed.
		q, m := *p, legal.At(int(first))
		s.play(&q, m)
		r, move = s.searchChild(p, &q, depth-1, at+1, alpha, beta), first
		s.history.Truncate(mark)
		here.setLine(m, &s.plies[at+1])
		if s.stop != "" || r.value >= beta {
			return r, move
		}
	} else {
		first = noBit
	}
	children := s.expand(p, here, first)
	for i := range children {
		if s.spent() {
			return r, move
		}
		c, from := &children[i], max(alpha, r.value)
		q := &here.boards[c.board]
		if s.nodes++; s.keepsHistory {
			*q = *p
			s.mustPlay(s.game.Play(q, &s.history, c.move, nil))
		}
		t := result{value: from + 1}
		nullWindow, late := move != noBit && beta-from > 1, i > 1 && depth > 2 && c.quiet
		if late {
			// Late move reduction: a move that does not look good is searched less
			// deeply at first.
			t = s.searchChild(p, q, depth-2, at+1, from, from+1)
		}
		if nullWindow && t.value > from && !(late && t.proven) && s.stop == "" {
			t = s.searchChild(p, q, depth-1, at+1, from, from+1)
		}
		if t.value > from && (t.value < beta || !nullWindow) && s.stop == "" {
			t = s.searchChild(p, q, depth-1, at+1, from, beta)
		}
		s.history.Truncate(mark)
		if t.value > r.value {
			r.value, move = t.value, c.bit
			if t.value > from {
				here.setLine(c.move, &s.plies[at+1])
			}
			if t.value >= beta {
				return t, move // a cutoff: the other moves cannot matter
			}
		}
		r.proven = r.proven && t.proven
		r.dependsOn = min(r.dependsOn, t.dependsOn)
	}
	return r, move
}

// lastPly is searchMoves for one ply, where neither move ordering nor the table pays.
func (s *Searcher) lastPly(p *engine.Position, here *ply, at int, alpha, beta int32) (result, uint8) {
	r, move := result{-infinite, true, independent}, noBit
	mark, legal := s.history.Len(), s.game.Legal(p)
	for i := range legal.Len() {
		if s.spent() {
			return r, move
		}
		here.boards = append(here.boards[:0], *p)
		q, m := &here.boards[0], legal.At(i)
		s.play(q, m)
		t := s.searchChild(p, q, 0, at+1, max(alpha, r.value), beta)
		s.history.Truncate(mark)
		if t.value > r.value {
			r.value, move = t.value, uint8(i)
			if t.value > alpha {
				here.setLine(m, &s.plies[at+1])
			}
			if t.value >= beta {
				return t, move
			}
		}
		r.proven = r.proven && t.proven
		r.dependsOn = min(r.dependsOn, t.dependsOn)
	}
	return r, move
}

// searchChild searches q, the position after a ply in p, and returns its value for p.
func (s *Searcher) searchChild(p, q *engine.Position, depth, at int, alpha, beta int32) result {
	if depth == 0 && q.Seat == p.Seat && q.Clock == 0 {
		depth = 1 // quiescence: the seat won a seed and has another ply, so this is no place to stop
	}
	if s.team(p) == s.team(q) {
		return s.alphaBeta(q, depth, at, alpha, beta)
	}
	r := s.alphaBeta(q, depth, at, -beta, -alpha)
	r.value = -r.value
	return r
}

// setLine records that the best line from here is m and then the line of the next
// ply.
func (p *ply) setLine(m engine.Move, next *ply) {
	p.line = append(append(p.line[:0], m), next.line...)
}

// play makes a move that is known to be legal.
func (s *Searcher) play(p *engine.Position, m engine.Move) {
	s.nodes++
	h := &s.history
	if !s.keepsHistory {
		h = nil
	}
	s.mustPlay(s.game.Play(p, h, m, nil))
}

// mustPlay panics if a move that Legal lists was refused.
func (s *Searcher) mustPlay(err error) {
	if err != nil {
		panic(err) // Legal and Play disagree: a defect that the engine's tests look for
	}
}

// provable returns the bounds on p that follow from the number of seeds: no side can
// win more seeds than are on the board.
func (s *Searcher) provable(p *engine.Position) (low, high int32) {
	margin, left := s.eval.margin(p, s.team(p), s.me), int32(0)
	for _, n := range p.Slots[:s.eval.pits] {
		left += int32(n)
	}
	if s.eval.inHand && p.Phase != engine.Over {
		left += int32(p.Score(0) + p.Score(1))
	}
	if p.Phase == engine.Setup {
		left = int32(s.rules.Total)
	}
	return margin - left*seed, margin + left*seed
}
