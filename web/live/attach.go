package live

import (
	"cmp"
	"maps"
	"slices"

	"mancala/match/machine"
	"mancala/match/room"
	"mancala/web/request"
)

// Which sockets a hub serves, and as what: players are written to directly, watchers by
// the fan.

// attach brings a socket up to date and adds it as the request says. A request with
// Take makes it the tab that plays. Resume calls attach with the feed locked, so no
// entry can come in between.
func (h *hub) attach(s *sub, r *room.Resume, q request.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.gone || s.ended {
		return // the socket follows the room's next copy, or has left
	}
	if h.roster == nil {
		h.roster = r.Roster
	}
	h.remove(s) // the socket may be attached already and only need a snapshot
	s.audience, s.seq, s.asked, s.brief = r.Audience, r.Seq, 0, q.Brief
	if q.Take {
		s.superseded = false
	} else if q.Reads && s.came == 0 && s.audience.IsSeat() {
		s.superseded = true // it was superseded before its connection was lost
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
	h.place(s) // the fan cannot send before the frames below: it needs mu
	frames := resumeFrames(h.id, r, s.session.Identity(), s.player, r.Now-r.Delay.Milliseconds())
	if h.event != nil {
		s.session.send(frames...)
		h.event.attach(s, r)
		return
	}
	for _, n := range r.Notes {
		if n.Players && !s.audience.IsSeat() {
			continue
		}
		if f, ok := NoteFrame(h.id, n, r.Roster.Audience(n.By)); ok {
			frames = append(frames, f)
		}
	}
	s.session.send(frames...)
	if s.superseded {
		h.tellSuperseded(s) // a page that restarts from a snapshot must be told again
	}
}

// detach removes a socket permanently. The caller calls Leave.
func (h *hub) detach(s *sub) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.remove(s)
	s.ended = true
}

// reseat sorts the sockets again after a player has taken or left a seat. It is
// called with mu held, before the entry that changed the seat is sent. A watcher who
// becomes a player may lose frames that the fan has queued. Their client sees the
// gap in the numbers and asks for a snapshot.
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
			h.supersede(s) // a player with two tabs plays in the tab that was used last
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
		h.counts(s, 1)
		h.fanOf(s).Add(s.session.socket)
	} else {
		h.players = append(h.players, s)
	}
}

func (h *hub) remove(s *sub) {
	if s.audience != machine.Watchers {
		h.players = slices.DeleteFunc(h.players, func(other *sub) bool { return other == s })
	} else if _, here := h.watchers[s]; here {
		h.fanOf(s).Remove(s.session.socket)
		if delete(h.watchers, s); len(h.watchers) == 0 {
			h.watchers, h.fan = nil, nil
		}
		h.counts(s, -1)
	}
}

// counts adds sockets of a watcher to the roll.
func (h *hub) counts(s *sub, sockets int) {
	if id := s.Identity(); id != "" && h.event == nil {
		h.roll.Add(id, sockets)
	}
}

// audience returns what a socket may see and do in this room.
func (h *hub) audience(s *sub) machine.Audience {
	h.mu.Lock()
	defer h.mu.Unlock()
	return s.audience
}

// here reports whether a socket is attached to the room.
func (h *hub) here(s *sub) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return s.came > 0
}
