package live

import (
	"crypto/rand"
	"net/http"
	"strings"

	"mancala/lobby"
	"mancala/web/site"
	"mancala/web/socket"
)

// Socket upgrades a request to a WebSocket. A client with an identity must show the
// cookie that a page gave it, or a token. A client without an identity can only
// watch. A client that asks to watch is treated as one without an identity. If the
// identity cannot be read now, the socket is accepted and closed: the client reconnects,
// and a load balancer can choose another instance.
func (srv *Live) Socket(w http.ResponseWriter, r *http.Request) error {
	// Our pages are served over TLS. A page of this host that came without TLS may
	// have been changed on the way. The socket's own check compares hosts only.
	if srv.Secure && strings.HasPrefix(r.Header.Get("Origin"), "http:") {
		return site.ErrForeign
	}
	s := &session{server: srv, words: srv.Catalog(r), addr: srv.Address(r)}
	who, err := srv.WhoCame(w, r)
	if err != nil {
		lobby.Warn(srv.Log, "web: session not read", err)
	}
	watch := r.URL.Query().Has("watch")
	if err == nil && who.Player != "" && !watch {
		s.player = who.Player
		s.signed, s.token, s.noHost = who.Signed(), who.IsProgram(), site.MayHost(r)
		kids, unknown := srv.Prefs(r)["kids"] == "on", site.KeptBy(r).Failed
		s.child.Store(kids || unknown)
		if unknown {
			srv.Workers.Start(func() { srv.grown(s) })
		}
	} else {
		s.player, s.anonymous = "?"+rand.Text(), true
		s.unread = err != nil && !watch
		s.child.Store(err != nil) // the player is unknown: treat them as a child
	}
	if err := srv.Sockets.Accept(w, r, s.addr, s); err != nil {
		srv.Log.Debug("web: socket refused", "err", err)
	}
	if srv.Over(who) { // the session ended after Identify and before the socket was registered
		srv.Sockets.CloseThose(func(h socket.Handler) socket.Code {
			if h == socket.Handler(s) {
				return socket.SignedOut
			}
			return 0
		})
	}
	return nil // Accept has answered
}
