package search

import (
	"context"
	"slices"

	"mancala/engine"
)

// scores is what each of four sides has won, and an estimate of what it will win, in
// parts of a seed.
type scores [4]int32

// margin is how far a side is ahead of the best of the others.
func (x *scores) margin(side int) int32 {
	best := int32(-infinite)
	for i, n := range x {
		if i != side {
			best = max(best, n)
		}
	}
	return x[side] - best
}

// guess looks for the best move of a game of four if everyone plays for himself (max^n,
// Luckhardt and Irani, 1986), looking so many turns ahead: a turn with many plies is
// judged where it ends. That proves nothing, but who thinks that all play against him, as
// Search does, fears too much, and the more so the further he looks.
func (s *Searcher) guess(ctx context.Context, p engine.Position, h *engine.History, limits Limits) Answer {
	s.begin(ctx, &p, h, limits)
	low, high := s.provable(&p)
	a := Answer{Low: int(low / seed), High: int(high / seed)}
	legal := s.game.LegalMoves(&p, nil)
	for depth := 1; depth <= s.limits.Depth && a.Stop == ""; depth++ {
		moves := make([]Rated, 0, len(legal))
		for _, m := range legal {
			if s.spent() {
				break // what came back from the last move means nothing either
			}
			q, mark := p, s.history.Len()
			s.play(&q, m)
			x := s.everyone(&p, &q, depth, 1)
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
		a.Moves = []Rated{{Move: legal[0]}} // not even one move was looked at
	}
	a.Line, a.Value = []engine.Move{a.Moves[0].Move}, a.Moves[0].Value
	a.Nodes, a.Time = s.nodes, s.clock()-s.began
	return a
}

// everyone is what each side gets from q, which arose from p, if everyone plays for
// his own margin.
func (s *Searcher) everyone(p, q *engine.Position, depth, at int) (best scores) {
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
		x := s.everyone(q, r, depth, at+1)
		s.history.Truncate(mark)
		if m := x.margin(side); m > most {
			most, best = m, x
		}
	}
	return best
}
