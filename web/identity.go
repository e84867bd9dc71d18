package web

import (
	"net/http"
	"time"

	"mancala/lobby"
)

const (
	cookieName = "mancala"
	cookieLife = 400 * 24 * time.Hour // the longest that browsers keep one
)

// whoIs is the player that a request's cookie names; false for a stranger, and
// for a guest who was away for so long that he is no more. That he is here is
// noted; a cookie signed with an older key is replaced by a new one.
func (srv *Server) whoIs(w http.ResponseWriter, r *http.Request) (player string, ok bool) {
	c, err := r.Cookie(cookieName)
	if err != nil {
		return "", false
	}
	if player, ok = srv.Tokens.Verify(c.Value); !ok {
		srv.metrics.refused("bad-cookie") // forged, or of a key that is no more
		return "", false
	}
	if err := srv.People.Seen(r.Context(), player); codeOf(err) == lobby.CodeNoPlayer {
		return "", false
	} else if err != nil {
		srv.log.Warn("web: sign of life not noted", "err", err) // the signature is good all the same
	}
	if srv.Tokens.Stale(c.Value) {
		if err := srv.setCookie(w, player); err != nil {
			srv.log.Warn("web: cookie not renewed", "err", err)
		}
	}
	return player, true
}

// whoActs is the player behind an action. A stranger becomes a guest, with a
// cookie: that happens at the first action, never by looking.
func (srv *Server) whoActs(w http.ResponseWriter, r *http.Request) (string, error) {
	if id, ok := srv.whoIs(w, r); ok {
		return id, nil
	}
	if !srv.guestLimit.AllowAddress(srv.address(r)) {
		return "", errTooMany
	}
	p, err := srv.People.Guest(r.Context())
	if err != nil {
		return "", err
	}
	return p.ID, srv.setCookie(w, p.ID)
}

func (srv *Server) setCookie(w http.ResponseWriter, player string) error {
	token, err := srv.Tokens.Sign(player)
	if err != nil {
		return err
	}
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: token, Path: "/", MaxAge: int(cookieLife / time.Second),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: srv.Secure,
	})
	return nil
}
