package web

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"mancala/lobby"
	"mancala/lobby/account"
	"mancala/web/socket"
)

// errBadCookie is a cookie that this service has not signed.
var errBadCookie = errors.New("web: bad cookie")

const (
	cookieName = "mancala"
	cookieLife = 400 * 24 * time.Hour // the longest that browsers keep one
)

// identity is who asks: a stranger, a guest, or somebody who has signed in.
type identity struct {
	player  string           // empty for a stranger
	session *account.Session // of an account
	token   string           // the ID of the one that a program has shown for him
	stale   bool             // his cookie is of an older key
}

// signed is what ends what he has opened, when it ends itself.
func (who identity) signed() string {
	if who.session != nil {
		return who.session.ID
	}
	return who.token
}

// over says that he is no more who he was a moment ago. It is for after an
// upgrade, when the request's context must not be used any more.
func (srv *Server) over(who identity) bool {
	if who.session != nil {
		if _, err := srv.Accounts.Session(srv.workers.Context(), who.session.ID, who.player); lobby.CodeOf(err) == account.CodeNoSession {
			return true
		}
	}
	return srv.Desk.Closed(who.player)
}

// identify reads a request's cookie. A cookie that is not good is a stranger's:
// one that is forged, of a session that has ended, or a guest's from before he
// had an account.
func (srv *Server) identify(r *http.Request) (identity, error) {
	if t, ok := r.Context().Value(bearerKey{}).(account.Token); ok {
		return identity{player: t.Player, token: t.ID}, nil
	}
	c, err := r.Cookie(cookieName)
	if err != nil {
		return identity{}, nil
	}
	player, session, ok := srv.Tokens.Verify(c.Value)
	if !ok {
		return identity{}, errBadCookie
	}
	if srv.Desk.Closed(player) {
		return identity{}, nil
	}
	who := identity{player: player, stale: srv.Tokens.Stale(c.Value)}
	if session == "" {
		guest, err := srv.People.IsGuest(r.Context(), player)
		if code := lobby.CodeOf(err); err != nil && code != lobby.CodeNoPlayer {
			lobby.Warn(srv.log, "web: a guest is believed without asking", err) // the signature is good
		} else if !guest {
			return identity{}, nil
		}
		return who, nil
	}
	s, err := srv.Accounts.Session(r.Context(), session, player)
	if lobby.CodeOf(err) == account.CodeNoSession {
		return identity{}, nil
	}
	who.session = &s
	return who, err
}

// whoIs is the player that a request's cookie names; false for a stranger, and
// for a guest who was away for so long that he is no more. That he is here is
// noted; a cookie signed with an older key is replaced by a new one.
func (srv *Server) whoIs(w http.ResponseWriter, r *http.Request) (player string, ok bool) {
	who, err := srv.whoCame(w, r)
	if err != nil {
		lobby.Warn(srv.log, "web: session not read", err)
	}
	return who.player, err == nil && who.player != ""
}

// whoCame is whoIs for those who need to know about his session, or why it could
// not be known.
func (srv *Server) whoCame(w http.ResponseWriter, r *http.Request) (identity, error) {
	who, err := srv.identify(r)
	switch {
	case err == errBadCookie: // forged, or of a key that is no more
		srv.metrics.refused("bad-cookie")
		return identity{}, nil
	case err != nil:
		return identity{}, err
	case who.player == "":
		return who, nil
	}
	if err := srv.People.Seen(r.Context(), who.player); lobby.CodeOf(err) == lobby.CodeNoPlayer {
		return identity{}, nil
	} else if err != nil {
		lobby.Warn(srv.log, "web: sign of life not noted", err) // the signature is good all the same
	}
	if who.stale {
		if err := srv.setCookie(w, who); err != nil {
			lobby.Warn(srv.log, "web: cookie not renewed", err)
		}
	}
	return who, nil
}

// whoActs is the player behind an action. A stranger becomes a guest, with a
// cookie: that happens at the first action, never by looking. While it cannot be
// known who somebody is, nothing is made of him.
func (srv *Server) whoActs(w http.ResponseWriter, r *http.Request) (string, error) {
	who, err := srv.whoCame(w, r)
	if err != nil || who.player != "" {
		return who.player, err
	}
	if err := lobby.SlowDown(srv.guestLimit.WaitAddress(srv.address(r))); err != nil {
		return "", err
	}
	p, err := srv.People.Guest(r.Context())
	if err != nil {
		return "", err
	}
	return p.ID, srv.setCookie(w, identity{player: p.ID})
}

func (srv *Server) setCookie(w http.ResponseWriter, who identity) error {
	session := ""
	if who.session != nil {
		session = who.session.ID
	}
	token, err := srv.Tokens.SignSession(who.player, session)
	if err != nil {
		return err
	}
	http.SetCookie(w, srv.cookie(cookieName, token, cookieLife))
	return nil
}

// cookie is one that no script and no other site may read or send.
func (srv *Server) cookie(name, value string, life time.Duration) *http.Cookie {
	return &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: int(life / time.Second),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: srv.Secure,
	}
}

// endCookie makes a browser forget a cookie.
func (srv *Server) endCookie(w http.ResponseWriter, name string) {
	c := srv.cookie(name, "", 0)
	c.MaxAge = -1
	http.SetCookie(w, c)
}

// closeEnded closes the sockets of sessions that have ended, and those that were
// opened by a guest's cookie and whose player is none any more.
func (srv *Server) closeEnded(ids []string) {
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

// renewSockets makes the sockets of a session come back with the cookie that the
// player's browser has from now on.
func (srv *Server) renewSockets(id string) {
	srv.Sockets.CloseThose(func(h socket.Handler) socket.Code {
		if s, ok := h.(*session); ok && s.signed == id {
			return socket.Renewed
		}
		return 0
	})
}
