package live

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"mancala/lobby"
	"mancala/match"
	"mancala/match/event"
	"mancala/match/machine"
	"mancala/match/room"
	"mancala/web/socket"
)

// hub is all sockets of this instance that follow one room. Players are written
// to by the room itself, at once; spectators by a fan, so that thousands of them
// slow nobody down.
//
// Locks: the room calls Entry, Note and Gone with its feed locked, and they take
// mu; so nothing that belongs to the room is called with mu held.
//
// What every move needs is in front, here and in the types below (decision 0021): a
// room's move finds nothing of what it needs near the processor, and every line of
// memory that it has to fetch costs as much as a hundred steps.
type hub struct {
	server *Live
	id     string

	mu       sync.Mutex // guards what follows, up to fan
	roster   *room.Roster
	players  []*sub
	seq      uint64 // of the last entry that watchers were told of
	told     *told  // the last answer to a watcher's question, until an entry comes
	gone     bool
	refs     int32             // guarded by Server.hubsMu: sockets here, and those about to be
	watchers map[*sub]struct{} // nil while there are none, as in nearly every room
	comings  uint64            // counts who came
	quiet    quiet             // which streams of chat have no line yet
	watching int               // how many watch, wherever
	roll     *roll             // and who, see watch; nil: nobody
	fan      *socket.Fan       // of the watchers; nil while there are none

	following *room.Following
	ready     event.Event // fired when following or err is set
	err       error

	asking  sync.Mutex // held while the room is asked; taken before mu
	reading sync.Mutex // held while the chat is read; taken before mu
	naming  sync.Mutex // held while names are read and told, so that the last told are the last; taken before mu
}

// sub is one socket's tie to a room. Its fields are guarded by the hub's mu.
type sub struct {
	session    *session
	hub        *hub
	player     string
	seq        uint64 // of a player: up to which he has been told
	asked      uint64 // the sequence that an answer to his question held for
	came       uint64 // when it was attached, or used to get a seat, as counted by the hub; 0: not yet
	audience   machine.Audience
	glances    bool // it only looks at the board, and is nobody
	superseded bool // a newer tab of the same player plays
	ended      bool // detached for good: a resume that is still on its way must not bring it back
}

// Entry implements [room.Follower].
func (h *hub) Entry(p *room.Published) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if p.ForWatchers() {
		h.seq, h.told = p.Seq, nil
	}
	news := p.Roster != nil && p.Roster != h.roster
	if news {
		h.server.Gamelist.Changed(h.id)
		h.reseat(p.Roster)
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
		// Build the head once for each run of those who see the same.
		if view := p.View(s.audience); head == nil || shared != view {
			head, shared = h.head((*buffer)[:0], p, view), view
			*buffer = head
		}
		s.seq = p.Seq
		s.tell(head, p, p.Private(s.audience))
	}
	if p.ForWatchers() && (len(h.watchers) > 0 || !p.ForPlayers()) {
		if head == nil || shared != machine.Watchers {
			head = h.head((*buffer)[:0], p, machine.Watchers)
			*buffer = head
		}
		h.toWatchers(socket.Text(head, closing))
	}
	if h.roster != nil && (news || match.ChangesState(head)) {
		h.server.Presence.Changed(h.roster.Players()...)
	}
}

// head appends an entry for an audience. An entry that changes the game's state marks
// its players' lists as due before any client gets the entry. So a request that follows
// the entry, and flushes the lists, finds them complete.
func (h *hub) head(b []byte, p *room.Published, a machine.Audience) []byte {
	b = appendHead(b, h.id, p, a)
	if match.ChangesState(b) {
		h.server.Gamelist.Changed(h.id)
	}
	return b
}

// reseat sorts the sockets anew after somebody has taken or left a seat. Called
// with mu held, before the entry that did it is sent. A watcher who becomes a
// player may lose what the fan was about to send him; he sees the gap and asks
// for a snapshot.
func (h *hub) reseat(roster *room.Roster) {
	h.roster = roster
	all := slices.Concat(h.players, slices.Collect(maps.Keys(h.watchers)))
	slices.SortFunc(all, func(a, b *sub) int { return cmp.Compare(a.came, b.came) })
	for _, s := range all {
		before := s.audience
		if roster.Audience(s.player) == before {
			continue
		}
		h.remove(s)
		s.audience = roster.Audience(s.player)
		h.place(s)
		s.session.send(message(map[string]any{"t": "as", "room": h.id, "as": s.audience}))
		if s.audience.IsSeat() && !s.superseded {
			h.supersede(s) // who waited in two tabs plays in the one that was used last
		}
	}
	h.server.Workers.Start(h.tellNames)
}

func (h *hub) place(s *sub) {
	if s.audience == machine.Watchers {
		if h.watchers == nil {
			h.watchers, h.fan = map[*sub]struct{}{}, h.server.Sockets.NewFan()
		}
		h.watchers[s] = struct{}{}
		h.watch().watches(s, 1)
		h.fan.Add(s.session.socket)
	} else {
		h.players = append(h.players, s)
	}
}

// tellNames tells everybody who the players are. Names are looked up outside the
// room's locks, so they come a moment later than the entry that seated somebody.
func (h *hub) tellNames() {
	h.naming.Lock()
	defer h.naming.Unlock()
	names, err := h.server.Names(h.server.Workers.Context(), h.people())
	if err != nil || len(names) == 0 {
		return
	}
	h.broadcast(message(namesFrame{"names", h.id, names, h.server.RatingsIn(h.server.Workers.Context(), h.id)}))
}

// broadcast sends a frame to everybody.
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
}

func (h *hub) toPlayers(f socket.Frame) {
	for _, s := range h.players {
		s.session.send(f)
	}
}

// Gone implements [room.Follower]: this copy of the room has ended. The sockets
// subscribe again, which finds the new owner.
func (h *hub) Gone(why error) {
	h.server.dropHub(h)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.gone = true
	f := message(goneFrame{"gone", h.id, lobby.CodeOf(why)})
	h.toPlayers(f)
	h.toWatchers(f)
	h.players, h.watchers = nil, nil
}

// attach brings a socket up to date and adds it, as it has asked: to take makes it
// the tab that plays. It is called by Resume with the feed locked: no entry can
// come in between.
func (h *hub) attach(s *sub, r *room.Resume, q request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.gone || s.ended {
		return // the socket follows the next copy of the room, or has left
	}
	if h.roster == nil {
		h.roster = r.Roster
	}
	h.remove(s) // it may be here already, and only asks for a snapshot
	s.audience, s.seq, s.asked = r.Audience, r.Seq, 0
	if q.Take {
		s.superseded = false
	} else if q.Reads && s.came == 0 && s.audience.IsSeat() {
		s.superseded = true // it was before its connection was lost
	}
	if s.came == 0 || q.Take {
		h.arrived(s)
	}
	if s.audience.IsSeat() && !s.superseded {
		h.supersede(s)
	}
	if s.audience.IsSeat() {
		h.server.Presence.Changed(s.player)
	}
	h.place(s) // the fan's next frame cannot overtake what follows: it waits for mu
	for _, f := range resumeFrames(h.id, r, s, time.Now().Add(-r.Delay).UnixMilli()) {
		s.session.send(f)
	}
	for _, n := range r.Notes {
		if n.Players && !s.audience.IsSeat() {
			continue
		}
		if f, ok := NoteFrame(h.id, n, r.Roster.Audience(n.By)); ok {
			s.session.send(f)
		}
	}
	if s.superseded {
		h.tellSuperseded(s) // a page that starts anew from a snapshot must hear it again
	}
}

// detach removes a socket for good; Leave is the caller's business.
func (h *hub) detach(s *sub) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.remove(s)
	s.ended = true
}

func (h *hub) remove(s *sub) {
	if s.audience != machine.Watchers {
		h.players = slices.DeleteFunc(h.players, func(other *sub) bool { return other == s })
	} else if _, here := h.watchers[s]; here {
		h.fan.Remove(s.session.socket)
		if delete(h.watchers, s); len(h.watchers) == 0 {
			h.watchers, h.fan = nil, nil
		}
		h.watch().watches(s, -1)
	}
}

// audience is what a socket may see and do here.
func (h *hub) audience(s *sub) machine.Audience {
	h.mu.Lock()
	defer h.mu.Unlock()
	return s.audience
}

func (h *hub) isGone() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.gone
}

// people are the players of the room, by ID.
func (h *hub) people() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.roster == nil {
		return nil
	}
	return h.roster.Players()
}

// here says whether a socket hears of the room.
func (h *hub) here(s *sub) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return s.came > 0
}
