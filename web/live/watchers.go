package live

import (
	"encoding/json"

	"mancala/match/room"
	"mancala/web/socket"
)

// counted stores the number of watchers, which a room sends at most once a second. The
// list of their names follows.
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
	h.roll.Counted()
}

// ShowWatchers implements [presence.Watched].
func (h *hub) ShowWatchers() {
	h.mu.Lock()
	defer h.mu.Unlock()
	f := h.watchingFrame(h.roll.Names())
	h.toPlayers(f)
	h.toWatchers(f)
}

// tellWatchers sends the list of watchers to a new reader.
func (h *hub) tellWatchers(s *sub) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if names := h.roll.Names(); len(names) > 0 {
		s.session.send(h.watchingFrame(names))
	}
}

// watchingFrame returns the frame with the list of watchers. Called with mu held.
func (h *hub) watchingFrame(names []string) socket.Frame {
	return message(watchingFrame{"note", h.id, room.NoteWatching, h.watching, append([]string{}, names...)})
}
