package live

import (
	"mancala/lobby/moderation"
	"mancala/web/socket"
)

// Moderated applies a moderation action on this instance. The action may have been
// taken on any instance.
func (srv *Live) Moderated(a moderation.Action) {
	switch a.What {
	case moderation.Rename:
		srv.People.Changed(a.Player)
		srv.tellRenamed(a.Player, false)
	case moderation.Erase:
		srv.Chat.Erased(a.Room, a.Stream, a.Line)
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
