package web

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"mancala/match/room"
	"mancala/web/socket"
)

const (
	maxNamed  = 20  // watchers who are named
	maxRolled = 200 // watchers who are looked at for it
	maxAsked  = 20  // of them whom we do not know yet, in one turn
)

// roll is who watches, as far as it is told: people with accounts, by name.
type roll struct {
	known   map[string]string // by ID of those who have been here: the name of an account, or nothing
	names   []string
	calling bool
}

type watchingFrame struct {
	T     string   `json:"t"`
	Room  string   `json:"room"`
	Kind  string   `json:"kind"`
	Count int      `json:"count"`
	Who   []string `json:"who"`
}

// counted takes in how many watch, which a room says once a second at most, and
// has those named who have accounts.
func (h *hub) counted(n room.Note) {
	var body struct {
		Count int `json:"count"`
	}
	if json.Unmarshal(n.Body, &body) != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.watching = body.Count
	if !h.roll.calling {
		h.roll.calling = h.server.start(h.callRoll)
	}
}

// callRoll names those who watch now, and tells everybody if they are others.
func (h *hub) callRoll() {
	ctx, cancel := context.WithTimeout(h.server.ctx, commandTimeout)
	defer cancel()
	here, strange := h.attendance()
	found := map[string]string{}
	for _, id := range strange {
		p, err := h.server.People.Player(ctx, id)
		if err != nil {
			continue // who is no more, or not known now
		}
		if found[id] = ""; !p.Guest() {
			found[id] = p.Name
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.roll.calling = false
	known := map[string]string{}
	var names []string
	for _, id := range here {
		name, ok := h.roll.known[id]
		if !ok {
			if name, ok = found[id]; !ok {
				continue
			}
		}
		known[id] = name
		if name != "" {
			names = append(names, name)
		}
	}
	h.roll.known = known
	slices.Sort(names)
	names = names[:min(len(names), maxNamed)]
	if slices.Equal(names, h.roll.names) {
		return
	}
	h.roll.names = names
	f := h.rollFrame()
	h.toPlayers(f)
	h.fan.Send(f)
}

// attendance lists who watches, and of them those whom we do not know yet.
func (h *hub) attendance() (here, strange []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.watchers {
		if s.player == "" || strings.HasPrefix(s.player, "?") || slices.Contains(here, s.player) {
			continue
		}
		if here = append(here, s.player); len(here) == maxRolled {
			break
		}
	}
	slices.Sort(here)
	for _, id := range here {
		if _, ok := h.roll.known[id]; !ok && len(strange) < maxAsked {
			strange = append(strange, id)
		}
	}
	return here, strange
}

// rollFrame says who watches. mu is held.
func (h *hub) rollFrame() socket.Frame {
	return message(watchingFrame{"note", h.id, room.NoteWatching, h.watching, append([]string{}, h.roll.names...)})
}

// tellRoll tells somebody who comes who is named.
func (h *hub) tellRoll(s *sub) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.roll.names) > 0 {
		s.session.send(h.rollFrame())
	}
}
