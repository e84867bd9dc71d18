// Package review values the moves of a finished game: what each move lost, which move
// would have been better, and where the game turned.
//
// A review goes backwards from the end with one table for the whole game, so it knows
// the ending when it reaches the moves that lead there. Budgets are in nodes: the
// same game and the same budget give the same review on every machine.
package review

import (
	"context"
	"errors"

	"mancala/engine"
)

// Budget limits a review.
type Budget struct {
	Nodes  uint64 // for each ply that has a choice
	Total  uint64 // for the whole game; a long game leaves less for each ply
	Memory int64  // bytes for the transposition table
}

// MaxPlies is the length of the longest game that can be reviewed.
const MaxPlies = 2000

// ErrTooLong reports that a game has more than MaxPlies plies.
var ErrTooLong = errors.New("review: the game is too long")

// Review is the result for a game.
type Review struct {
	Plies []Ply `json:"plies"`
	// End is the worth of the position after the last ply, for the seat that would
	// move.
	End Worth `json:"end"`
	// Turning is the ply at which the game turned, counted from 1. It is the most
	// expensive of the plies that changed the leader. If there is none, it is the
	// most expensive mistake. 0 means that the game did not turn.
	Turning int `json:"turning"`
}

// Worth is a value in seeds for a seat: the margin by which its side wins if all play
// best. With four sides it is the margin over the best of the others.
type Worth struct {
	Seat  int     `json:"seat"`
	Value float64 `json:"value"`
	Exact bool    `json:"exact"` // the value follows from the rules; otherwise it is an estimate
}

// Ply is a move that was made, and its alternatives. A ply without alternatives has
// no label.
type Ply struct {
	Worth          // of the position before the move, if the best move is played
	Move   string  `json:"move"`
	Played float64 `json:"played"` // the value of this move
	Loss   float64 `json:"loss"`   // seeds that the move lost
	Sure   bool    `json:"sure"`   // the loss is exact
	Label  Label   `json:"label,omitempty"`
	// Best is the best line, starting with the best move. Moves holds the value of
	// every move, best first. For a lay-out it is empty, because there are too many.
	Best  []string `json:"best,omitempty"`
	Moves []Choice `json:"moves,omitempty"`
}

// Choice is a move that the player could have made.
type Choice struct {
	Move  string  `json:"move"`
	Value float64 `json:"value"`
	Exact bool    `json:"exact"`
}

// Label names the size of a loss.
type Label string

const (
	Fine       Label = "fine"       // at most half a seed
	Inaccuracy Label = "inaccuracy" // at most two
	Mistake    Label = "mistake"    // at most five
	Blunder    Label = "blunder"
)

// LabelOf returns the label of a loss in seeds.
func LabelOf(loss float64) Label {
	switch {
	case loss <= 0.5:
		return Fine
	case loss <= 2:
		return Inaccuracy
	case loss <= 5:
		return Mistake
	}
	return Blunder
}

// Of reviews a game. The error is that of ctx, or [ErrTooLong].
func Of(ctx context.Context, game *engine.Replay, b Budget) (*Review, error) {
	r, err := New(game, b)
	for err == nil && r.More() {
		err = r.Step(ctx)
	}
	if err != nil {
		return nil, err
	}
	return r.Review(), nil
}

// Position values every move in a single position. The result is like that of a ply
// in a game, but without a move that was made.
func Position(ctx context.Context, g *engine.Game, p engine.Position, b Budget) (Ply, error) {
	r, err := New(&engine.Replay{Game: g, Start: p}, b)
	if err != nil {
		return Ply{}, err
	}
	ply := r.rate(ctx, p)
	ply.Played = ply.Value
	return ply, ctx.Err()
}

// turning returns the ply at which the game turned.
func turning(plies []Ply) int {
	at, dearest, changed := 0, 0.0, false
	for i, p := range plies {
		changes := ahead(p.Value) != ahead(p.Played)
		switch {
		case p.Label == "" || p.Label == Fine || !changes && p.Label == Inaccuracy:
		case changed && !changes:
		case changes && !changed || p.Loss >= dearest:
			at, dearest, changed = i+1, p.Loss, changes
		}
	}
	return at
}

// ahead returns 1 if the value means a lead, -1 if it means that the other side
// leads, and 0 if it is at most half a seed, which is too little to tell.
func ahead(value float64) int {
	switch {
	case value > 0.5:
		return 1
	case value < -0.5:
		return -1
	}
	return 0
}
