package search

import (
	"slices"
	"time"

	"mancala/engine"
)

// tractable is how many seeds may be left on a board for a search with a budget to
// begin with solving it.
const tractable = 26

// solveKalah answers by solving the position, if the rules are of the family and the
// budget allows it. Half of a budget is left for the search that must then be made.
func (s *Searcher) solveKalah(p *engine.Position, a *Answer, all bool) bool {
	k := s.kalah
	if k == nil || p.Phase != engine.Play || s.limits.Depth < maxPly || s.cycles.limit > 0 && s.cycles.limit-p.Clock <= maxQuiet {
		return false
	}
	low, _ := s.provable(p)
	own, other := k.board(p, p.Seat), k.board(p, 1-p.Seat)
	left := sum(own) + sum(other)
	budget := s.limits.Nodes > 0 || s.limits.Time > 0
	if left > maxKalahSeeds || budget && left > tractable {
		return false
	}
	memory := s.memory
	if budget {
		memory /= 4 // the search that may follow needs the rest
	}
	k.begin(left, memory)
	k.enough = func() bool {
		s.nodes = k.nodes
		return s.halfSpent() || s.spent()
	}
	value, _ := k.value(own, other, left, 0)
	margin := int(low)/seed + left
	if all && !k.stopped {
		a.Moves = k.rate(own, other, left, margin)
	}
	line := k.line(*p, s.game, value)
	if s.nodes = k.nodes; k.stopped {
		a.Moves = nil
		return false
	}
	a.Line, a.Depth, a.Stop = line, len(line), Solved
	a.Low, a.High, a.Value, a.Exact = margin+value, margin+value, float64(margin+value), true
	if !all {
		a.Moves = []Rated{{Move: line[0], Value: a.Value, Exact: true}}
	}
	return true
}

// halfSpent says whether half of a budget is gone.
func (s *Searcher) halfSpent() bool {
	return s.limits.Nodes > 0 && s.nodes >= s.limits.Nodes/2 ||
		s.limits.Time > 0 && time.Since(s.began) >= s.limits.Time/2
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
			rest, _ := k.value(a, b, left-m.gain, 0)
			v += sign * rest
		}
		rated = append(rated, Rated{Move: engine.Move{Pit: m.pit}, Value: float64(margin + v), Exact: true})
	}
	slices.SortStableFunc(rated, func(a, b Rated) int { return int(b.Value - a.Value) })
	return rated
}
