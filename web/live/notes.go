package live

import (
	"cmp"
	"encoding/json"

	"mancala/engine"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/room"
	"mancala/web/site"
	"mancala/web/socket"
)

// Notes are news without a number: who is away, how many watch, how far a board
// is laid out. They may be lost.

// noteChat is a line of chat, from the hub of one instance to those of others.
const noteChat = "chat"

// Note implements [room.Follower].
func (h *hub) Note(n room.Note) {
	if n.Hubs {
		switch n.Kind {
		case noteChat:
			h.hearLine(n.Body)
		case noteRoll:
			h.hearRoll(n.Body)
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

// NoteFrame writes a note; players are named by their seats.
func NoteFrame(roomID string, n room.Note, seat machine.Audience) (socket.Frame, bool) {
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

// filling is the one note that a client may send: how far he has laid out the
// board.
type filling struct {
	N  int `json:"n"`
	Of int `json:"of"`
}

// note passes a player's unnumbered news on ("filling the board: 54 of 72").
func (s *session) note(q request, msg []byte) error {
	sub := s.tab(q.Room)
	if sub == nil {
		return site.ErrNotFollowed
	}
	var body filling
	if err := json.Unmarshal(msg, &body); err != nil || q.Kind != "filling" || body.N < 0 || body.Of > maxSeeds || body.N > body.Of {
		return room.ErrBadNote
	}
	return s.server.Workers.Aside(func() error { // asking the room goes deep
		if ok, err := s.laysOut(q.Room); err != nil || !ok {
			return cmp.Or(err, room.ErrBadNote)
		}
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		return sub.hub.following.Say(s.player, q.Kind, text)
	})
}

const maxSeeds = 250 // on any board (RULES.md §4)

// laysOut says whether it is this player who is laying out the board now.
func (s *session) laysOut(roomID string) (bool, error) {
	view, err := s.server.Rooms.View(s.server.Workers.Soon(), roomID, s.player)
	if err != nil {
		return false, err
	}
	game, err := match.ReadPublic(roomID, view.Snapshot)
	if err != nil {
		return false, err
	}
	return game.Phase == engine.Setup.String() && int(view.Audience) == game.Turn, nil
}
