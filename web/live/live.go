// Package live serves sockets: their sessions, the hubs of rooms and of the lobby,
// and the frames that they send (PROTOCOL.md).
//
// It turns messages into commands, and published entries into frames. It knows
// neither rules nor pages. Package policy decides what a player may do.
//
//	session.go      one socket: the messages it sends
//	subscribe.go    how a socket starts and stops following a room
//	hub.go          one room's sockets; hubs.go: all hubs
//	lobbyhub.go     the lobby's sockets
//	frames.go       how entries become frames
package live

import (
	"mancala/lobby/chat"
	"mancala/lobby/effects"
	"mancala/lobby/gamelist"
	"mancala/lobby/policy"
	"mancala/lobby/presence"
	"mancala/lobby/showcase"
	"mancala/web/site"
)

// New returns the live part of a server. It also makes the lobby's services that
// depend on which rooms the sockets follow.
func New(s *site.Site) *Live {
	l := &Live{Site: s, hubs: map[string]*hub{}}
	l.lobby = newLobbyHub(l)
	s.LobbyRoom.Listen(l.lobby)
	s.Policy = &policy.Policy{
		Rooms: s.Rooms, People: s.People, Games: s.Games, Social: s.Social, Ratings: s.Ratings, Desk: s.Desk,
		Waiting: s.LobbyRoom, Orders: s.Limit(site.LimitSeeks),
	}
	s.Chat = chat.New(chat.Config{
		Lines: s.Lobby.Chat, Rooms: s.Rooms, People: s.People, Social: s.Social, Desk: s.Desk, Limit: s.Limit(site.LimitChat),
		Names: s.Names, Beside: l.beside, Said: s.Metrics.Said, Workers: s.Workers, Log: s.Log,
	})
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
	s.Effects = &effects.Effects{Rooms: s.Rooms, Chat: s.Chat, Ratings: s.Ratings, Bots: s.Bots, Expiry: s.Expiry, Opened: s.Gamelist.Changed}
	s.Live = l
	s.Accounts.WhenEnded(l.CloseEnded)
	s.Desk.WhenDone(l.Moderated)
	return l
}

// Stats returns the number of rooms that this instance follows, and the number of
// sockets in the lobby.
func (l *Live) Stats() (hubs, visitors int) {
	l.hubsMu.Lock()
	hubs = len(l.hubs)
	l.hubsMu.Unlock()
	l.lobby.mu.Lock()
	defer l.lobby.mu.Unlock()
	return hubs, len(l.lobby.visitors)
}

var _ site.Live = (*Live)(nil)
