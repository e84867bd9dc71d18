package web

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

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
type hub struct {
	server    *Server
	id        string
	ready     chan struct{} // closed when following or err is set
	following *room.Following
	err       error
	refs      int // guarded by Server.hubsMu: sockets here, and those about to be

	mu       sync.Mutex
	gone     bool
	roster   *room.Roster
	players  []*sub
	watchers map[*sub]struct{}
	fan      *socket.Fan // of the watchers
}

// sub is one socket's tie to a room. Its fields are guarded by the hub's mu.
type sub struct {
	session    *session
	hub        *hub
	player     string
	audience   machine.Audience
	seq        uint64 // of a player: up to which he has been told
	superseded bool   // a newer tab of the same player plays
}

// Entry implements [room.Follower].
func (h *hub) Entry(p *room.Published) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if p.Roster != nil && p.Roster != h.roster {
		h.reseat(p.Roster)
	}
	var head []byte
	var shared machine.Audience
	for _, s := range h.players {
		if p.Seq <= s.seq {
			continue
		}
		// Audiences seldom see different things: build the head once for
		// each run of equal ones.
		if head == nil || shared != s.audience {
			head, shared = entryHead(h.id, p, s.audience), s.audience
		}
		s.seq = p.Seq
		s.session.send(entryFrame(head, p, s, p.Private(s.audience)))
	}
	if len(h.watchers) > 0 {
		h.fan.Send(socket.Text(entryHead(h.id, p, machine.Watchers), []byte("}")))
	}
}

// reseat sorts the sockets anew after somebody has taken or left a seat. Called
// with mu held, before the entry that did it is sent. A watcher who becomes a
// player may lose what the fan was about to send him; he sees the gap and asks
// for a snapshot.
func (h *hub) reseat(roster *room.Roster) {
	h.roster = roster
	for _, s := range slices.Concat(h.players, slices.Collect(maps.Keys(h.watchers))) {
		before := s.audience
		if roster.Audience(s.player) == before {
			continue
		}
		h.remove(s)
		s.audience = roster.Audience(s.player)
		h.place(s)
		s.session.send(message(map[string]any{"t": "as", "room": h.id, "as": s.audience}))
	}
	h.server.group.Go(func() { h.tellNames(roster) })
}

func (h *hub) place(s *sub) {
	if s.audience == machine.Watchers {
		h.watchers[s] = struct{}{}
		h.fan.Add(s.session.socket)
	} else {
		h.players = append(h.players, s)
	}
}

// tellNames tells everybody who the players are. Names are looked up outside
// every lock, so they come a moment later than the entry that seated somebody.
func (h *hub) tellNames(roster *room.Roster) {
	names, err := h.server.names(h.server.ctx, roster.Players())
	if err != nil || len(names) == 0 {
		return
	}
	h.broadcast(message(namesFrame{"names", h.id, names}))
}

// broadcast sends a frame to everybody.
func (h *hub) broadcast(f socket.Frame) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.toPlayers(f)
	h.fan.Send(f)
}

func (h *hub) toPlayers(f socket.Frame) {
	for _, s := range h.players {
		s.session.send(f)
	}
}

// Note implements [room.Follower].
func (h *hub) Note(n room.Note) {
	if f, ok := noteFrame(h.id, n, h.audienceOf(n.By)); ok {
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

// noteFrame writes a note; players are named by their seats.
func noteFrame(roomID string, n room.Note, seat machine.Audience) (socket.Frame, bool) {
	fields := map[string]any{}
	if len(n.Body) > 0 && json.Unmarshal(n.Body, &fields) != nil {
		return socket.Frame{}, false
	}
	fields["t"], fields["room"], fields["kind"] = "note", roomID, n.Kind
	if n.By != "" {
		fields["seat"] = seat
		fields["by"] = n.By
	}
	if n.Over {
		fields["over"] = true
	}
	return message(fields), true
}

// Gone implements [room.Follower]: this copy of the room has ended. The sockets
// subscribe again, which finds the new owner.
func (h *hub) Gone(why error) {
	h.server.dropHub(h)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.gone = true
	f := message(goneFrame{"gone", h.id, codeOf(why)})
	h.toPlayers(f)
	h.fan.Send(f)
	h.players, h.watchers = nil, nil
}

// attach brings a socket up to date and adds it. It is called by Resume with the
// feed locked: no entry can come in between.
func (h *hub) attach(s *sub, r *room.Resume) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.gone {
		return // the socket follows the next copy of the room
	}
	if h.roster == nil {
		h.roster = r.Roster
	}
	h.remove(s) // it may be here already, and only asks for a snapshot
	s.audience, s.seq = r.Audience, r.Seq
	if s.audience.IsSeat() && !s.superseded {
		h.supersede(s)
	}
	h.place(s) // the fan's next frame cannot overtake what follows: it waits for mu
	for _, f := range resumeFrames(h.id, r, s, time.Now().UnixMilli()) {
		s.session.send(f)
	}
	for _, n := range r.Notes {
		if f, ok := noteFrame(h.id, n, r.Roster.Audience(n.By)); ok {
			s.session.send(f)
		}
	}
}

// supersede makes s the tab that plays; others of the same player only read.
func (h *hub) supersede(s *sub) {
	for _, other := range h.players {
		if other != s && other.player == s.player && !other.superseded {
			other.superseded = true
			other.session.send(message(map[string]any{"t": "note", "room": h.id, "kind": "superseded"}))
		}
	}
}

// detach removes a socket; Leave is the caller's business.
func (h *hub) detach(s *sub) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.remove(s)
}

func (h *hub) remove(s *sub) {
	if s.audience != machine.Watchers {
		h.players = slices.DeleteFunc(h.players, func(other *sub) bool { return other == s })
	} else if _, here := h.watchers[s]; here {
		delete(h.watchers, s)
		h.fan.Remove(s.session.socket)
	}
}

// audience is what a socket may see and do here.
func (h *hub) audience(s *sub) machine.Audience {
	h.mu.Lock()
	defer h.mu.Unlock()
	return s.audience
}

// take makes s the tab that plays again.
func (h *hub) take(s *sub) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s.superseded = false
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

func (h *hub) isSuperseded(s *sub) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return s.superseded
}

// hub returns the hub of a room, which follows it. The caller releases it.
func (srv *Server) hub(ctx context.Context, id string) (*hub, error) {
	srv.hubsMu.Lock()
	h := srv.hubs[id]
	if h == nil {
		h = &hub{
			server: srv, id: id, ready: make(chan struct{}),
			watchers: map[*sub]struct{}{}, fan: srv.Sockets.NewFan(),
		}
		srv.hubs[id] = h
		srv.group.Go(h.follow)
	}
	h.refs++
	srv.hubsMu.Unlock()
	select {
	case <-h.ready:
	case <-ctx.Done():
		srv.release(h)
		return nil, ctx.Err()
	}
	if h.err != nil {
		srv.release(h)
		return nil, h.err
	}
	return h, nil
}

// follow ties the hub to its room. Others may wait for it too, so it is nobody's
// request.
func (h *hub) follow() {
	ctx, cancel := context.WithTimeout(h.server.ctx, commandTimeout)
	defer cancel()
	h.following, h.err = h.server.house.Follow(ctx, h.id, h)
	if h.err != nil {
		h.server.dropHub(h)
	}
	close(h.ready)
}

// release gives a hub back; the last one lets the room sleep.
func (srv *Server) release(h *hub) {
	srv.hubsMu.Lock()
	h.refs--
	last := h.refs == 0
	if last && srv.hubs[h.id] == h {
		delete(srv.hubs, h.id)
	}
	srv.hubsMu.Unlock()
	if !last {
		return
	}
	<-h.ready
	if h.following != nil {
		h.following.Close()
	}
}

// dropHub forgets a hub whose room has ended: the next who comes follows anew.
func (srv *Server) dropHub(h *hub) {
	srv.hubsMu.Lock()
	defer srv.hubsMu.Unlock()
	if srv.hubs[h.id] == h {
		delete(srv.hubs, h.id)
	}
}
