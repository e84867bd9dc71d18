// Package chat decides who may say what beside a game, and who may read which lines.
//
// Beside each game there are two streams of lines, one for the players and one for the
// watchers. [lobby.Chat] stores the lines. This package knows neither HTTP nor frames.
//
// A refusal is a [refusal.Error] that gives away nothing about other players.
package chat

import (
	"context"
	"time"

	"mancala/lobby"
	"mancala/match/room"
)

// Chat is the service on one instance. Its methods are safe from any goroutine.
type Chat struct{ Config }

// Config is what the service needs.
type Config struct {
	Rooms  Rooms
	People People
	Desk   Desk
}

// Rooms shows rooms. [room.Registry] implements it.
type Rooms interface {
	View(ctx context.Context, id, player string) (room.View, error)
}

// People knows players and their settings. [lobby.People] implements it.
type People interface {
	Player(ctx context.Context, id string) (lobby.Player, error)
	Prefs(ctx context.Context, id string) (lobby.Prefs, error)
}

// Desk knows who is muted. moderation.Desk implements it.
type Desk interface {
	Muted(player string) time.Time // until when; zero for a player who is not muted
}

// New returns the service.
func New(c Config) *Chat { return &Chat{c} }
