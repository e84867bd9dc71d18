package search

import (
	"context"
	"slices"

	"mancala/engine"
)

// scores holds what each of four sides has won, or an estimate of what it will have
// won, in parts of a seed.
type scores [4]int32

// margin returns the lead of a side over the best of the others.
func (x *scores) margin(side int) int32 {
	best := int32(-infinite)
	for i, n := range x {
		if i != side {
			best = max(best, n)
		}
	}
	return x[side] - best
}

// searchMaxN looks for the best move in a game of four if every side plays for its
// own margin (max^n, Luckhardt and Irani, 1986). It looks ahead a number of turns: a
// turn with many plies is evaluated at its end. It proves nothing. But
// [Searcher.Search], which assumes that all others play against the side at the root,
// is too pessimistic, and more so the further it looks.
func (s *Searcher) searchMaxN(ctx context.Context, p engine.Position, h *engine.History, limits Limits) Answer {
	s.begin(ctx, &p, h, limits)
	low, high := s.provable(&p)
	a := Answer{Low: int(low / seed), High: int(high / seed)}
	legal := s.game.LegalMoves(&p, nil)
	for depth := 1; depth <= s.limits.Depth && a.Stop == ""; depth++ {
		moves := make([]Rated, 0, len(legal))
		for _, m := range legal {
			if s.spent() {
				break // the search of the last move was cut off too
			}
			q, mark := p, s.history.Len()
			s.play(&q, m)
			x := s.maxN(&p, &q, depth, 1)
			s.history.Truncate(mark)
			moves = append(moves, Rated{Move: m, Value: float64(x.margin(s.me)) / seed})
		}
		if a.Stop = s.stop; a.Stop == "" || depth == 1 {
			slices.SortStableFunc(moves, func(x, y Rated) int { return int(seed * (y.Value - x.Value)) })
			a.Moves, a.Depth = moves, depth
		}
	}
	if a.Stop == "" {
		a.Stop = Deep
	}
	if len(a.Moves) == 0 {
		a.Moves = []Rated{{Move: legal[0]}} // the budget was too small for one move
	}
	a.Line, a.Value = []engine.Move{a.Moves[0].Move}, a.Moves[0].Value
	a.Nodes, a.Time = s.nodes, s.clock()-s.began
	return a
}

// maxN returns what each side gets from q, the position after a ply in p, if every
// side plays for its own margin.
func (s *Searcher) maxN(p, q *engine.Position, depth, at int) (best scores) {
	if q.Seat != p.Seat {
		depth--
	}
	if q.Phase == engine.Over || depth == 0 || at >= maxPly {
		return s.eval.each(q)
	}
	side, most := s.game.Side(q.Seat), int32(-infinite)
	legal, mark := s.game.Legal(q), s.history.Len()
	here := &s.plies[at]
	for i := range legal.Len() {
		if s.spent() {
			break
		}
		here.boards = append(here.boards[:0], *q)
		r := &here.boards[0]
		s.play(r, legal.At(i))
		x := s.maxN(q, r, depth, at+1)
		s.history.Truncate(mark)
		if m := x.margin(side); m > most {
			most, best = m, x
		}
	}
	return best
}
