package search

import (
	"mancala/engine"
)

// result is what a search says about a position, for its side to move.
type result struct {
	value int32
	// proven: the value (or bound) follows from the rules, without an estimate.
	proven bool
	// since is the first ply of the line whose position the value depends on, because
	// a cycle or a count of quiet plies ended there; free if it depends on none. A
	// proof that depends on plies before its own position holds on this line only.
	since int32
}

const free = maxPly + 1

// ply is what a search keeps for each ply of the line it looks at.
type ply struct {
	key      uint64 // of the position
	path     uint64 // and of the plies before it
	children []child
	boards   []engine.Position // what the children lead to, but for repetition
	line     []engine.Move     // best play from here
}

// node is the value of p, within alpha and beta as it is, outside as a bound.
func (s *Searcher) node(p *engine.Position, depth, at int, alpha, beta int32) result {
	here := &s.plies[at]
	here.line = here.line[:0]
	if p.Phase == engine.Over {
		return result{s.eval.margin(p, s.team(p), s.me), true, s.cycles.dependsOn(p, at)}
	}
	if s.repeated(p, at) {
		return result{s.eval.margin(p, s.team(p), s.me), true, -1}
	}
	low, high := s.provable(p)
	switch {
	case low >= beta || low == high:
		return result{low, true, free}
	case high <= alpha:
		return result{high, true, free}
	}
	if s.endings != nil {
		if low, high = s.known(p, low, high); low >= beta || low == high {
			return result{low, true, free}
		} else if high <= alpha {
			return result{high, true, free}
		}
	}
	if depth <= 0 || at >= maxPly {
		return result{min(max(s.eval.value(p, s.team(p), s.me), low), high), false, free}
	}
	here.key = s.key(p)
	if first, ok := s.cycled(p, at); ok {
		return result{s.eval.margin(p, s.team(p), s.me), true, first}
	}
	if depth == 1 {
		r, _ := s.lastPly(p, here, at, alpha, beta)
		return r
	}
	key := s.onPath(p, here.key, at)
	entry, known := s.table.find(key)
	best := noBit
	if known {
		if r, ok := s.recall(entry, p, depth, alpha, beta); ok {
			return r
		}
		best = entry.move
	}
	r, move := s.branch(p, here, depth, at, alpha, beta, best)
	if s.stop == "" {
		s.remember(p, key, depth, at, alpha, beta, r, move)
	}
	return r
}

// branch searches the moves of p and returns the value and the best move.
func (s *Searcher) branch(p *engine.Position, here *ply, depth, at int, alpha, beta int32, first uint8) (result, uint8) {
	r, move := result{-infinite, true, free}, noBit
	mark, legal := s.history.Len(), s.game.Legal(p)
	if first != noBit && int(first) < legal.Len() && !s.spent() {
		// What was best before is tried before the others are even listed.
		q, m := *p, legal.At(int(first))
		s.play(&q, m)
		r, move = s.follow(p, &q, depth-1, at+1, alpha, beta), first
		s.history.Truncate(mark)
		here.keep(m, &s.plies[at+1])
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
		if s.nodes++; s.remembers {
			*q = *p
			s.must(s.game.Play(q, &s.history, c.move, nil))
		}
		t := result{value: from + 1}
		narrow, late := move != noBit && beta-from > 1, i > 1 && depth > 2 && c.quiet
		if late {
			// A move that does not look good is looked at less far, unless it surprises.
			t = s.follow(p, q, depth-2, at+1, from, from+1)
		}
		if narrow && t.value > from && !(late && t.proven) && s.stop == "" {
			t = s.follow(p, q, depth-1, at+1, from, from+1)
		}
		if t.value > from && (t.value < beta || !narrow) && s.stop == "" {
			t = s.follow(p, q, depth-1, at+1, from, beta)
		}
		s.history.Truncate(mark)
		if t.value > r.value {
			r.value, move = t.value, c.bit
			if t.value > from {
				here.keep(c.move, &s.plies[at+1])
			}
			if t.value >= beta {
				return t, move // what the other moves are worth does not matter
			}
		}
		r.proven = r.proven && t.proven
		r.since = min(r.since, t.since)
	}
	return r, move
}

// lastPly is branch for one ply, where neither order nor table is worth the while.
func (s *Searcher) lastPly(p *engine.Position, here *ply, at int, alpha, beta int32) (result, uint8) {
	r, move := result{-infinite, true, free}, noBit
	mark, legal := s.history.Len(), s.game.Legal(p)
	for i := range legal.Len() {
		if s.spent() {
			return r, move
		}
		here.boards = append(here.boards[:0], *p)
		q, m := &here.boards[0], legal.At(i)
		s.play(q, m)
		t := s.follow(p, q, 0, at+1, max(alpha, r.value), beta)
		s.history.Truncate(mark)
		if t.value > r.value {
			r.value, move = t.value, uint8(i)
			if t.value > alpha {
				here.keep(m, &s.plies[at+1])
			}
			if t.value >= beta {
				return t, move
			}
		}
		r.proven = r.proven && t.proven
		r.since = min(r.since, t.since)
	}
	return r, move
}

// follow searches q, which arose from p, and turns its value into p's.
func (s *Searcher) follow(p, q *engine.Position, depth, at int, alpha, beta int32) result {
	if depth == 0 && q.Seat == p.Seat && q.Clock == 0 {
		depth = 1 // a seed was won and there is another ply: not a place to stop
	}
	if s.team(p) == s.team(q) {
		return s.node(q, depth, at, alpha, beta)
	}
	r := s.node(q, depth, at, -beta, -alpha)
	r.value = -r.value
	return r
}

// keep notes that the best line from here is m and then that of the next ply.
func (p *ply) keep(m engine.Move, next *ply) {
	p.line = append(append(p.line[:0], m), next.line...)
}

// play makes a move known to be legal.
func (s *Searcher) play(p *engine.Position, m engine.Move) {
	s.nodes++
	h := &s.history
	if !s.remembers {
		h = nil
	}
	s.must(s.game.Play(p, h, m, nil))
}

// must is told what became of a move that Legal has listed.
func (s *Searcher) must(err error) {
	if err != nil {
		panic(err) // Legal and Play disagree: a bug that engine's tests look for
	}
}

// provable is what p is worth at least and at most, since nobody can win more seeds
// than are on the board.
func (s *Searcher) provable(p *engine.Position) (low, high int32) {
	margin, left := s.eval.margin(p, s.team(p), s.me), int32(0)
	for _, n := range p.Slots[:s.eval.pits] {
		left += int32(n)
	}
	if p.Phase == engine.Setup {
		left = int32(s.rules.Total)
	}
	return margin - left*seed, margin + left*seed
}
