package live

import (
	"context"
	"strconv"

	"mancala/web/site"
	"mancala/web/socket"
)

// told is the answer to a question, made once for all who ask it: the same for
// everybody.
type told struct {
	what  string
	seq   uint64 // that it holds for
	frame socket.Frame
}

// ask answers a question about a game: who watches one with assists may see what
// its moves would do. One answer for each position is all that a socket needs.
func (s *session) ask(ctx context.Context, q request) error {
	sub := s.tab(q.Room)
	if sub == nil {
		return site.ErrNotFollowed
	}
	t, err := sub.hub.tell(ctx, sub, q.What)
	if err != nil {
		return followed(err)
	}
	sub.hub.mu.Lock()
	again := sub.asked == t.seq
	sub.asked = t.seq
	sub.hub.mu.Unlock()
	if again {
		return site.ErrTooMany
	}
	s.send(t.frame)
	return nil
}

// tell asks the room, unless the answer is known.
func (h *hub) tell(ctx context.Context, who *sub, what string) (*told, error) {
	h.asking.Lock() // of many who ask at once, one troubles the room
	defer h.asking.Unlock()
	h.mu.Lock()
	known, seated := h.told, who.audience.IsSeat()
	h.mu.Unlock()
	if known != nil && known.what == what && !seated { // those who watch may lag behind
		return known, nil
	}
	answer, seq, err := h.following.Ask(ctx, who.player, what)
	if err != nil {
		return nil, err
	}
	b := open(nil, what, h.id)
	b = append(b, `,"seq":`...)
	b = strconv.AppendUint(b, seq, 10)
	t := &told{what, seq, socket.Text(append(b, ','), answer[1:])}
	h.mu.Lock()
	defer h.mu.Unlock()
	if seq >= h.seq && !seated { // else it has been overtaken by an entry
		h.told = t
	}
	return t, nil
}
