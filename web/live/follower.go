package live

import (
	"errors"

	"mancala/lobby"
	"mancala/lobby/chat"
	"mancala/lobby/presence"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/room"
	"mancala/web/socket"
)

// Entry implements [room.Follower].
func (h *hub) Entry(p *room.Published) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if p.ForWatchers() {
		h.seq, h.told = p.Seq, nil
	}
	if h.event != nil {
		h.event.entry(p)
		return
	}
	news := p.Roster != nil && p.Roster != h.roster
	if news {
		h.server.Gamelist.Changed(h.id)
		h.reseat(p.Roster)
	}
	if p.NewState || p.Entry.Kind == match.KindSettings { // the list has the game's name, and that of its rule set
		// Before any client gets the entry, so that a request that follows it, and
		// flushes the lists, finds them complete.
		h.server.Gamelist.Changed(h.id)
	}
	if h.roster != nil && p.ForPlayers() {
		h.server.Gamelist.Moved(h.roster.Players())
	}
	buffer := heads.Get().(*[]byte)
	defer heads.Put(buffer)
	var head []byte
	var shared machine.Audience
	for _, s := range h.players {
		if p.Seq <= s.seq || !p.ForPlayers() {
			continue
		}
		// Build the head once for consecutive players with the same view.
		if view := p.View(s.audience); head == nil || shared != view {
			head, shared = appendHead((*buffer)[:0], h.id, p, view), view
			*buffer = head
		}
		s.seq = p.Seq
		s.tell(head, p, p.Private(s.audience))
	}
	if p.ForWatchers() && (len(h.watchers) > 0 || !p.ForPlayers()) {
		if head == nil || shared != machine.Watchers {
			head = appendHead((*buffer)[:0], h.id, p, machine.Watchers)
			*buffer = head
		}
		h.toWatchers(socket.Text(head, closing))
	}
	if h.roster != nil && (news || p.NewState) {
		h.server.Presence.Changed(h.roster.Players()...)
	}
}

// tell sends an entry to one reader: the shared head, the reader's own part, and the
// private part of the reader's seat.
func (s *sub) tell(head []byte, p *room.Published, private []byte) {
	var buffer ownBuffer
	own := appendOwn(buffer[:0], p, s.player)
	if private == nil {
		_ = s.session.socket.SendText(head, own, closing)
	} else {
		_ = s.session.socket.SendText(head, append(own, `,"you":`...), private, closing)
	}
}

// Gone implements [room.Follower]: this copy of the room has ended. The clients
// subscribe again, which finds the new owner.
func (h *hub) Gone(why error) {
	h.server.dropHub(h)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.gone = true
	if now := h.server.Rooms.Stats(); now.Abandoned || errors.Is(why, room.ErrFenced) && (!now.Healthy || now.Failing) {
		h.sendElsewhere()
		return
	}
	f := message(goneFrame{"gone", h.id, lobby.CodeOf(why)})
	h.toPlayers(f)
	h.toWatchers(f)
	h.players, h.watchers = nil, nil
}

// sendElsewhere closes the sockets of a room that another instance owns while this one
// cannot follow it. The clients reconnect, and a load balancer sends them to an instance
// that is ready.
func (h *hub) sendElsewhere() {
	for _, s := range h.players {
		h.server.Sockets.SendElsewhere(s.session.socket)
	}
	for s := range h.watchers {
		h.server.Sockets.SendElsewhere(s.session.socket)
	}
	h.players, h.watchers = nil, nil
}

// Note implements [room.Follower].
func (h *hub) Note(n room.Note) {
	h.mu.Lock()
	event := h.event
	h.mu.Unlock()
	if event != nil {
		event.note(n)
		return
	}
	if n.Hubs {
		switch n.Kind {
		case chat.NoteKind:
			h.chat.Hear(n.Body)
		case presence.NoteRoll:
			h.roll.Hear(n.Body)
		}
		return
	}
	f, ok := NoteFrame(h.id, n, h.audienceOf(n.By))
	if n.Kind == room.NoteWatching {
		h.counted(n)
	}
	switch {
	case ok && n.Players:
		h.mu.Lock()
		defer h.mu.Unlock()
		h.toPlayers(f)
	case ok:
		h.broadcast(f)
	}
}

func (h *hub) audienceOf(player string) machine.Audience {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.roster == nil || player == "" {
		return machine.Watchers
	}
	return h.roster.Audience(player)
}
