package match

import (
	"fmt"

	"mancala/engine"
)

// A ply is packed into one byte, so that the hundred plies of a game take less
// memory than one string for each ply. The low five bits hold the pit and the bits
// above them the way. Plies without a pit are codes from packedPass on. The numbers
// of a lay-out are kept beside the list, since a round has at most one lay-out.
const (
	packedGift   = 3 << 5
	packedPass   = 4 << 5
	packedKeep   = packedPass + 1
	packedSwap   = packedPass + 2
	packedLayOut = packedPass + 3
	packedSow    = 5 << 5 // and the two after it: the move sows the own house on
)

func packMove(m engine.Move) byte {
	switch m.Kind {
	case engine.MoveGift:
		return packedGift | m.Pit
	case engine.MovePass:
		return packedPass
	case engine.MoveKeep:
		return packedKeep
	case engine.MoveSwap:
		return packedSwap
	case engine.MoveLayOut:
		return packedLayOut
	}
	if m.Way&engine.SowHouse != 0 {
		return packedSow + byte(m.Way&^engine.SowHouse)<<5 | m.Pit
	}
	return byte(m.Way)<<5 | m.Pit
}

func unpackMove(c byte, lay string) engine.Move {
	switch c {
	case packedPass:
		return engine.Move{Kind: engine.MovePass}
	case packedKeep:
		return engine.Move{Kind: engine.MoveKeep}
	case packedSwap:
		return engine.Move{Kind: engine.MoveSwap}
	case packedLayOut:
		return engine.Move{Kind: engine.MoveLayOut, Lay: lay}
	}
	if c >= packedSow {
		return engine.Move{Way: engine.Way((c-packedSow)>>5) | engine.SowHouse, Pit: c & 31}
	}
	if c&^31 == packedGift {
		return engine.Move{Kind: engine.MoveGift, Pit: c & 31}
	}
	return engine.Move{Way: engine.Way(c >> 5), Pit: c & 31}
}

// appendMoves appends plies as a JSON array of their texts.
func appendMoves(b []byte, moves []byte, lay string) []byte {
	b = append(b, '[')
	for i, c := range moves {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '"')
		b = append(appendMoveText(b, unpackMove(c, lay)), '"')
	}
	return append(b, ']')
}

// appendMoveText appends the text of a ply. The text needs no escaping.
func appendMoveText(b []byte, m engine.Move) []byte {
	switch {
	case m.Kind != engine.MoveLift || m.Way&engine.SowHouse != 0:
		return append(b, m.String()...)
	case m.Way == engine.NoWay:
		return append(b, 'a'+m.Pit)
	}
	return append(b, 'a'+m.Pit, " ><"[m.Way])
}

// replay plays the first n plies of this round again and calls each after every ply.
// It records the traces in t. Both t and each may be nil.
func (s *state) replay(n int, t *engine.Trace, each func(i int, seat engine.Seat)) (engine.Position, engine.History, error) {
	g := s.rules.game
	pos, hist := g.StartWith(s.firstSeat), engine.History{}
	for i, c := range s.moves[:n] {
		pos.Out = s.outAt(i)
		seat := pos.Seat
		if t != nil {
			t.Reset()
		}
		if err := g.Play(&pos, &hist, unpackMove(c, s.lay), t); err != nil {
			return pos, hist, fmt.Errorf("match: ply %d does not play: %w", i+1, err)
		}
		if each != nil {
			each(i, seat)
		}
	}
	pos.Out = s.outAt(n)
	return pos, hist, nil
}

// outAt returns the set of seats that had left before a ply of this round.
func (s *state) outAt(ply int) uint8 {
	var out uint8
	for _, l := range s.left {
		if int(l.ply) <= ply {
			out |= 1 << l.seat
		}
	}
	return out
}
