package chat

import (
	"context"
	"time"

	"mancala/lobby"
	"mancala/match/room"
)

// Lines keeps the lines. [lobby.Chat] implements it, and says what each method promises.
type Lines interface {
	Say(context.Context, lobby.Line) (lobby.Line, error)
	Last(ctx context.Context, room, stream string, limit int) ([]lobby.Line, error)
	Line(ctx context.Context, room, stream string, n int64) (lobby.Line, error)
	Around(ctx context.Context, room, stream string, n, aside int64) ([]lobby.Line, error)
	Erase(ctx context.Context, room, stream string, n int64) (lobby.Line, error)
}

// Rooms shows rooms and knows the time. [room.Registry] implements it.
type Rooms interface {
	View(ctx context.Context, id, player string) (room.View, error)
	Now() int64 // the database's time, in ms
}

// People knows players and their settings. [lobby.People] implements it.
type People interface {
	Player(ctx context.Context, id string) (lobby.Player, error)
	Prefs(ctx context.Context, id string) (lobby.Prefs, error)
}

// Social knows who blocks whom. social.Graph implements it.
type Social interface {
	Blocked(ctx context.Context, player string) ([]string, error)   // whom a player blocks
	BlockedBy(ctx context.Context, player string) ([]string, error) // who blocks a player
}

// Mutes knows who is muted. moderation.Moderation implements it.
type Mutes interface {
	Muted(player string) time.Time // until when; zero for a player who is not muted
}

// Limit bounds the lines of one player. [lobby.Limiter] implements it.
type Limit interface {
	Wait(player string) time.Duration // until the player may say a line
}
