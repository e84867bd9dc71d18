package live

import (
	"slices"

	"mancala/web/socket"
)

// CloseEnded closes the sockets of sessions that have ended, and those that were
// opened by a guest's cookie and whose player is none any more.
func (srv *Live) CloseEnded(ids []string) {
	srv.Sockets.CloseThose(func(h socket.Handler) socket.Code {
		s, ok := h.(*session)
		switch {
		case !ok:
			return 0
		case s.signed != "" && slices.Contains(ids, s.signed):
			return socket.SignedOut
		case s.signed == "" && slices.Contains(ids, s.player):
			return socket.Renewed
		}
		return 0
	})
}

// RenewSockets makes the sockets of a session come back with the cookie that the
// player's browser has from now on.
func (srv *Live) RenewSockets(id string) {
	srv.Sockets.CloseThose(func(h socket.Handler) socket.Code {
		if s, ok := h.(*session); ok && s.signed == id {
			return socket.Renewed
		}
		return 0
	})
}
