package site

import (
	"errors"
	"net/http"
	"time"

	"mancala/lobby"
	"mancala/lobby/account"
)

// ErrBadCookie is the error for a cookie that this service has not signed.
var ErrBadCookie = errors.New("web: bad cookie")

const (
	CookieName = "mancala"
	// GuestCookie keeps the identity of this device's guest while an account is signed in
	// on the device. When the session ends, the player is that guest again, with the
	// guest's games.
	GuestCookie = "mancala-guest"
	CookieLife  = 400 * 24 * time.Hour // browsers keep no cookie longer
)

// Identity is the sender of a request: a stranger, a guest, or a player with an
// account.
type Identity struct {
	Player  string           // empty for a stranger
	Session *account.Session // the session of an account
	token   string           // the ID of the token that a program has sent for the player
	stale   bool             // the cookie was signed with an older key
	kept    bool             // the guest of [GuestCookie]
}

// Signed returns the ID of the session or token. When that ends, everything opened
// with it is closed.
func (who Identity) Signed() string {
	if who.Session != nil {
		return who.Session.ID
	}
	return who.token
}

// IsProgram reports whether a program has sent a token.
func (who Identity) IsProgram() bool { return who.token != "" }

// Over reports whether an identity has ended since Identify read it. It serves the
// time after an upgrade, when the request's context must not be used.
func (srv *Site) Over(who Identity) bool {
	if who.Session != nil {
		if _, err := srv.Accounts.Session(srv.Workers.Context(), who.Session.ID, who.Player); lobby.CodeOf(err) == account.CodeNoSession {
			return true
		}
	}
	return srv.Moderation.Closed(who.Player)
}

// Identify reads a request's cookie or token. These cookies count as a stranger's:
// one of a session that has ended, one of a closed account, and a guest's cookie
// after the guest has made an account. A stranger on a device that keeps a guest is
// that guest. A forged cookie gives [ErrBadCookie].
func (srv *Site) Identify(r *http.Request) (Identity, error) {
	if t, ok := r.Context().Value(bearerKey{}).(account.Token); ok {
		return Identity{Player: t.Player, token: t.ID}, nil
	}
	who, err := srv.ofCookie(r, CookieName)
	if err != nil || who.Player != "" {
		return who, err
	}
	// The session may have been ended on another device, or by an operator. No cookie is
	// changed here: the answer to another tab may carry that of the next session.
	if guest, err := srv.ofCookie(r, GuestCookie); err == nil && guest.Session == nil {
		guest.kept = guest.Player != ""
		return guest, nil
	}
	return who, nil
}

// ofCookie returns the identity of one cookie.
func (srv *Site) ofCookie(r *http.Request, name string) (Identity, error) {
	c, err := r.Cookie(name)
	if err != nil {
		return Identity{}, nil
	}
	player, session, ok := srv.Tokens.Verify(c.Value)
	if !ok {
		return Identity{}, ErrBadCookie
	}
	if srv.Moderation.Closed(player) {
		return Identity{}, nil
	}
	who := Identity{Player: player, stale: srv.Tokens.Stale(c.Value)}
	if session == "" {
		guest, err := srv.People.IsGuest(r.Context(), player)
		if code := lobby.CodeOf(err); err != nil && code != lobby.CodeNoPlayer {
			lobby.Warn(srv.Log, "web: guest accepted without a check against the database", err) // the signature is valid
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

// WhoIs returns the player that a request's cookie names. ok is false for a
// stranger, for a guest who was deleted after a long absence, and while the session
// cannot be read. An action that then answers with [ErrNoIdentity] is refused with the
// error of that reading instead, see [Unread]. WhoIs records that the player was seen,
// and renews a cookie that was signed with an older key.
func (srv *Site) WhoIs(w http.ResponseWriter, r *http.Request) (player string, ok bool) {
	who, err := srv.WhoCame(w, r)
	if err != nil {
		lobby.Warn(srv.Log, "web: session not read", err)
		KeptBy(r).unread = err
	}
	return who.Player, err == nil && who.Player != ""
}

// Unread returns the error with which a request is refused. That is err, unless err is
// [ErrNoIdentity] because [Site.WhoIs] could not read the session. Such a client has an
// identity and should try again.
func Unread(r *http.Request, err error) error {
	if unread := KeptBy(r).unread; unread != nil && errors.Is(err, ErrNoIdentity) {
		return unread
	}
	return err
}

// WhoCame is WhoIs for callers that need the session, or the error that prevented
// reading it.
func (srv *Site) WhoCame(w http.ResponseWriter, r *http.Request) (Identity, error) {
	who, err := srv.Identify(r)
	switch {
	case err == ErrBadCookie: // forged, or signed with a key that has expired
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
		lobby.Warn(srv.Log, "web: last visit of the player not stored", err) // not fatal: the signature is valid
	}
	if who.stale && !who.kept {
		if err := srv.SetCookie(w, who); err != nil {
			lobby.Warn(srv.Log, "web: cookie not renewed", err)
		}
	}
	return who, nil
}

// WhoActs returns the player who performs an action. A stranger becomes a guest with
// a cookie. That happens at the first action, never at reading a page. If the
// identity cannot be read, no guest is made. The guest whom the device keeps gets it
// back then.
func (srv *Site) WhoActs(w http.ResponseWriter, r *http.Request) (string, error) {
	who, err := srv.WhoCame(w, r)
	if err == nil && who.kept {
		srv.EndCookie(w, GuestCookie)
		err = srv.SetCookie(w, Identity{Player: who.Player})
	}
	if err != nil || who.Player != "" {
		return who.Player, err
	}
	if err := lobby.SlowDown(srv.Limit(LimitGuests).WaitAddress(srv.Address(r))); err != nil {
		return "", err
	}
	p, err := srv.People.Guest(r.Context())
	if err != nil {
		return "", err
	}
	return p.ID, srv.SetCookie(w, Identity{Player: p.ID})
}

// SetCookie sends the cookie of an identity.
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

// Cookie returns a cookie that scripts cannot read. Browsers do not send it with
// another site's forms or scripts.
func (srv *Site) Cookie(name, value string, life time.Duration) *http.Cookie {
	return &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: int(life / time.Second),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: srv.Secure,
	}
}

// EndCookie makes the browser delete a cookie.
func (srv *Site) EndCookie(w http.ResponseWriter, name string) {
	c := srv.Cookie(name, "", 0)
	c.MaxAge = -1
	http.SetCookie(w, c)
}
