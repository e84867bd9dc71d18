package live

import (
	"slices"

	"mancala/web/socket"
)

// CloseEnded closes the sockets of sessions that have ended. It also closes the
// sockets that a guest's cookie opened when the player is no longer a guest. ids
// holds the IDs of sessions and of such players.
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

// RenewSockets makes the sockets of a session reconnect, so that they use the new
// cookie of the player's browser.
func (srv *Live) RenewSockets(id string) {
	srv.Sockets.CloseThose(func(h socket.Handler) socket.Code {
		if s, ok := h.(*session); ok && s.signed == id {
			return socket.Renewed
		}
		return 0
	})
}
