package web

import (
	"cmp"
	"context"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"mancala/lobby"
	"mancala/lobby/account"
	"mancala/match/refusal"
)

// guestCookie keeps who was a guest on this device while somebody is signed in
// on it: who signs out is that guest again, with his games.
const guestCookie = "mancala-guest"

// thenName is what the page to sign in is told by a player who has to sign in once
// more to change the name.
const thenName = "name"

// signInPage is the page at /account/sign-in, with the three ways to do it.
type signInPage struct {
	head
	Name     string // as it was typed, or of who shall confirm that it is he
	Problem  string
	Failed   bool // a wrong name, password or code
	Confirm  bool
	Then     string // where a player goes who has confirmed: thenName, or empty for the account's page
	Guest    string // who waits here meanwhile
	Passkeys bool   // browsers have passkeys for this site
}

func (srv *Server) signIn(w http.ResponseWriter, r *http.Request) {
	srv.showSignIn(w, r, http.StatusOK, func(*signInPage) {})
}

func (srv *Server) showSignIn(w http.ResponseWriter, r *http.Request, status int, change func(*signInPage)) {
	who, err := srv.whoCame(w, r)
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	p := signInPage{head: srv.head(r, srv.catalog(r).t("signin.title"), srv.catalog(r).t("signin.description"))}
	p.Passkeys = srv.site(r).HasPasskeys()
	if thenName == cmp.Or(r.PostForm.Get("then"), r.URL.Query().Get("confirm")) {
		p.Then = thenName
	}
	if who.player != "" {
		names, err := srv.People.Names(r.Context(), []string{who.player})
		if err != nil {
			srv.failWith(w, r, err)
			return
		}
		if who.session == nil {
			p.Guest = names[who.player]
		} else {
			p.Confirm, p.Name = true, names[who.player]
		}
	}
	change(&p)
	srv.render(w, r, status, "signin", p)
}

// byPassword and byCode are the forms of the page; that of a passkey goes to the
// same place as the password's.
func (srv *Server) byPassword(w http.ResponseWriter, r *http.Request) {
	if form, err := formOf(r); err == nil && form.Has("credential") {
		srv.byPasskey(w, r)
		return
	}
	srv.tryToEnter(w, r, "/", srv.passwordWait, func(ctx context.Context, name string) (string, error) {
		return srv.Accounts.ByPassword(ctx, name, r.PostForm.Get("password"))
	})
}

func (srv *Server) byCode(w http.ResponseWriter, r *http.Request) {
	wait := func(r *http.Request, _ string) time.Duration { return srv.secretWait(r) }
	srv.tryToEnter(w, r, "/account?done=recovered", wait, func(ctx context.Context, name string) (string, error) {
		return srv.Accounts.ByCode(ctx, name, r.PostForm.Get("code"))
	})
}

// tryToEnter signs in the player whom check finds, unless limit says how long this
// try has to wait. Both treat a name that nobody has like any other.
func (srv *Server) tryToEnter(w http.ResponseWriter, r *http.Request, to string, limit func(r *http.Request, name string) time.Duration, check func(ctx context.Context, name string) (string, error)) {
	form, err := formOf(r)
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	name := form.Get("name")
	var player string
	wait := limit(r, name)
	if wait > 0 {
		err = tooManyTries(wait)
	} else {
		player, err = check(r.Context(), name)
	}
	srv.entered(w, r, player, to, wait, err)
}

// entered answers who has tried to sign in: he is, or the page says why not. wait
// is how long he has to wait before he may try again.
func (srv *Server) entered(w http.ResponseWriter, r *http.Request, player, to string, wait time.Duration, err error) {
	if err == nil {
		var again bool
		if again, err = srv.enter(w, r, player); again {
			to = "/account?done=confirmed"
			if r.PostForm.Get("then") == thenName {
				to = "/settings?confirmed"
			}
		}
	}
	if err == nil {
		http.Redirect(w, r, to, http.StatusSeeOther)
		return
	}
	code := lobby.CodeOf(err)
	if code != account.CodeSignIn && code != codeManyTries && err != errClosed {
		srv.failWith(w, r, err)
		return
	}
	_, status := srv.failed(w, r, err)
	if wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	}
	srv.showSignIn(w, r, status, func(p *signInPage) {
		if typed := r.PostForm.Get("name"); typed != "" {
			p.Name = firstRunes(typed, 2*lobby.MaxName)
		}
		p.Failed, p.Problem = code == account.CodeSignIn, srv.catalog(r).sentence(code, refusal.Detail(err))
	})
}

const codeManyTries refusal.Code = "too-many-tries"

func tooManyTries(wait time.Duration) error {
	return refusal.With(codeManyTries, map[string]string{"minutes": minutes(wait)})
}

// enter signs in on this device who has shown who he is. A guest who was here
// waits until he signs out; a session that was here ends. again says that it was
// his own.
func (srv *Server) enter(w http.ResponseWriter, r *http.Request, player string) (again bool, err error) {
	if srv.Desk.Closed(player) {
		return false, errClosed
	}
	was, err := srv.identify(r)
	if err == errBadCookie {
		was, err = identity{}, nil
	}
	if err != nil {
		return false, err
	}
	if err := srv.begin(w, r, player); err != nil {
		return false, err
	}
	switch {
	case was.session != nil:
		again = was.player == player
		if again { // his other tabs go on, with the cookie that they have from now on
			srv.renewSockets(was.session.ID)
		}
		return again, srv.Accounts.End(r.Context(), was.player, was.session.ID)
	case was.player != "":
		token, err := srv.Tokens.Sign(was.player)
		if err != nil {
			return false, err
		}
		http.SetCookie(w, srv.cookie(guestCookie, token, cookieLife))
	}
	return false, nil
}

// signOut ends the session on this device. If a guest waits here, he is who
// plays now.
func (srv *Server) signOut(w http.ResponseWriter, r *http.Request) {
	who, err := srv.whoCame(w, r)
	if err == nil && who.session != nil {
		err = srv.Accounts.End(r.Context(), who.player, who.session.ID)
	}
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	if who.session != nil {
		srv.rememberDevice(w, r, who.player) // for a session that is older than device tokens
		srv.wakeGuest(w, r)
		w.Header().Set("Clear-Site-Data", `"storage"`) // pages of his that could be read without a network
	}
	http.Redirect(w, r, "/account?done=out", http.StatusSeeOther)
}

// wakeGuest gives a device back to the guest who waits on it, or to nobody.
func (srv *Server) wakeGuest(w http.ResponseWriter, r *http.Request) {
	srv.endCookie(w, cookieName)
	c, err := r.Cookie(guestCookie)
	if err != nil {
		return
	}
	srv.endCookie(w, guestCookie)
	player, session, ok := srv.Tokens.Verify(c.Value)
	if !ok || session != "" {
		return
	}
	if err := srv.setCookie(w, identity{player: player}); err != nil { // whether he still is one is asked at each visit
		lobby.Warn(srv.log, "web: guest not woken", err)
	}
}

// device says in a few words what somebody signs in with, as his browser tells:
// "Firefox on Linux". What it does not know it leaves out.
func device(agent string) string {
	first := func(words ...string) string {
		for i := 0; i < len(words); i += 2 {
			if strings.Contains(agent, words[i]) {
				return words[i+1]
			}
		}
		return ""
	}
	browser := first("Edg", "Edge", "OPR/", "Opera", "SamsungBrowser", "Samsung Internet", "Firefox/", "Firefox", "FxiOS", "Firefox",
		"Chrome/", "Chrome", "CriOS", "Chrome", "Safari/", "Safari")
	system := first("iPhone", "iPhone", "iPad", "iPad", "Android", "Android", "CrOS", "ChromeOS", "Windows", "Windows", "Mac OS X", "Mac", "Linux", "Linux")
	if browser == "" || system == "" {
		return browser + system
	}
	return browser + " · " + system
}
