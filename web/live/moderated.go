package live

import (
	"context"

	"mancala/lobby/moderation"
	"mancala/lobby/workers"
	"mancala/web/socket"
)

// Moderated applies a moderation action on this instance. The action may have been
// taken on any instance.
func (srv *Live) Moderated(a moderation.Action) {
	switch a.What {
	case moderation.Rename:
		srv.People.Changed(a.Player)
		srv.TellRenamed(a.Player)
	case moderation.Erase:
		srv.hubsMu.Lock()
		h := srv.hubs[a.Room]
		srv.hubsMu.Unlock()
		if h != nil {
			f, to := message(erasedFrame{"erased", a.Room, a.Stream, a.Line}), readers{stream: a.Stream}
			h.tellLine(f, to)
			srv.Workers.Start(func() { // reading the game may take a while
				ctx, cancel := context.WithTimeout(srv.Workers.Context(), workers.Timeout)
				defer cancel()
				srv.overheard(ctx, h, f, to)
			})
		}
	case moderation.Close:
		srv.Sockets.CloseThose(func(h socket.Handler) socket.Code {
			if s, ok := h.(*session); ok && s.player == a.Player {
				return socket.SignedOut
			}
			return 0
		})
	}
}

type erasedFrame struct {
	T      string `json:"t"`
	Room   string `json:"room"`
	Stream string `json:"stream"`
	N      int64  `json:"n"`
}
