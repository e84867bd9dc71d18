// Package review says what the moves of a game were worth: what each of them lost,
// what would have been better, and where the game turned.
//
// A review goes backwards from the end, with one table for the whole game, so that
// what has been found out about an ending is known when the moves that lead there are
// looked at. Budgets are in nodes: the same game and budget give the same review on
// any machine.
package review

import (
	"context"
	"errors"

	"mancala/engine"
)

// Budget is what a review may spend.
type Budget struct {
	Nodes  uint64 // for each ply that has a choice
	Total  uint64 // for the whole game: in a long one there is less for each ply
	Memory int64  // bytes for the table of positions
}

// MaxPlies is how many plies a game may have to be reviewed.
const MaxPlies = 2000

// ErrTooLong says that a game has more plies than that.
var ErrTooLong = errors.New("review: the game is too long")

// Review is what was found out about a game.
type Review struct {
	Plies []Ply `json:"plies"`
	// End is what the position after the last ply is worth to the seat that would move.
	End Worth `json:"end"`
	// Turning is the ply at which the game turned, counted from 1: the dearest of those
	// that changed who is ahead, or else the dearest mistake. 0: it did not turn.
	Turning int `json:"turning"`
}

// Worth is a value in seeds for a seat: how many more its side wins than the other
// (with four sides: than the best of the others), if all go on as well as can be.
type Worth struct {
	Seat  int     `json:"seat"`
	Value float64 `json:"value"`
	Exact bool    `json:"exact"` // it follows from the rules; else it is an estimate
}

// Ply is a move that was made, and what else there was. A ply without a choice has
// no label.
type Ply struct {
	Worth          // before the move, if the best is played
	Move   string  `json:"move"`
	Played float64 `json:"played"` // what this move is worth
	Loss   float64 `json:"loss"`   // seeds that it cost
	Sure   bool    `json:"sure"`   // the loss is exact
	Label  Label   `json:"label,omitempty"`
	// Best is the best line, from the move that should have been made. Moves is what
	// every move is worth, best first; without those of a lay-out, which are endless.
	Best  []string `json:"best,omitempty"`
	Moves []Choice `json:"moves,omitempty"`
}

// Choice is a move that there was.
type Choice struct {
	Move  string  `json:"move"`
	Value float64 `json:"value"`
	Exact bool    `json:"exact"`
}

// Label names what a move cost.
type Label string

const (
	Fine       Label = "fine"       // at most half a seed
	Inaccuracy Label = "inaccuracy" // at most two
	Mistake    Label = "mistake"    // at most five
	Blunder    Label = "blunder"
)

// LabelOf is the label of a loss in seeds.
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

// Of reviews a game. The error is ctx's, or [ErrTooLong].
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

// Position looks at a single position: the worth of every move in it, as of a ply of
// a game, without a move that was made.
func Position(ctx context.Context, g *engine.Game, p engine.Position, b Budget) (Ply, error) {
	r, err := New(&engine.Replay{Game: g, Start: p}, b)
	if err != nil {
		return Ply{}, err
	}
	ply := r.rate(ctx, p)
	ply.Played = ply.Value
	return ply, ctx.Err()
}

// turning is the ply at which the game turned.
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

// ahead is 1 for who wins, -1 for who loses: half a seed is too little to say so.
func ahead(value float64) int {
	switch {
	case value > 0.5:
		return 1
	case value < -0.5:
		return -1
	}
	return 0
}
