package live

import (
	"context"
	"slices"

	"mancala/lobby"
	"mancala/lobby/chat"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/web/request"
	"mancala/web/site"
	"mancala/web/socket"
)

// errNoChat refuses a line beside a tournament, whose games have chats of their own.
var errNoChat = refusal.New(chat.CodeOff)

// chat says a line to the readers of the sender's stream.
func (s *session) chat(ctx context.Context, q request.Request) error {
	sub := s.tab(q.Room)
	switch {
	case sub == nil:
		return site.ErrNotFollowed
	case s.anonymous:
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
	f := message(erasedFrame{"erased", h.id, stream, n})
	h.mu.Lock()
	h.erased = append(h.erased, erased{stream, n, to, f})
	h.erased = h.erased[max(0, len(h.erased)-mostErased):]
	h.mu.Unlock()
	h.tellReaders(f, to)
}

const mostErased = 16 // lines that a hub remembers as erased

// erasedFor returns the frames of the lines that a client may have read. It leaves out the
// numbers of lines that are there: a number may be used again.
func (h *hub) erasedFor(s *sub, lines []chat.Line) (frames []socket.Frame) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range h.erased {
		again := slices.ContainsFunc(lines, func(l chat.Line) bool { return l.N == e.n && chat.StreamOf(l.Seat) == e.stream })
		plays := s.audience != machine.Watchers
		if !again && plays == (e.to.Stream == lobby.StreamPlayers) && e.to.Include(s) {
			frames = append(frames, e.frame)
		}
	}
	return frames
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
