// Package site holds what pages, the API and live play share: identity, language,
// client address, rate limits, refusals, and the domain services that all
// three need.
//
// It knows no page, no operation of the API and no frame.
//
//	config.go, site.go         what a server is made of
//	identity.go, bearer.go     who sends a request, and what their token allows
//	limits.go, signinlimits.go how often they may; signin.go: who must sign in again
//	language.go, names.go      the words and names that they read; settings.go: their settings
//	figures.go, link.go        results in figures; addresses of games for friends
//	fail.go, answer.go         how an error, and a value, becomes an answer
//	textcheck.go               which text is refused
//	newgame.go, lobbyorder.go  what they ask for: games, seeks (challenges.go, follows.go, report.go)
//	houserules.go, rulesets.go the rules of games; kept rule sets from which games were made
//	push.go                    what players are told while they are away
//	pastgames.go, analysis.go  what they look at: games, analyses (leaderboard.go, standings.go)
//	metrics.go                 what operators see
package site

import (
	"sync"

	"mancala/lobby"
	"mancala/lobby/chat"
	"mancala/lobby/departure"
	"mancala/lobby/effects"
	"mancala/lobby/gamelist"
	"mancala/lobby/hosting"
	"mancala/lobby/moderation"
	"mancala/lobby/newgame"
	"mancala/lobby/policy"
	"mancala/lobby/presence"
	"mancala/lobby/seeks"
	"mancala/lobby/showcase"
	"mancala/lobby/social"
	"mancala/lobby/workers"
	"mancala/web/messages"
	"mancala/web/static"
)

// Site is what the parts of one server share. Its methods are safe from any
// goroutine.
type Site struct {
	Config
	Services
	*lobby.Lobby
	*Limiters
	Languages *messages.Languages
	Assets    *static.Assets
	Metrics   *Metrics

	distrust sync.Once // logs once that an untrusted proxy was seen
}

// Services decide about players, games and instances. They know neither requests nor
// frames. Package web makes them.
type Services struct {
	Workers   *workers.Workers // runs everything that outlives a request
	LobbyRoom *seeks.Client    // follows the lobby's room
	Leases    *seeks.Leases
	Policy    *policy.Policy
	Chat      *chat.Chat // lobby.Lobby.Lines stores the lines
	Presence  *presence.Presence
	Shows     *showcase.Cache
	Gamelist  *gamelist.List
	Effects   *effects.Effects
	Relations *social.Relations
	NewGames  *newgame.Maker
	Departure *departure.Departure
	Operators *moderation.Operators
	Hosting   *hosting.Hosting
}

// New returns a Site. An error reports a defect in the texts or assets that are part of
// the binary.
func New(c Config, l *Limiters, s Services, metrics *Metrics) (*Site, error) {
	languages, err := messages.LoadLanguages()
	if err != nil {
		return nil, err
	}
	assets, err := static.LoadAssets()
	if err != nil {
		return nil, err
	}
	return &Site{Config: c, Services: s, Lobby: c.Lobby, Limiters: l, Languages: languages, Assets: assets, Metrics: metrics}, nil
}
