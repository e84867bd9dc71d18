package search

import "mancala/engine"

// ThreadTime is for benchmarks on a machine with other work.
var ThreadTime = threadTime

// Evaluate returns the estimate of a position for a team, with other weights.
func Evaluate(g *engine.Game, w Weights, p engine.Position, team int) int32 {
	e := newEvaluator(g.Rules())
	e.Weights = w
	return e.value(&p, team, team)
}

// Ordered returns the moves of p in the order in which a search tries them.
func Ordered(g *engine.Game, p engine.Position) (moves []engine.Move) {
	s := New(g, 1<<20)
	for _, c := range s.expand(&p, &s.plies[0], noBit) {
		moves = append(moves, c.move)
	}
	return moves
}
