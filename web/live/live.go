// Package live is what sockets see: sessions, the hubs of rooms and of the lobby, and
// the frames that they send (PROTOCOL.md).
//
// It turns messages into commands and what rooms publish into frames. It knows neither
// rules nor pages; what a player may do is decided by package policy.
//
//	session.go      one socket: what it says
//	subscribe.go    how a socket begins and ends to follow a room
//	hub.go          one room's sockets; hubs.go: all of them
//	lobbyhub.go     the lobby's sockets
//	frames.go       how entries become frames
package live

import (
	"sync"

	"mancala/lobby/effects"
	"mancala/lobby/gamelist"
	"mancala/lobby/policy"
	"mancala/lobby/presence"
	"mancala/lobby/showcase"
	"mancala/web/site"
)

// Live serves the sockets of one instance.
type Live struct {
	*site.Site
	lobby *lobbyHub

	hubsMu sync.Mutex // taken by itself, or after a room's feed
	hubs   map[string]*hub
}

// New makes it, with the services of the lobby that go by what sockets follow.
func New(s *site.Site) *Live {
	l := &Live{Site: s, hubs: map[string]*hub{}}
	l.lobby = newLobbyHub(l)
	s.LobbyRoom.Listen(l.lobby)
	s.Policy = &policy.Policy{
		Rooms: s.Rooms, People: s.People, Games: s.Games, Social: s.Social, Ratings: s.Ratings, Desk: s.Desk,
		Waiting: l.lobby, Orders: s.SeekLimit,
	}
	pages := gamelist.NewPages(s.Workers)
	s.Presence = presence.New(presence.Config{
		Rooms: s.Rooms, People: s.People, Social: s.Social, Lobby: s.LobbyRoom, Workers: s.Workers, Log: s.Log,
	}, pages, func(player string) { l.lobby.reconsider(player) })
	s.Shows = showcase.NewCache(showcase.CacheConfig{
		Index: s.Showcase, Rooms: s.Rooms, Ratings: s.Ratings, Workers: s.Workers, Log: s.Log, Followers: l,
	})
	s.Gamelist = gamelist.New(gamelist.Config{
		Rooms: s.Rooms, Games: s.Games, Showcase: s.Shows, Presence: s.Presence, Pages: pages, Workers: s.Workers, Log: s.Log,
	})
	s.Effects = &effects.Effects{Rooms: s.Rooms, Policy: s.Policy, Ratings: s.Ratings, Bots: s.Bots, Expiry: s.Limits.Expiry}
	s.Live = l
	s.Accounts.WhenEnded(l.CloseEnded)
	s.Desk.WhenDone(l.Moderated)
	return l
}

// Stats returns how many rooms are followed here, and how many visitors are in the
// lobby.
func (l *Live) Stats() (hubs, visitors int) {
	l.hubsMu.Lock()
	hubs = len(l.hubs)
	l.hubsMu.Unlock()
	l.lobby.mu.Lock()
	defer l.lobby.mu.Unlock()
	return hubs, len(l.lobby.visitors)
}

var _ site.Live = (*Live)(nil)
