// Package departure ends a player's part in everything that goes on, so that nobody waits for them. A
// player departs when they delete their data and when an operator closes them.
package departure

import (
	"context"
	"log/slog"

	"mancala/lobby"
)

// Lobby has the seek and the challenges of players.
type Lobby interface {
	// Withdraw withdraws those of a player.
	Withdraw(ctx context.Context, player string) error
}

// Tournaments are the tournaments of players.
type Tournaments interface {
	// Withdraw withdraws a player from them.
	Withdraw(ctx context.Context, player string)
}

// Games are the open games of players.
type Games interface {
	// GiveUp ends a player's part in them.
	GiveUp(ctx context.Context, player string)
}

// Departure is what a player departs from.
type Departure struct {
	Lobby       Lobby
	Tournaments Tournaments
	Games       Games
	Log         *slog.Logger
}

// Depart ends a player's part in everything. Call it before the player is deleted, because the lists of
// their games and tournaments are deleted too. It logs what it cannot end.
func (d *Departure) Depart(ctx context.Context, player string) {
	// First: a challenge that is accepted later would make a further game.
	if err := d.Lobby.Withdraw(ctx, player); err != nil {
		lobby.Warn(d.Log, "departure: seek and challenges not withdrawn", err)
	}
	// Before the games: the end of a game may start the next round of a tournament.
	d.Tournaments.Withdraw(ctx, player)
	d.Games.GiveUp(ctx, player)
}
