package site

import (
	"errors"
	"net/http"
	"time"

	"mancala/lobby"
	"mancala/lobby/account"
)

// errBadCookie is a cookie that this service has not signed.
var ErrBadCookie = errors.New("web: bad cookie")

const (
	CookieName = "mancala"
	CookieLife = 400 * 24 * time.Hour // the longest that browsers keep one
)

// Identity is who asks: a stranger, a guest, or somebody who has signed in.
type Identity struct {
	Player  string           // empty for a stranger
	Session *account.Session // of an account
	token   string           // the ID of the one that a program has shown for him
	stale   bool             // his cookie is of an older key
}

// Signed is what ends what he has opened, when it ends itself.
func (who Identity) Signed() string {
	if who.Session != nil {
		return who.Session.ID
	}
	return who.token
}

// Over says that he is no more who he was a moment ago. It is for after an
// upgrade, when the request's context must not be used any more.
func (srv *Site) Over(who Identity) bool {
	if who.Session != nil {
		if _, err := srv.Accounts.Session(srv.Workers.Context(), who.Session.ID, who.Player); lobby.CodeOf(err) == account.CodeNoSession {
			return true
		}
	}
	return srv.Desk.Closed(who.Player)
}

// Identify reads a request's cookie. A cookie that is not good is a stranger's:
// one that is forged, of a session that has ended, or a guest's from before he
// had an account.
func (srv *Site) Identify(r *http.Request) (Identity, error) {
	if t, ok := r.Context().Value(bearerKey{}).(account.Token); ok {
		return Identity{Player: t.Player, token: t.ID}, nil
	}
	c, err := r.Cookie(CookieName)
	if err != nil {
		return Identity{}, nil
	}
	player, session, ok := srv.Tokens.Verify(c.Value)
	if !ok {
		return Identity{}, ErrBadCookie
	}
	if srv.Desk.Closed(player) {
		return Identity{}, nil
	}
	who := Identity{Player: player, stale: srv.Tokens.Stale(c.Value)}
	if session == "" {
		guest, err := srv.People.IsGuest(r.Context(), player)
		if code := lobby.CodeOf(err); err != nil && code != lobby.CodeNoPlayer {
			lobby.Warn(srv.Log, "web: a guest is believed without asking", err) // the signature is good
		} else if !guest {
			return Identity{}, nil
		}
		return who, nil
	}
	s, err := srv.Accounts.Session(r.Context(), session, player)
	if lobby.CodeOf(err) == account.CodeNoSession {
		return Identity{}, nil
	}
	who.Session = &s
	return who, err
}

// WhoIs is the player that a request's cookie names; false for a stranger, and
// for a guest who was away for so long that he is no more. That he is here is
// noted; a cookie signed with an older key is replaced by a new one.
func (srv *Site) WhoIs(w http.ResponseWriter, r *http.Request) (player string, ok bool) {
	who, err := srv.WhoCame(w, r)
	if err != nil {
		lobby.Warn(srv.Log, "web: session not read", err)
	}
	return who.Player, err == nil && who.Player != ""
}

// WhoCame is whoIs for those who need to know about his session, or why it could
// not be known.
func (srv *Site) WhoCame(w http.ResponseWriter, r *http.Request) (Identity, error) {
	who, err := srv.Identify(r)
	switch {
	case err == ErrBadCookie: // forged, or of a key that is no more
		srv.Metrics.Refused("bad-cookie")
		return Identity{}, nil
	case err != nil:
		return Identity{}, err
	case who.Player == "":
		return who, nil
	}
	if err := srv.People.Seen(r.Context(), who.Player); lobby.CodeOf(err) == lobby.CodeNoPlayer {
		return Identity{}, nil
	} else if err != nil {
		lobby.Warn(srv.Log, "web: sign of life not noted", err) // the signature is good all the same
	}
	if who.stale {
		if err := srv.SetCookie(w, who); err != nil {
			lobby.Warn(srv.Log, "web: cookie not renewed", err)
		}
	}
	return who, nil
}

// WhoActs is the player behind an action. A stranger becomes a guest, with a
// cookie: that happens at the first action, never by looking. While it cannot be
// known who somebody is, nothing is made of him.
func (srv *Site) WhoActs(w http.ResponseWriter, r *http.Request) (string, error) {
	who, err := srv.WhoCame(w, r)
	if err != nil || who.Player != "" {
		return who.Player, err
	}
	if err := lobby.SlowDown(srv.GuestLimit.WaitAddress(srv.Address(r))); err != nil {
		return "", err
	}
	p, err := srv.People.Guest(r.Context())
	if err != nil {
		return "", err
	}
	return p.ID, srv.SetCookie(w, Identity{Player: p.ID})
}

func (srv *Site) SetCookie(w http.ResponseWriter, who Identity) error {
	session := ""
	if who.Session != nil {
		session = who.Session.ID
	}
	token, err := srv.Tokens.SignSession(who.Player, session)
	if err != nil {
		return err
	}
	http.SetCookie(w, srv.Cookie(CookieName, token, CookieLife))
	return nil
}

// Cookie is one that no script and no other site may read or send.
func (srv *Site) Cookie(name, value string, life time.Duration) *http.Cookie {
	return &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: int(life / time.Second),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: srv.Secure,
	}
}

// EndCookie makes a browser forget a cookie.
func (srv *Site) EndCookie(w http.ResponseWriter, name string) {
	c := srv.Cookie(name, "", 0)
	c.MaxAge = -1
	http.SetCookie(w, c)
}
