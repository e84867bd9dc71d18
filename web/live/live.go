// Package live serves sockets: their sessions, the hubs of rooms and of the lobby,
// and the frames that they send (PROTOCOL.md).
//
// It turns messages into commands, and published entries into frames. It knows
// neither rules nor pages. Package policy decides what a player may do, and package chat
// who reads which line.
//
//	accept.go       a request becomes a socket
//	session.go      one socket; receive.go: the messages that it sends (package request reads them)
//	subscribe.go    how a socket starts and stops following a room
//	notes.go        what a client shows the others without an entry; query.go: what it asks
//	hub.go          one room's sockets; attach.go: how they come and go; hubs.go: all hubs
//	follower.go     what a room tells its hub
//	tabs.go         a player with several tabs plays in one of them
//	watchers.go     how many watch, and who
//	chat.go         lines of chat; moderated.go: what operators do about them
//	event.go        what the hub of a tournament does instead; tables.go: its standings
//	lobbyhub.go     the lobby's sockets; lobbysession.go: what they ask; seekviews.go: the seeks that each sees
//	challenges.go   open challenges
//	presence.go     which players are here; playerchanges.go, blockchanges.go: what changed about them
//	ended.go        sessions that have ended
//	frames.go       how entries become frames; lobbyframes.go: those of the lobby
package live

import (
	"sync"

	"mancala/web/site"
)

// Live serves the sockets of one instance.
type Live struct {
	*site.Site
	lobby *lobbyHub

	hubsMu sync.Mutex // taken alone, or after a room's feed
	hubs   map[string]*hub
}

// New returns the live part of a server. The services call it when something changes of
// which pages must be told.
func New(s *site.Site) *Live {
	l := &Live{Site: s, hubs: map[string]*hub{}}
	l.lobby = newLobbyHub(l)
	s.LobbyRoom.Listen(l.lobby)
	s.Presence.WhenBlocksChange(l.lobby.reconsider)
	s.Shows.SetFollowers(l)
	s.Chat.SetClients(s.Names, l.beside)
	s.People.WhenRenamed(func(player string) { l.tellRenamed(player, true) })
	s.Accounts.WhenEnded(l.CloseEnded)
	s.Moderation.WhenDone(l.Moderated)
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
