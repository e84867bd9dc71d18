package live

import (
	"context"
	"strconv"

	"mancala/web/request"
	"mancala/web/site"
	"mancala/web/socket"
)

// ask answers a query about a game. For example, in a game with assists a watcher
// may see what the next moves would do. A socket gets one answer for each position.
func (s *session) ask(ctx context.Context, q request.Request) error {
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

// tell returns the answer to a query. It asks the room unless the answer is cached.
func (h *hub) tell(ctx context.Context, who *sub, what string) (*told, error) {
	h.asking.Lock() // of simultaneous queries, only one reaches the room
	defer h.asking.Unlock()
	h.mu.Lock()
	known, seated := h.told, who.audience.IsSeat()
	h.mu.Unlock()
	if known != nil && known.what == what && !seated { // a watcher's answer may be slightly old
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
	if seq >= h.seq && !seated { // otherwise a newer entry has made the answer stale
		h.told = t
	}
	return t, nil
}
