package search

import (
	"context"

	"mancala/engine"
)

// Plain is alpha-beta to a fixed depth with the evaluation of [Searcher]. It has no
// table, no move ordering and no second search. It is the baseline that [Searcher] is
// measured against.
type Plain struct {
	Game  *engine.Game
	Depth int
}

// Move returns the best move that Plain sees.
func (x Plain) Move(_ context.Context, p engine.Position, h *engine.History, _ uint64) (engine.Move, Answer) {
	s := New(x.Game, 0)
	s.me = s.game.Side(p.Seat)
	if h != nil {
		s.history = h.Clone()
	}
	s.keepsHistory = s.cycles.canRepeat // the history is kept even where Searcher cuts cycles
	if p.Phase == engine.Setup {
		a := s.Search(context.Background(), p, nil, Limits{Nodes: 2000})
		return a.Line[0], a
	}
	value, best := s.plain(&p, x.Depth, -infinite, infinite)
	return best, Answer{Line: []engine.Move{best}, Value: float64(value) / seed, Depth: x.Depth, Nodes: s.nodes, Stop: Deep}
}

func (s *Searcher) plain(p *engine.Position, depth int, alpha, beta int32) (value int32, best engine.Move) {
	if p.Phase == engine.Over {
		return s.eval.margin(p, s.team(p), s.me), best
	}
	if depth == 0 {
		return s.eval.value(p, s.team(p), s.me), best
	}
	value = -infinite
	legal, mark := s.game.Legal(p), s.history.Len()
	for i := range legal.Len() {
		q, m, v := *p, legal.At(i), int32(0)
		s.play(&q, m)
		if s.team(p) == s.team(&q) {
			v, _ = s.plain(&q, depth-1, max(alpha, value), beta)
		} else {
			v, _ = s.plain(&q, depth-1, -beta, -max(alpha, value))
			v = -v
		}
		s.history.Truncate(mark)
		if v > value {
			value, best = v, m
		}
		if value >= beta {
			break
		}
	}
	return value, best
}
