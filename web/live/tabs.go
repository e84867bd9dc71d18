package live

import (
	"mancala/match/refusal"
	"mancala/web/site"
)

// The same person may have a game open in several tabs. One of them plays: the
// one that came last, or that has asked to take over. The others read on.

// supersede makes s the tab that plays; others of the same player only read.
func (h *hub) supersede(s *sub) {
	for _, other := range h.players {
		if other != s && other.player == s.player && !other.superseded {
			other.superseded = true
			h.tellSuperseded(other)
		}
	}
}

func (h *hub) tellSuperseded(s *sub) {
	s.session.send(message(map[string]any{"t": "note", "room": h.id, "kind": "superseded"}))
}

func (h *hub) isSuperseded(s *sub) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return s.superseded
}

// mayAct says whether a socket's commands count, or why not.
func (h *hub) mayAct(s *sub) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case s.came == 0 || h.gone:
		return site.ErrNotFollowed
	case s.superseded:
		return refusal.New("superseded")
	case !s.audience.IsSeat():
		h.arrived(s)
	}
	return nil
}

// arrived makes s the latest. Called with mu held.
func (h *hub) arrived(s *sub) {
	h.comings++
	s.came = h.comings
}
