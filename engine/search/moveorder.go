package search

import "mancala/engine"

// noBit stands for no move.
const noBit uint8 = 255

// child is a move in the order in which the search tries moves.
type child struct {
	move  engine.Move
	bit   uint8 // place among the legal moves
	board uint8 // index of the position after it
	quiet bool  // it wins no seed, and another seat moves next
	exact bool  // at the root: value is proven
	value int32 // how good it looks; at the root, the last result
}

// expand lists the moves of p, the most promising first: those that win more seeds at
// once, or bring more of them to the mover's side if captured seeds stay on the board, and
// those that give another ply. It leaves out one move that has been tried.
func (s *Searcher) expand(p *engine.Position, here *ply, without uint8) []child {
	legal := s.game.Legal(p)
	list := here.children[:0]
	side := s.game.Side(p.Seat)
	had := s.eval.owned(p, side)
	here.boards = here.boards[:0]
	for i := range legal.Len() {
		if uint8(i) == without {
			continue
		}
		c := child{move: legal.At(i), bit: uint8(i), board: uint8(len(list))}
		here.boards = append(here.boards, *p)
		q := &here.boards[c.board]
		s.mustPlay(s.game.Play(q, nil, c.move, nil))
		c.value = 4 * (s.eval.owned(q, side) - had)
		if s.team(q) == s.team(p) {
			c.value += 6
		}
		c.quiet = q.Clock > 0 && q.Seat != p.Seat
		j := len(list)
		for list = append(list, c); j > 0 && list[j-1].value < c.value; j-- {
			list[j] = list[j-1]
		}
		list[j] = c
	}
	here.children = list
	return list
}
