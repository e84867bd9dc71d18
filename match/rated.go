package match

import (
	"encoding/json"
	"slices"

	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/wire"
)

// A rated game counts for the ratings of its players. It is a game of two with a
// clock, by the rules of its system without house rules, assists or takebacks. It
// needs the clock because without one a player can avoid losing. Games of four and
// of partners are never rated: the result does not show which of the players played
// well.
//
// A game is rated when it is over, unless it was aborted or one of the sides has not
// made a single ply. Resigning, running out of time and staying away lose the game.
// A draw that is agreed or claimed is a draw. A match of rounds counts as one game.
// The lobby checks that both players have accounts.

// TaskRate is the kind and ID of the task that rates a game. Its body is a [Rated].
// The answer is {"ratings": [RatingChange of each seat]}, or nothing if the game
// turned out not to count.
const TaskRate = "rate"

// Rated is a finished game whose rating is due.
type Rated struct {
	System string    `json:"system"`
	Speed  string    `json:"speed"`
	Seats  [2]string `json:"seats"`
	Score  float64   `json:"score"` // of seat 0: 1, 0.5 or 0
}

// RatingChange is how a game changed a rating, in whole points.
type RatingChange struct {
	Before      int  `json:"before"`
	After       int  `json:"after"`
	Provisional bool `json:"provisional,omitempty"` // after the game
}

// rateable reports whether a game with these settings can be rated.
func (s *state) rateable() bool {
	return s.rules.game.Seats() == 2 && s.rules.options == "" && s.control.kind != noClock && !slices.ContainsFunc(s.sitters, isBot) && !anySeatmate(s.sitters)
}

// counts reports whether the game, as it ended, is rated.
func (s *state) counts() bool {
	return s.rated && s.stage == over && s.rateable() && len(s.seats) == 2 && s.allMoved() && len(s.result.Winners) > 0 &&
		s.result.Reason != byAbort && s.result.Reason != byExpiry
}

// ratedGame returns the body of the task.
func (s *state) ratedGame() Rated {
	r := Rated{System: s.rules.system, Speed: s.control.speed(), Seats: [2]string(s.seats)}
	switch won := s.result.Winners; {
	case len(won) > 1:
		r.Score = 0.5
	case slices.Contains(won, 0):
		r.Score = 1
	}
	return r
}

// closeRating closes the task.
func (d *decision) closeRating(o order) error {
	if !d.counts() || d.counted {
		return machine.ErrNothing
	}
	if n := len(o.ratings); n != 0 && n != len(d.seats) {
		return refusal.New(CodeBadCommand)
	}
	d.kind, d.seat = kindRate, -1
	d.counted, d.ratings = true, o.ratings
	return nil
}

func readRatings(raw []byte) (list []RatingChange, err error) {
	err = json.Unmarshal(raw, &list)
	if len(list) > maxSeats {
		err = wire.ErrSyntax
	}
	return list, err
}

func appendRatings(b []byte, list []RatingChange) []byte {
	if len(list) == 0 {
		return append(b, null...)
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err) // numbers always encode
	}
	return append(b, text...)
}
