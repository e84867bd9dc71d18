package search

import (
	"math/bits"
	"slices"
	"time"

	"mancala/engine"
)

// tractable is how many seeds may be left on a board for a search with a budget to
// begin with solving it: nine boards in ten are then solved with half of the budget.
func (l Limits) tractable() int {
	nodes := uint64(l.Time.Microseconds()) * solvedInMicrosecond
	if l.Nodes > 0 && (nodes == 0 || l.Nodes < nodes) {
		nodes = l.Nodes
	}
	return 2*bits.Len64(nodes) - 13 // twice as many nodes for every two seeds
}

// solvedInMicrosecond is how many nodes the solver looks at in that time, at least.
const solvedInMicrosecond = 3

// solveKalah answers by solving the position, if the rules are of the family and the
// budget allows it. If it runs out, what has been proven is kept, and a part of the
// budget is left for looking ahead.
func (s *Searcher) solveKalah(p *engine.Position, a *Answer, all bool) bool {
	k := s.kalah
	if k == nil || !s.boards(p) || s.limits.Depth < maxPly {
		return false
	}
	own, other := k.board(p, p.Seat), k.board(p, 1-p.Seat)
	left := sum(own) + sum(other)
	if s.guesses() && left > s.limits.tractable() {
		return false
	}
	k.begin(left, s.memory-s.aheadMemory())
	k.enough = func() bool {
		s.nodes = k.nodes
		return s.solverSpent() || s.spent()
	}
	margin := int(s.eval.margin(p, s.team(p), s.me)) / seed
	low, high := k.value(own, other, left)
	a.Low, a.High = max(a.Low, margin+low), min(a.High, margin+high)
	if all && !k.stopped {
		a.Moves = k.rate(own, other, left, margin)
	}
	line := k.line(*p, s.game, low)
	if s.nodes = k.nodes; k.stopped {
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

// guesses says whether the best guess within a budget is asked for, not a proof.
func (s *Searcher) guesses() bool { return s.limits.budget() && !s.limits.Prove }

// aheadMemory is the part of the memory for looking ahead.
func (s *Searcher) aheadMemory() int64 {
	if s.guesses() {
		return s.memory / 4 * 3
	}
	return min(s.memory/8, 16<<20)
}

// boards says whether p can be searched as a board of kalah's.
func (s *Searcher) boards(p *engine.Position) bool {
	low, high := s.provable(p)
	return p.Phase == engine.Play && high-low <= 2*maxKalahSeeds*seed && (s.cycles.limit == 0 || s.cycles.limit-p.Clock > maxQuiet)
}

// solverSpent says whether the solver's part of a budget is gone: most of it if a proof
// is wanted.
func (s *Searcher) solverSpent() bool {
	part := uint64(4)
	if s.limits.Prove {
		part = 7
	}
	return s.limits.Nodes > 0 && s.nodes >= s.limits.Nodes/8*part ||
		s.limits.Time > 0 && s.clock()-s.began >= s.limits.Time/8*time.Duration(part)
}

// board is a side's pits as a word.
func (k *kalah) board(p *engine.Position, side engine.Seat) (word uint64) {
	for pit := range k.pits {
		word |= uint64(p.Slots[p.Shape.Slot(int(side), pit)]) << (8 * pit)
	}
	return word
}

// line plays the best moves to the end.
func (k *kalah) line(p engine.Position, g *engine.Game, value int) (line []engine.Move) {
	for p.Phase == engine.Play && !k.stopped {
		own, other := k.board(&p, p.Seat), k.board(&p, 1-p.Seat)
		left := sum(own) + sum(other)
		var list [maxKalahPits]kalahMove
		moves := list[:k.moves(&list, own, other, left, noPit)]
		m := &moves[0]
		for i := range moves {
			if m = &moves[i]; k.after(m, left, value) >= value {
				break
			}
		}
		line = append(line, engine.Move{Pit: m.pit})
		if err := g.Play(&p, nil, line[len(line)-1], nil); err != nil {
			panic(err) // kalah and engine disagree: a bug that a test looks for
		}
		if value -= m.gain; !m.again {
			value = -value
		}
	}
	return line
}

func sum(word uint64) (n int) {
	for ; word > 0; word >>= 8 {
		n += int(word & 255)
	}
	return n
}

// rate finds out what every move of a position is worth, best first; margin is that
// of the stores.
func (k *kalah) rate(own, other uint64, left, margin int) (rated []Rated) {
	var list [maxKalahPits]kalahMove
	for _, m := range list[:k.moves(&list, own, other, left, noPit)] {
		v := m.gain
		if !m.over {
			a, b, sign := m.own, m.other, 1
			if !m.again {
				a, b, sign = m.other, m.own, -1
			}
			rest, _ := k.value(a, b, left-m.gain)
			v += sign * rest
		}
		rated = append(rated, Rated{Move: engine.Move{Pit: m.pit}, Value: float64(margin + v), Exact: true})
	}
	slices.SortStableFunc(rated, func(a, b Rated) int { return int(b.Value - a.Value) })
	return rated
}
