package kalah

import (
	"slices"

	"mancala/engine"
)

// Board returns the pits of a side as a word.
func (k *Solver) Board(p *engine.Position, side engine.Seat) (word uint64) {
	for pit := range k.pits {
		word |= uint64(p.Slots[p.Shape.Slot(int(side), pit)]) << (8 * pit)
	}
	return word
}

// Seeds returns the number of seeds in a word.
func Seeds(word uint64) (n int) {
	for ; word > 0; word >>= 8 {
		n += int(word & 255)
	}
	return n
}

// Line returns the best moves from p to the end of the game; value is the value of p's
// board.
func (k *Solver) Line(p engine.Position, g *engine.Game, value int) (line []engine.Move) {
	for p.Phase == engine.Play && !k.stopped {
		own, other := k.Board(&p, p.Seat), k.Board(&p, 1-p.Seat)
		left := Seeds(own) + Seeds(other)
		var list [maxPits]move
		moves := list[:k.moves(&list, own, other, left, noPit)]
		m := &moves[0]
		for i := range moves {
			if m = &moves[i]; k.afterMove(m, left, value) >= value {
				break
			}
		}
		line = append(line, engine.Move{Pit: m.pit})
		if err := g.Play(&p, nil, line[len(line)-1], nil); err != nil {
			panic(err) // kalah and engine disagree: a defect that a test looks for
		}
		if value -= m.gain; !m.again {
			value = -value
		}
	}
	return line
}

// MoveValue is the value of a board if the mover lifts a pit.
type MoveValue struct {
	Pit   uint8
	Value int
}

// Rate returns the value of every move on a board, best first.
func (k *Solver) Rate(own, other uint64, left int) (rated []MoveValue) {
	var list [maxPits]move
	for _, m := range list[:k.moves(&list, own, other, left, noPit)] {
		v := m.gain
		if !m.over {
			a, b, sign := m.own, m.other, 1
			if !m.again {
				a, b, sign = m.other, m.own, -1
			}
			rest, _ := k.Value(a, b, left-m.gain)
			v += sign * rest
		}
		rated = append(rated, MoveValue{m.pit, v})
	}
	slices.SortStableFunc(rated, func(a, b MoveValue) int { return b.Value - a.Value })
	return rated
}
