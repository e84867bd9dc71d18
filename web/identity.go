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

// whoIs is the player that a request's cookie names; false for a stranger.
func (srv *Server) whoIs(r *http.Request) (player string, ok bool) {
	c, err := r.Cookie(cookieName)
	if err != nil {
		return "", false
	}
	return srv.Tokens.Verify(c.Value)
}

// whoActs is the player behind an action. A stranger becomes a guest, with a
// cookie: that happens at the first action, never by looking.
func (srv *Server) whoActs(w http.ResponseWriter, r *http.Request) (string, error) {
	if id, ok := srv.whoIs(r); ok {
		return id, nil
	}
	if !srv.guestLimit.AllowAddress(srv.address(r)) {
		return "", errTooMany
	}
	p, err := srv.People.Guest(r.Context())
	if err != nil {
		return "", err
	}
	token, err := srv.Tokens.Sign(p.ID)
	if err != nil {
		return "", err
	}
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: token, Path: "/", MaxAge: int(cookieLife / time.Second),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: srv.Secure,
	})
	return p.ID, nil
}

var _ = lobby.ValidRoomID
