package live

import (
	"crypto/rand"
	"net/http"
	"strings"

	"mancala/lobby"
	"mancala/web/site"
	"mancala/web/socket"
)

// Socket upgrades to a WebSocket. Who asks must have been here before: the page
// gave him a cookie. Whoever has none watches, and whoever only asks to watch.
func (srv *Live) Socket(w http.ResponseWriter, r *http.Request) {
	// Our pages came over TLS: one of this host that did not was written by
	// somebody on the way, and the socket's check compares hosts only.
	if srv.Secure && strings.HasPrefix(r.Header.Get("Origin"), "http:") {
		srv.Deny(w, r, site.ErrForeign)
		return
	}
	s := &session{server: srv, words: srv.Catalog(r)}
	who, err := srv.WhoCame(w, r)
	if err != nil {
		lobby.Warn(srv.Log, "web: session not read", err)
	}
	if err == nil && who.Player != "" && !r.URL.Query().Has("watch") {
		s.player = who.Player
		s.signed = who.Signed()
		kids, unknown := srv.Prefs(r)["kids"] == "on", site.KeptBy(r).Failed
		s.child.Store(kids || unknown)
		if unknown {
			srv.Workers.Start(func() { srv.grown(s) })
		}
	} else {
		s.player, s.guest = "?"+rand.Text(), true
		s.child.Store(err != nil) // somebody we cannot know
	}
	if err := srv.Sockets.Accept(w, r, srv.Address(r), s); err != nil {
		srv.Log.Debug("web: socket refused", "err", err)
	}
	if srv.Over(who) { // since the question and before there was a socket
		srv.Sockets.CloseThose(func(h socket.Handler) socket.Code {
			if h == socket.Handler(s) {
				return socket.SignedOut
			}
			return 0
		})
	}
}
