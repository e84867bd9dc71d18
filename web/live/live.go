// Package live serves sockets: their sessions, the hubs of rooms and of the lobby,
// and the frames that they send (PROTOCOL.md).
//
// It turns messages into commands, and published entries into frames. It knows
// neither rules nor pages. Package policy decides what a player may do, and package chat
// who reads which line.
//
//	session.go      one socket; receive.go: the messages that it sends
//	subscribe.go    how a socket starts and stops following a room
//	hub.go          one room's sockets; attach.go: how they come and go; hubs.go: all hubs
//	follower.go     what a room tells its hub
//	lobbyhub.go     the lobby's sockets
//	frames.go       how entries become frames
package live

import "mancala/web/site"

// New returns the live part of a server. The services call it when something changes of
// which pages must be told.
func New(s *site.Site) *Live {
	l := &Live{Site: s, hubs: map[string]*hub{}}
	l.lobby = newLobbyHub(l)
	s.LobbyRoom.Listen(l.lobby)
	s.Presence.WhenBlocksChange(func(player string) { l.lobby.reconsider(player) })
	s.Shows.SetFollowers(l)
	s.Chat.SetClients(s.Names, l.beside)
	s.People.WhenRenamed(l.TellRenamed)
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
