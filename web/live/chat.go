package live

import (
	"context"

	"mancala/lobby"
	"mancala/lobby/chat"
	"mancala/match/refusal"
	"mancala/web/site"
	"mancala/web/socket"
)

// errNoChat refuses a line beside a tournament, whose games have chats of their own.
var errNoChat = refusal.New("chat-off")

// chat says a line to the readers of the sender's stream.
func (s *session) chat(ctx context.Context, q request) error {
	sub := s.tab(q.Room)
	switch {
	case sub == nil:
		return site.ErrNotFollowed
	case s.guest:
		return site.ErrNoIdentity
	case sub.hub.event != nil:
		return errNoChat
	}
	return sub.hub.chat.Say(ctx, s.player, sub.hub.audience(sub), q.Preset, q.Text)
}

// ShowLine implements [chat.Clients].
func (h *hub) ShowLine(l chat.Line, to chat.Readers) {
	h.tellReaders(message(chatFrame{"chat", l}), to)
}

// ShowErased implements [chat.Clients].
func (h *hub) ShowErased(stream string, n int64, to chat.Readers) {
	h.tellReaders(message(erasedFrame{"erased", h.id, stream, n}), to)
}

// tellReaders sends a frame about a line to the clients that may read the line.
func (h *hub) tellReaders(f socket.Frame, to chat.Readers) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if to.Stream == lobby.StreamPlayers {
		for _, s := range h.players {
			if to.Include(s) {
				s.session.send(f)
			}
		}
		return
	}
	all := true
	for s := range h.watchers {
		if all = to.Include(s); !all {
			break
		}
	}
	if all {
		h.toWatchers(f)
		return
	}
	for s := range h.watchers {
		if to.Include(s) {
			s.session.send(f)
		}
	}
}
