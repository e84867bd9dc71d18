// Package policy decides which players may be paired, challenge each other, take a seat,
// play rated games, and ask the engine. Rooms cannot decide this, since they know no accounts, blocks,
// ratings or settings. Package chat decides who may chat.
//
// It only decides: callers act on the answer. A refusal is a [refusal.Error] that discloses
// nothing about other players.
package policy

import (
	"context"

	"mancala/lobby"
	"mancala/lobby/moderation"
	"mancala/lobby/rating"
	"mancala/lobby/seeks"
	"mancala/lobby/social"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
)

// Refusals that have no package of their own.
var (
	ErrNoStrangers  = refusal.New("no-strangers")  // a child meets no strangers
	errNoChallenges = refusal.New("no-challenges") // the reason is not disclosed
	errSeatKept     = refusal.New("seat-kept")     // it does not disclose who has blocked whom
	errNeedsAccount = refusal.New("needs-account")
)

// Policy answers by what is known of players and games. Its methods are safe from any
// goroutine.
type Policy struct {
	Rooms      Rooms
	People     *lobby.People
	Games      *lobby.Games
	Social     *social.Graph
	Ratings    *rating.Ratings
	Moderation *moderation.Moderation
	Waiting    Waiting
	Orders     *lobby.Limiter // orders to the lobby by one player
}

// Rooms are the games.
type Rooms interface {
	Wake(ctx context.Context, id string) error
	View(ctx context.Context, id, player string) (room.View, error)
	Do(ctx context.Context, id string, c machine.Command) (room.Answer, error)
}

// Waiting shows who waits in the lobby.
type Waiting interface {
	// State calls look with the lobby's state, which look must not keep.
	State(ctx context.Context, look func(*seeks.State)) error
}

// AboutOther replaces [lobby.CodeNoPlayer] in an error about another player. A client would
// read that code as "your own player is unknown".
func AboutOther(err error) error {
	if refusal.Is(err, lobby.CodeNoPlayer) {
		return social.ErrNobody
	}
	return err
}
