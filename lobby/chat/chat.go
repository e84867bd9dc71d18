// Package chat decides who may say what beside a game and who may read which lines, and
// carries lines to their readers on every instance.
//
// Beside each game there are two streams of lines, one for the players and one for the
// watchers. [lobby.Chat] stores the lines. This package knows neither HTTP nor frames:
// the clients that follow a room are its [Clients].
//
//	say.go        who may say what
//	read.go       who may read which stream
//	deliver.go    how a line reaches its readers
//	recent.go     what a new reader is shown; quiet.go: which streams are empty
//	operators.go  lines that are reported and erased
//	needs.go      what this package needs of others
//
// A refusal is a [refusal.Error] that gives away nothing about other players.
package chat

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"

	"mancala/lobby"
	"mancala/lobby/workers"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/room"
)

// Chat is the service on one instance. Its methods are safe from any goroutine.
type Chat struct {
	Config

	names  Names
	beside Beside
}

// Names returns a name for each of these players, by player. All names are different.
type Names func(ctx context.Context, players []string) (map[string]string, error)

// Beside returns the streams of a room that clients of this instance follow, or nil.
type Beside func(room string) *Streams

// Config is what the service needs.
type Config struct {
	Lines  Lines
	Rooms  Rooms
	People People
	Social Social
	Mutes  Mutes
	Limit  Limit
	Said   func() // counts a line

	Workers *workers.Workers
	Log     *slog.Logger
}

// New returns the service. The caller must call [Chat.SetClients] before the first line.
func New(c Config) *Chat { return &Chat{Config: c} }

// SetClients sets what the service needs of the clients on this instance.
func (c *Chat) SetClients(names Names, beside Beside) { c.names, c.beside = names, beside }

// Streams are the chat beside one room, for the clients of this instance that follow
// the room. Its methods are safe from any goroutine.
type Streams struct {
	chat    *Chat
	clients Clients

	reading sync.Mutex // held while lines are read
	quiet   quiet
}

// Clients are the clients of this instance that follow a room.
type Clients interface {
	Room() string
	Players() []string // in the order of their seats
	ShowLine(Line, Readers)
	ShowErased(stream string, n int64, to Readers)
	Spread(kind string, body json.RawMessage) // tells the clients on other instances, by [Streams.Hear]; may be lost
}

// Reader is a client that reads lines.
type Reader interface {
	Identity() string // the player's ID; empty for a visitor without one
	Child() bool      // the player is in kids mode
}

// Readers selects the clients that are shown a line.
type Readers struct {
	Stream string
	deaf   []string // players who blocked the author
	words  bool     // free text: children read ready phrases only (UX.md §8)
}

// Include reports whether a reader of the stream is one of them.
func (to Readers) Include(r Reader) bool {
	return !slices.Contains(to.deaf, r.Identity()) && !(to.words && r.Child())
}

// Line is a line of chat as its readers see it.
type Line struct {
	Room   string           `json:"room"`
	N      int64            `json:"n"` // from 1, within its stream
	By     string           `json:"by"`
	Name   string           `json:"name"`
	Seat   machine.Audience `json:"seat"`
	At     int64            `json:"at"` // Unix time in ms
	Preset string           `json:"preset,omitempty"`
	Text   string           `json:"text,omitempty"`
}

func shownLine(l lobby.Line, name string) Line {
	return Line{
		Room: l.Room, N: l.N, By: l.Player, Name: name, Seat: machine.Audience(l.Seat),
		At: l.At.UnixMilli(), Preset: l.Preset, Text: l.Text,
	}
}

// NewStreams returns the chat beside the room of these clients.
func (c *Chat) NewStreams(clients Clients) *Streams { return &Streams{chat: c, clients: clients} }

// view returns a game as this player sees it, or zero values while it cannot be read.
func (s *Streams) view(ctx context.Context, player string) (room.View, match.Facts) {
	view, err := s.chat.Rooms.View(ctx, s.clients.Room(), player)
	var game match.Facts
	if err == nil {
		game, err = match.ReadFacts(view.Snapshot)
	}
	if err != nil {
		s.chat.Log.Debug("chat: game not seen", "room", s.clients.Room(), "err", err)
		return room.View{}, match.Facts{}
	}
	return view, game
}

func (s *Streams) warn(what string, err error) {
	if err != nil {
		lobby.Warn(s.chat.Log, what, err, "room", s.clients.Room())
	}
}

// start calls f on another goroutine, with a context that is not a request's.
func (c *Chat) start(f func(context.Context)) {
	c.Workers.Start(func() {
		ctx, cancel := context.WithTimeout(c.Workers.Context(), workers.Timeout)
		defer cancel()
		f(ctx)
	})
}
