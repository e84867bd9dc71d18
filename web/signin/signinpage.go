package signin

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
	"mancala/web/pages"
	"mancala/web/site"
)

// signInPage is the page at /account/sign-in, with the three ways to sign in.
type signInPage struct {
	pages.Head
	Name     string // as the player typed it, or the account that must sign in again
	Problem  string
	Failed   bool   // a wrong name, password or code
	Confirm  bool   // an account is signed in and must sign in again
	Then     string // where to go after confirming: pages.ThenName, or empty for the account's page
	Guest    string // the name of this device's guest, who stays on the device
	Passkeys bool   // browsers allow passkeys at this address
}

// signIn serves the page at /account/sign-in.
func (srv *Pages) signIn(w http.ResponseWriter, r *http.Request) error {
	return srv.showSignIn(w, r, http.StatusOK, func(*signInPage) {})
}

func (srv *Pages) showSignIn(w http.ResponseWriter, r *http.Request, status int, change func(*signInPage)) error {
	who, err := srv.WhoCame(w, r)
	if err != nil {
		return err
	}
	p := signInPage{Head: srv.NewHead(r, srv.Catalog(r).T("signin.title"), srv.Catalog(r).T("signin.description"))}
	p.Passkeys = srv.site(r).HasPasskeys()
	if pages.ThenName == cmp.Or(r.PostForm.Get("then"), r.URL.Query().Get("confirm")) {
		p.Then = pages.ThenName
	}
	if who.Player != "" {
		names, err := srv.People.Names(r.Context(), []string{who.Player})
		if err != nil {
			return err
		}
		if who.Session == nil {
			p.Guest = names[who.Player]
		} else {
			p.Confirm, p.Name = true, names[who.Player]
		}
	}
	change(&p)
	return srv.Render(w, r, status, "signin", p)
}

// byPassword handles the form with a password. The form with a passkey has the same
// address.
func (srv *Pages) byPassword(w http.ResponseWriter, r *http.Request) error {
	form, err := site.FormOf(r)
	if err != nil {
		return err
	}
	if form.Has("credential") {
		return srv.byPasskey(w, r)
	}
	return srv.tryToEnter(w, r, "/", srv.PasswordWait, func(ctx context.Context, name string) (string, error) {
		return srv.Accounts.ByPassword(ctx, name, r.PostForm.Get("password"))
	})
}

// byCode handles the form with a recovery code.
func (srv *Pages) byCode(w http.ResponseWriter, r *http.Request) error {
	wait := func(r *http.Request, _ string) time.Duration { return srv.SecretWait(r) }
	return srv.tryToEnter(w, r, "/account?done=recovered", wait, func(ctx context.Context, name string) (string, error) {
		return srv.Accounts.ByCode(ctx, name, r.PostForm.Get("code"))
	})
}

// tryToEnter signs in the player whom check finds. If limit returns a time, the attempt
// is refused and must wait that long. Both treat a name without account like any other.
func (srv *Pages) tryToEnter(w http.ResponseWriter, r *http.Request, to string, limit func(r *http.Request, name string) time.Duration, check func(ctx context.Context, name string) (string, error)) error {
	form, err := site.FormOf(r)
	if err != nil {
		return err
	}
	name := form.Get("name")
	var player string
	wait := limit(r, name)
	if wait > 0 {
		err = site.TooManyTries(wait)
	} else {
		player, err = check(r.Context(), name)
	}
	return srv.entered(w, r, player, to, wait, err)
}

// entered answers an attempt to sign in. If err is nil, it signs in player and redirects
// to to. If not, it shows the page with the reason. wait is the time until the next
// attempt is allowed.
func (srv *Pages) entered(w http.ResponseWriter, r *http.Request, player, to string, wait time.Duration, err error) error {
	if err == nil {
		var again bool
		if again, err = srv.enter(w, r, player); again {
			to = "/account?done=confirmed"
			if r.PostForm.Get("then") == pages.ThenName {
				to = "/settings?confirmed"
			}
		}
	}
	if err == nil {
		http.Redirect(w, r, to, http.StatusSeeOther)
		return nil
	}
	code := lobby.CodeOf(err)
	if code != account.CodeSignIn && code != site.CodeManyTries && err != site.ErrClosed {
		return err
	}
	_, status := srv.Failed(w, r, err)
	if wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	}
	return srv.showSignIn(w, r, status, func(p *signInPage) {
		if typed := r.PostForm.Get("name"); typed != "" {
			p.Name = site.FirstRunes(typed, 2*lobby.MaxName)
		}
		p.Failed, p.Problem = code == account.CodeSignIn, srv.Catalog(r).Sentence(code, refusal.Detail(err))
	})
}

// enter signs player in on this device. A guest of the device is kept for after signing
// out. A session on the device ends. again reports whether that session was the same
// player's.
func (srv *Pages) enter(w http.ResponseWriter, r *http.Request, player string) (again bool, err error) {
	if srv.Moderation.Closed(player) {
		return false, site.ErrClosed
	}
	was, err := srv.Identify(r)
	if err == site.ErrBadCookie {
		was, err = site.Identity{}, nil
	}
	if err != nil {
		return false, err
	}
	if err := srv.begin(w, r, player); err != nil {
		return false, err
	}
	switch {
	case was.Session != nil:
		if was.Player == player { // the player's other tabs continue with the new cookie
			return true, srv.Accounts.Replace(r.Context(), *was.Session)
		}
		return false, srv.Accounts.End(r.Context(), was.Player, was.Session.ID)
	case was.Player != "":
		token, err := srv.Tokens.Sign(was.Player)
		if err != nil {
			return false, err
		}
		http.SetCookie(w, srv.Cookie(site.GuestCookie, token, site.CookieLife))
	}
	return false, nil
}

// signOut ends the session on this device. If the device has a guest, the client becomes
// that guest again.
func (srv *Pages) signOut(w http.ResponseWriter, r *http.Request) error {
	who, err := srv.WhoCame(w, r)
	if err == nil && who.Session != nil {
		err = srv.Accounts.End(r.Context(), who.Player, who.Session.ID)
	}
	if err != nil {
		return err
	}
	if who.Session != nil {
		srv.RememberDevice(w, r, who.Player) // the session may have begun before device tokens existed
		srv.wakeGuest(w, r)
		w.Header().Set("Clear-Site-Data", `"storage"`) // deletes the account's pages that the browser keeps for reading offline
	}
	http.Redirect(w, r, "/account?done=out", http.StatusSeeOther)
	return nil
}

// wakeGuest gives the device back to its guest. If it has none, the client has no
// identity afterwards.
func (srv *Pages) wakeGuest(w http.ResponseWriter, r *http.Request) {
	srv.EndCookie(w, site.CookieName)
	c, err := r.Cookie(site.GuestCookie)
	if err != nil {
		return
	}
	srv.EndCookie(w, site.GuestCookie)
	player, session, ok := srv.Tokens.Verify(c.Value)
	if !ok || session != "" {
		return
	}
	if err := srv.SetCookie(w, site.Identity{Player: player}); err != nil { // each request checks whether the guest still exists
		lobby.Warn(srv.Log, "web: guest cookie not restored", err)
	}
}

// device describes a browser by its User-Agent header: "Firefox · Linux". It leaves out
// what it does not know.
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
