// Package site is what pages, the API and live play share: who asks, in which
// language, from where, how often they may, how an error is answered, and the
// services of the lobby that all three need.
//
// It knows no page, no operation of the API and no frame.
package site

import (
	"context"
	"log/slog"
	"net/http"
	"sync"

	"mancala/lobby"
	"mancala/lobby/effects"
	"mancala/lobby/gamelist"
	"mancala/lobby/policy"
	"mancala/lobby/presence"
	"mancala/lobby/seeks"
	"mancala/lobby/showcase"
	"mancala/lobby/workers"
	"mancala/web/messages"
	"mancala/web/static"
)

// Site is one server's share of that. Its methods are safe from any goroutine.
type Site struct {
	Config
	*lobby.Lobby
	limiters
	Languages *messages.Languages
	Assets    *static.Assets
	Metrics   *Metrics
	Workers   *workers.Workers // for everything that outlives a request

	LobbyRoom *seeks.Client // follows the lobby's room
	Leases    *seeks.Leases
	Policy    *policy.Policy
	Presence  *presence.Presence
	Shows     *showcase.Cache
	Gamelist  *gamelist.List
	Effects   *effects.Effects

	Live     Live
	FailPage func(http.ResponseWriter, *http.Request, error) // answers with the page that fits an error

	distrust sync.Once // a proxy that nobody has named is told of once
}

// Live is what the sockets of this instance do after a request has changed something.
type Live interface {
	Reconsider(players ...string)                              // show these players once more which seeks they may see
	TellApart(ctx context.Context, player, other string) error // the lobby: these two must not meet
	TellRenamed(player string)                                 // tell a player's games what the player is called now
	RenewSockets(session string)                               // make a session's sockets come back with a new cookie
}

// New makes the share of a server. Whoever wires it fills in Live and FailPage, and the
// services that need the sockets.
func New(c Config, metrics *Metrics) (*Site, error) {
	if c.Log == nil {
		c.Log = slog.Default()
	}
	languages, err := messages.LoadLanguages()
	if err != nil {
		return nil, err
	}
	assets, err := static.LoadAssets()
	if err != nil {
		return nil, err
	}
	w := workers.New()
	client := seeks.NewClient(c.Rooms)
	return &Site{
		Config: c, Lobby: c.Lobby, limiters: newLimiters(c.Limits), Languages: languages, Assets: assets, Metrics: metrics,
		Workers: w, LobbyRoom: client, Leases: client.NewLeases(),
	}, nil
}
