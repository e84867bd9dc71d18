package live

import (
	"slices"

	"mancala/lobby/account"
	"mancala/web/socket"
)

// CloseEnded closes the sockets of sessions that have ended. Those of a session that
// another one has replaced reconnect with the new cookie of the player's browser. So do
// the sockets that a guest's cookie opened when the player is no longer a guest. ids is
// what [account.Accounts.WhenEnded] gives.
func (srv *Live) CloseEnded(ids []string) {
	srv.Sockets.CloseThose(func(h socket.Handler) socket.Code {
		s, ok := h.(*session)
		switch {
		case !ok:
			return 0
		case s.signed != "" && slices.Contains(ids, account.Renewed(s.signed)):
			return socket.Renewed
		case s.signed != "" && slices.Contains(ids, s.signed):
			return socket.SignedOut
		case s.signed == "" && slices.Contains(ids, s.player):
			return socket.Renewed
		}
		return 0
	})
}
