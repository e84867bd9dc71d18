package search

import (
	"slices"

	"mancala/engine"
)

// rootMoves lists the moves of p, the most promising first.
func (s *Searcher) rootMoves(p *engine.Position) {
	s.root = append(s.root[:0], s.expand(p, &s.plies[0], noBit)...)
	s.startPath(p)
}

// searchRoot searches every move of p to a depth and writes the results into a. over
// reports that a deeper search cannot find more. If the search is stopped before the
// first move is done, a keeps its earlier results.
//
// An exact value holds whatever happened before the root. A value that depends on
// positions before the root, because they come back, is good to play by, but counts
// as an estimate.
func (s *Searcher) searchRoot(p *engine.Position, depth int, a *Answer, all bool) (over bool) {
	best, proven, low := int32(-infinite), true, int32(a.Low)*seed
	over = true
	_, most := s.provable(p)
	high := int32(-infinite) // upper bound on the best move
	line := make([]engine.Move, 0, depth)
	for i := range s.root {
		if s.spent() {
			break
		}
		c, alpha := &s.root[i], best
		if all {
			alpha = -infinite
		}
		r := s.rootMove(p, c, depth, alpha, i > 0 && !all)
		if s.stop != "" {
			break // the search of this move was cut off
		}
		c.value, c.exact = r.value, r.proven && (r.dependsOn >= 0 || !s.cycles.hasEarlier)
		if over, proven = over && r.proven, proven && c.exact; c.exact {
			high = max(high, r.value)
		} else {
			high = most
		}
		if c.exact && r.value > alpha {
			low = max(low, r.value)
		}
		if r.value > best {
			best = r.value
			line = append(append(line[:0], c.move), s.plies[1].line...)
			a.Line, a.Value = slices.Clone(line), float64(best)/seed
		}
	}
	a.Low = int(low / seed)
	if s.stop == "" {
		a.Depth, a.High = depth, min(a.High, int(high/seed))
		if a.Exact = proven; proven {
			a.Low = a.High
		}
	} else if len(a.Line) == 0 {
		a.Line = []engine.Move{s.root[0].move} // the budget was too small for one move
	}
	if s.stop == "" || a.Moves == nil {
		slices.SortStableFunc(s.root, func(x, y child) int { return int(y.value - x.value) })
		a.Moves = s.rated(a.Moves[:0])
	}
	return over && s.stop == ""
}

// rootMove searches one move. With nullWindow it first only asks whether the move
// beats alpha.
func (s *Searcher) rootMove(p *engine.Position, c *child, depth int, alpha int32, nullWindow bool) result {
	if s.onKalahBoards {
		return s.kalahRootMove(p, c, depth, alpha, nullWindow)
	}
	mark := s.history.Len()
	q := *p
	s.play(&q, c.move)
	r := result{}
	if nullWindow {
		r = s.searchChild(p, &q, depth-1, 1, alpha, alpha+1)
	}
	if !nullWindow || r.value > alpha && s.stop == "" {
		r = s.searchChild(p, &q, depth-1, 1, alpha, infinite)
	}
	s.history.Truncate(mark)
	return r
}

func (s *Searcher) rated(to []Rated) []Rated {
	for i := range s.root {
		c := &s.root[i]
		to = append(to, Rated{Move: c.move, Value: float64(c.value) / seed, Exact: c.exact})
	}
	return to
}
