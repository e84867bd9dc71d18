package live

import (
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/web/site"
)

// A player may have a game open in several tabs. Only one of them plays: the tab
// that came last, or that has asked to take over. The others only read.

// supersede makes s the tab that plays. Other tabs of the same player become
// read-only.
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

// mayAct reports, with a nil error, whether a socket's commands are accepted.
// Otherwise the error is the reason.
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

// playerFor returns the player of a seat for which the pages of another player send
// commands: their own seat, or that of a seatmate. Any other seat is refused.
func (h *hub) playerFor(player string, seat machine.Audience) (string, error) {
	for _, other := range h.Players() {
		if h.audienceOf(other) == seat && match.ActsFor(player, other) {
			return other, nil
		}
	}
	return "", refusal.New(match.CodeNotPlaying)
}

// arrived makes s the latest arrival. Called with mu held.
func (h *hub) arrived(s *sub) {
	h.comings++
	s.came = h.comings
}
