package web

import (
	"bytes"
	"encoding/json"

	"mancala/match/machine"
	"mancala/match/room"
	"mancala/web/socket"
)

// Notes are news without a number: who is away, how many watch, how far a board
// is laid out. They may be lost.

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

// note passes a player's unnumbered news on ("filling the board: 54 of 72").
func (s *session) note(q request, msg []byte) error {
	sub := s.sub(q.Room)
	if sub == nil {
		return errNotFollowed
	}
	var body struct {
		N  int `json:"n"`
		Of int `json:"of"`
	}
	if err := json.NewDecoder(bytes.NewReader(msg)).Decode(&body); err != nil {
		return room.ErrBadNote
	}
	if q.Kind != "filling" {
		return room.ErrBadNote
	}
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return sub.hub.following.Say(s.player, q.Kind, text)
}
