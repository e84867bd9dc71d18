package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"mancala/lobby"
	"mancala/lobby/account"
)

// ceremonyCookie ties what is asked of a browser's passkeys to that browser.
const ceremonyCookie = "mancala-ceremony"

// site is where a request's passkeys are made and used.
func (srv *Server) site(r *http.Request) account.Site {
	base := strings.ToLower(srv.base(r))
	u, err := url.Parse(base)
	if err != nil {
		return account.Site{}
	}
	return account.Site{Name: u.Hostname(), Origin: base}
}

// askPasskey answers a page's script with what to ask the browser: to make a
// passkey for a new account or for this one, or to show one. What the browser
// answers comes back by one of the page's forms.
func (srv *Server) askPasskey(w http.ResponseWriter, r *http.Request) {
	var body struct {
		For  string `json:"for"` // "create", "add", "sign-in"
		Name string `json:"name"`
	}
	err := readJSON(r, &body)
	if err == nil {
		err = lobby.SlowDown(srv.passkeyLimit.WaitAddress(srv.address(r)))
	}
	var options []byte
	var id string
	if err == nil {
		switch body.For {
		case "sign-in":
			options, id, err = srv.Accounts.BeginSignIn(r.Context(), srv.site(r))
		case "add":
			options, id, err = srv.askToAdd(w, r)
		case "create":
			options, id, err = srv.askToCreate(w, r, body.Name)
		default:
			err = errBadFrame
		}
	}
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	c := srv.cookie(ceremonyCookie, id, account.CeremonyLife)
	c.Path, c.SameSite = "/account", http.SameSiteStrictMode
	http.SetCookie(w, c)
	srv.answer(w, http.StatusOK, map[string]any{"publicKey": json.RawMessage(options)})
}

func (srv *Server) askToAdd(w http.ResponseWriter, r *http.Request) (options []byte, id string, err error) {
	who, err := srv.whoCame(w, r)
	if err == nil && (who.session == nil || !who.session.Fresh) {
		err = errNoIdentity
	}
	if err != nil {
		return nil, "", err
	}
	names, err := srv.People.Names(r.Context(), []string{who.player})
	if err != nil {
		return nil, "", err
	}
	return srv.Accounts.BeginPasskey(r.Context(), srv.site(r), who.player, names[who.player])
}

// askToCreate refuses a name that cannot be had before a passkey is made for it.
func (srv *Server) askToCreate(w http.ResponseWriter, r *http.Request, name string) (options []byte, id string, err error) {
	name, err = lobby.AccountName(name)
	if err != nil {
		return nil, "", err
	}
	if err := srv.People.NameFree(r.Context(), name); err != nil {
		return nil, "", err
	}
	player, err := srv.whoActs(w, r)
	if err != nil {
		return nil, "", err
	}
	return srv.Accounts.BeginPasskey(r.Context(), srv.site(r), player, name)
}

// ceremony is what was asked of this browser, which it is from now on no more.
func (srv *Server) ceremony(w http.ResponseWriter, r *http.Request) string {
	c, err := r.Cookie(ceremonyCookie)
	if err != nil {
		return ""
	}
	over := srv.cookie(ceremonyCookie, "", 0)
	over.Path, over.MaxAge, over.SameSite = "/account", -1, http.SameSiteStrictMode
	http.SetCookie(w, over)
	return c.Value
}

// byPasskey signs in whose passkey has answered.
func (srv *Server) byPasskey(w http.ResponseWriter, r *http.Request) {
	var player string
	var err error
	wait := srv.secretWait(r)
	if wait > 0 {
		err = tooManyTries(wait)
	} else {
		player, err = srv.Accounts.ByPasskey(r.Context(), srv.site(r), srv.ceremony(w, r), r.PostForm.Get("credential"))
	}
	srv.entered(w, r, player, "/", wait, err)
}

// passkeys is the form of an account's passkeys: another one, or another name,
// or one less.
func (srv *Server) passkeys(w http.ResponseWriter, r *http.Request) {
	s, ok := srv.freshly(w, r)
	if !ok {
		return
	}
	form, err := formOf(r)
	done := "passkey"
	switch id := form.Get("id"); {
	case err != nil:
	case form.Has("credential"):
		err = srv.Accounts.AddPasskey(r.Context(), srv.site(r), s.Player, srv.ceremony(w, r), form.Get("credential"), device(r.UserAgent()))
	case form.Has("remove"):
		done = "unpasskey"
		err = srv.Accounts.RemovePasskey(r.Context(), s.Player, id)
	default:
		done = "named"
		err = srv.Accounts.NamePasskey(r.Context(), s.Player, id, form.Get("name"))
	}
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	http.Redirect(w, r, "/account?done="+done, http.StatusSeeOther)
}
