package search

import (
	"math/bits"
	"time"

	"mancala/engine"
	"mancala/engine/search/kalah"
)

// Package kalah searches the games of its family. This file decides when, and shares the
// budget between a proof and a look-ahead.

// tractable returns the number of seeds on a board up to which a search with a budget
// begins with a proof. Nine boards in ten are then solved with half of the budget.
func (l Limits) tractable() int {
	nodes := uint64(l.Time.Microseconds()) * solverNodesPerMicrosecond
	if l.Nodes > 0 && (nodes == 0 || l.Nodes < nodes) {
		nodes = l.Nodes
	}
	return 2*bits.Len64(nodes) - 13 // a proof takes twice as many nodes for every two seeds
}

// solverNodesPerMicrosecond is the least speed of the solver.
const solverNodesPerMicrosecond = 3

// solveKalah answers by solving the position. It returns false if the rules are not of the
// family, or if the budget is too small. If the budget runs out, a keeps the bounds that
// have been proven, and a part of the budget is left for the look-ahead.
func (s *Searcher) solveKalah(p *engine.Position, a *Answer, all bool) bool {
	k := s.kalah
	if k == nil || !s.fitsKalah(p) || s.limits.Depth < maxPly {
		return false
	}
	own, other := k.Board(p, p.Seat), k.Board(p, 1-p.Seat)
	left := kalah.Seeds(own) + kalah.Seeds(other)
	if s.wantsEstimate() && left > s.limits.tractable() {
		return false
	}
	k.BeginSolve(left, s.memory-s.lookAheadMemory(), func(nodes uint64) bool {
		s.nodes = nodes
		return s.solverSpent() || s.spent()
	})
	margin := int(s.eval.margin(p, s.team(p), s.me)) / seed
	low, high := k.Value(own, other, left)
	a.Low, a.High = max(a.Low, margin+low), min(a.High, margin+high)
	if all && !k.Stopped() {
		a.Moves = nil
		for _, m := range k.Rate(own, other, left) {
			a.Moves = append(a.Moves, Rated{Move: engine.Move{Pit: m.Pit}, Value: float64(margin + m.Value), Exact: true})
		}
	}
	line := k.Line(*p, s.game, low)
	if s.nodes = k.Nodes(); k.Stopped() {
		a.Moves = nil
		return false
	}
	a.Line, a.Depth, a.Stop = line, len(line), Solved
	a.Value, a.Exact = float64(a.Low), true
	if !all {
		a.Moves = []Rated{{Move: line[0], Value: a.Value, Exact: true}}
	}
	return true
}

// wantsEstimate reports whether the caller wants the best estimate within a budget, and
// not a proof.
func (s *Searcher) wantsEstimate() bool { return s.limits.budget() && !s.limits.Prove }

// lookAheadMemory returns the part of the memory for the look-ahead.
func (s *Searcher) lookAheadMemory() int64 {
	if s.wantsEstimate() {
		return s.memory / 4 * 3
	}
	return min(s.memory/8, 16<<20)
}

// fitsKalah reports whether package kalah can represent p. Its boards have no clock, so
// no_progress must be too far away to end the game.
func (s *Searcher) fitsKalah(p *engine.Position) bool {
	low, high := s.provable(p)
	return p.Phase == engine.Play && high-low <= 2*kalah.MaxSeeds*seed && (s.cycles.limit == 0 || s.cycles.limit-p.Clock > kalah.MaxQuiet)
}

// solverSpent reports whether the solver's part of a budget is spent. The solver gets most
// of the budget if a proof is wanted.
func (s *Searcher) solverSpent() bool {
	part := uint64(4)
	if s.limits.Prove {
		part = 7
	}
	return s.limits.Nodes > 0 && s.nodes >= s.limits.Nodes/8*part ||
		s.limits.Time > 0 && s.clock()-s.began >= s.limits.Time/8*time.Duration(part)
}

// beginKalahLookAhead reports whether package kalah looks ahead in p, and prepares it.
func (s *Searcher) beginKalahLookAhead(p *engine.Position) bool {
	if s.kalah == nil || !s.fitsKalah(p) {
		return false
	}
	s.kalah.BeginLookAhead(kalah.LookAhead{
		OwnSeedWorth: s.eval.Own,
		Memory:       s.lookAheadMemory(),
		Endgames:     s.memory / 4,
		Nodes:        s.nodes,
		Limit:        s.limits.Nodes,
		Spent:        func(nodes uint64) bool { s.nodes = nodes; return s.spent() },
	})
	return true
}

// kalahRootMove is rootMove on the boards of package kalah.
func (s *Searcher) kalahRootMove(p *engine.Position, c *child, depth int, alpha int32, nullWindow bool) result {
	k := s.kalah
	own, other := k.Board(p, p.Seat), k.Board(p, 1-p.Seat)
	left, pit := kalah.Seeds(own)+kalah.Seeds(other), int(c.move.Pit)
	margin := s.eval.margin(p, s.team(p), s.me)
	r := result{}
	if nullWindow {
		r.value, r.proven = k.SearchMove(own, other, left, pit, depth, alpha-margin, alpha+1-margin)
	}
	if r.value += margin; !nullWindow || r.value > alpha && !k.Stopped() {
		r.value, r.proven = k.SearchMove(own, other, left, pit, depth, alpha-margin, infinite)
		r.value += margin
	}
	s.plies[1].line = append(s.plies[1].line[:0], k.BestLine()...)
	if s.nodes = k.Nodes(); k.Stopped() {
		s.spent()
	}
	return r
}
