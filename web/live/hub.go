package live

import (
	"encoding/json"
	"sync"

	"mancala/lobby/chat"
	"mancala/lobby/presence"
	"mancala/match/event"
	"mancala/match/machine"
	"mancala/match/room"
	"mancala/web/socket"
)

// hub holds all sockets of this instance that follow one room. The room writes to
// players directly. A fan writes to watchers, so that thousands of them do not
// delay the room.
//
// Locks: the room calls Entry, Note and Gone with its feed locked, and they take mu.
// So no method of the room may be called with mu held.
type hub struct {
	server *Live
	id     string

	mu       sync.Mutex // guards the fields below, up to erased
	roster   *room.Roster
	players  []*sub
	seq      uint64 // number of the last entry that watchers were sent
	told     *told  // the last answer to a watcher's query, valid until the next entry
	gone     bool
	event    *eventHub         // of a tournament's room; set before the first socket comes
	refs     int32             // guarded by Live.hubsMu: sockets here, and those about to attach
	watchers map[*sub]struct{} // nil while there are none, as in most rooms
	comings  uint64            // counts arrivals
	watching int               // number of watchers on all instances
	fan      *socket.Fan       // serves the watchers, see fanOf; nil while there are none
	erased   []erased          // the last lines that were erased while this hub was there

	chat      *chat.Streams
	roll      *presence.Roll // the named watchers
	following *room.Following
	ready     event.Event // fired when following or err is set
	err       error

	asking sync.Mutex // held while the room is queried; taken before mu
	naming sync.Mutex // held while names are read and sent, so that the latest names are sent last; taken before mu
}

// sub is one socket's subscription to a room. The hub's mu guards its fields.
type sub struct {
	session    *session
	hub        *hub
	player     string
	seq        uint64 // for a player: the last entry that was sent
	asked      uint64 // the entry number for which the last query was answered
	came       uint64 // position in the hub's order of arrivals, when it attached or was used to take a seat; 0: not attached yet
	audience   machine.Audience
	glances    bool // only shows the board; has no identity
	brief      bool // in a tournament: reads an [opening]
	superseded bool // a newer tab of the same player has taken over
	ended      bool // permanently detached: a resume still in progress must not attach it again
}

// erased is a line that was erased, for clients that may have missed the frame.
type erased struct {
	stream string
	n      int64
	to     chat.Readers
	frame  socket.Frame
}

// told is the answer to a query. It is made once and sent to all watchers who ask.
type told struct {
	what  string
	seq   uint64 // the entry number that the answer holds for
	frame socket.Frame
}

// newHub returns the hub of a room that it does not follow yet.
func newHub(srv *Live, id string) *hub {
	h := &hub{server: srv, id: id}
	h.chat, h.roll = srv.Chat.NewStreams(h), srv.Presence.NewRoll(h)
	return h
}

// Identity returns the ID of the player who reads. It is empty for a visitor without
// one, and where the socket only shows the board.
func (s *sub) Identity() string {
	if s.glances {
		return ""
	}
	return s.session.Identity()
}

// Child reports whether the player is in kids mode.
func (s *sub) Child() bool { return s.session.Child() }

// tellNames sends the players' names to all sockets. It looks the names up outside
// the room's locks. So the names arrive shortly after the entry that seated a
// player.
func (h *hub) tellNames() {
	h.naming.Lock()
	defer h.naming.Unlock()
	names, deleted, err := h.server.NamesAndDeleted(h.server.Workers.Context(), h.Players())
	if err != nil || len(names) == 0 {
		return
	}
	h.broadcast(message(namesFrame{"names", h.id, names, deleted, h.server.RatingsIn(h.server.Workers.Context(), h.id)}))
}

// broadcast sends a frame to all sockets.
func (h *hub) broadcast(f socket.Frame) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.toPlayers(f)
	h.toWatchers(f)
}

func (h *hub) toWatchers(f socket.Frame) {
	if h.fan != nil {
		h.fan.Send(f)
	}
	if h.event != nil {
		h.event.brief.Send(f)
	}
}

// fanOf returns the fan that serves a watcher. Called with mu held.
func (h *hub) fanOf(s *sub) *socket.Fan {
	if s.brief && h.event != nil {
		return h.event.brief
	}
	return h.fan
}

func (h *hub) toPlayers(f socket.Frame) {
	for _, s := range h.players {
		s.session.send(f)
	}
}

func (h *hub) isGone() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.gone
}

// Room returns the room's ID.
func (h *hub) Room() string { return h.id }

// Spread sends a note of a service to the hubs of this room on other instances.
func (h *hub) Spread(kind string, body json.RawMessage) { h.following.Spread(kind, body) }

// Followed waits until the hub follows its room, and reports whether it does.
func (h *hub) Followed() bool {
	<-h.ready.Done()
	return h.err == nil
}

// Players returns the IDs of the room's players, in the order of their seats.
func (h *hub) Players() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.roster == nil {
		return nil
	}
	return h.roster.Players()
}
