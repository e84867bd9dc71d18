package match

import (
	"encoding/json"

	"mancala/engine"
)

// BoardJSON is a board as programs read it: the seeds in each pit and in each store.
type BoardJSON struct {
	Pits   []int          `json:"pits"`
	Stores []int          `json:"stores"`
	Marks  map[int]string `json:"marks,omitempty"` // by pit, as in the text of a position
}

// BoardOf returns the board of a position.
func BoardOf(p engine.Position) BoardJSON {
	n := int(p.Shape.Sides) * int(p.Shape.Pits)
	b := BoardJSON{Pits: make([]int, n), Stores: p.Scores()}
	for i := range b.Pits {
		b.Pits[i] = int(p.Slots[i])
		if marks := p.Marks.Of(i); marks != "" {
			if b.Marks == nil {
				b.Marks = map[int]string{}
			}
			b.Marks[i] = marks
		}
	}
	return b
}

// PlyJSON is a ply as programs read it, with the board after it.
type PlyJSON struct {
	Seat  int             `json:"seat"`
	Move  string          `json:"move"`
	Trace json.RawMessage `json:"trace"`
	BoardJSON
	At    int64   `json:"at"`
	Clock []int64 `json:"clock,omitempty"`
}

// RoundJSON is a round as programs read it.
type RoundJSON struct {
	First BoardJSON `json:"first"`
	Plies []PlyJSON `json:"plies"`
}

// ReplayJSON is a match ply by ply. The top level has its last round, and Rounds has all
// rounds.
type ReplayJSON struct {
	RoundJSON
	Rounds []RoundJSON `json:"rounds"`
}

// JSON returns the match ply by ply. A program can step through it without knowing the
// rules.
func (s *Story) JSON() ReplayJSON {
	all := ReplayJSON{RoundJSON: RoundJSON{First: BoardOf(s.Match.Position()), Plies: []PlyJSON{}}, Rounds: []RoundJSON{}}
	for _, c := range s.Rounds {
		round := RoundJSON{First: BoardOf(c.First), Plies: []PlyJSON{}}
		for _, step := range c.Steps {
			round.Plies = append(round.Plies, PlyJSON{step.Seat, step.Move, step.Trace, BoardOf(step.Position), step.At, step.Clock})
		}
		all.RoundJSON, all.Rounds = round, append(all.Rounds, round)
	}
	return all
}
