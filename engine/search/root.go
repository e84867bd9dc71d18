package search

import (
	"slices"

	"mancala/engine"
)

// rootMoves lists the moves of p in the order in which they look best.
func (s *Searcher) rootMoves(p *engine.Position) {
	s.root = append(s.root[:0], s.expand(p, &s.plies[0], noBit)...)
	s.startPath(p)
}

// look searches every move of p to a depth and puts what it finds into a; over says
// that nothing more can be found. What was found before stays there if the search is
// stopped before the first move is done.
//
// What is exact holds whatever was before the root. A value that positions before it
// decide, by coming back, is as good to play by and no more than an estimate.
func (s *Searcher) look(p *engine.Position, depth int, a *Answer, all bool) (over bool) {
	best, proven, low := int32(-infinite), true, int32(a.Low)*seed
	over = true
	_, most := s.provable(p)
	high := int32(-infinite) // the most that any move may be worth
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
			break // what came back means nothing
		}
		c.value, c.exact = r.value, r.proven && (r.since >= 0 || !s.cycles.preceded)
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
		a.Line = []engine.Move{s.root[0].move} // not even one move was looked at
	}
	if s.stop == "" || a.Moves == nil {
		slices.SortStableFunc(s.root, func(x, y child) int { return int(y.value - x.value) })
		a.Moves = s.rated(a.Moves[:0])
	}
	return over && s.stop == ""
}

// rootMove searches one move; with narrow, first only whether it beats alpha.
func (s *Searcher) rootMove(p *engine.Position, c *child, depth int, alpha int32, narrow bool) result {
	if s.onKalahBoards {
		return s.kalahRootMove(p, c, depth, alpha, narrow)
	}
	mark := s.history.Len()
	q := *p
	s.play(&q, c.move)
	r := result{}
	if narrow {
		r = s.follow(p, &q, depth-1, 1, alpha, alpha+1)
	}
	if !narrow || r.value > alpha && s.stop == "" {
		r = s.follow(p, &q, depth-1, 1, alpha, infinite)
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
