package pages

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"mancala/lobby"
	"mancala/lobby/account"
	"mancala/web/site"
)

// ceremonyCookie ties what is asked of a browser's passkeys to that browser.
const ceremonyCookie = "mancala-ceremony"

// site is where a request's passkeys are made and used.
func (srv *Pages) site(r *http.Request) account.Site {
	base := strings.ToLower(srv.Base(r))
	u, err := url.Parse(base)
	if err != nil {
		return account.Site{}
	}
	return account.Site{Name: u.Hostname(), Origin: base}
}

// AskPasskey answers a page's script with what to ask the browser: to make a
// passkey for a new account or for this one, or to show one. What the browser
// answers comes back by one of the page's forms.
func (srv *Pages) AskPasskey(w http.ResponseWriter, r *http.Request) {
	var body struct {
		For  string `json:"for"` // "create", "add", "sign-in"
		Name string `json:"name"`
	}
	err := site.ReadJSON(r, &body)
	if err == nil {
		err = lobby.SlowDown(srv.PasskeyLimit.WaitAddress(srv.Address(r)))
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
			err = site.ErrBadFrame
		}
	}
	if err != nil {
		srv.RefuseAPI(w, r, err)
		return
	}
	c := srv.Cookie(ceremonyCookie, id, account.CeremonyLife)
	c.Path, c.SameSite = "/account", http.SameSiteStrictMode
	http.SetCookie(w, c)
	srv.Answer(w, http.StatusOK, map[string]any{"publicKey": json.RawMessage(options)})
}

func (srv *Pages) askToAdd(w http.ResponseWriter, r *http.Request) (options []byte, id string, err error) {
	who, err := srv.WhoCame(w, r)
	if err == nil && (who.Session == nil || !who.Session.Fresh) {
		err = site.ErrNoIdentity
	}
	if err != nil {
		return nil, "", err
	}
	names, err := srv.People.Names(r.Context(), []string{who.Player})
	if err != nil {
		return nil, "", err
	}
	return srv.Accounts.BeginPasskey(r.Context(), srv.site(r), who.Player, names[who.Player])
}

// askToCreate refuses a name that cannot be had before a passkey is made for it.
func (srv *Pages) askToCreate(w http.ResponseWriter, r *http.Request, name string) (options []byte, id string, err error) {
	name, err = lobby.AccountName(name)
	if err != nil {
		return nil, "", err
	}
	if err := srv.People.NameFree(r.Context(), name); err != nil {
		return nil, "", err
	}
	player, err := srv.WhoActs(w, r)
	if err != nil {
		return nil, "", err
	}
	return srv.Accounts.BeginPasskey(r.Context(), srv.site(r), player, name)
}

// ceremony is what was asked of this browser, which it is from now on no more.
func (srv *Pages) ceremony(w http.ResponseWriter, r *http.Request) string {
	c, err := r.Cookie(ceremonyCookie)
	if err != nil {
		return ""
	}
	over := srv.Cookie(ceremonyCookie, "", 0)
	over.Path, over.MaxAge, over.SameSite = "/account", -1, http.SameSiteStrictMode
	http.SetCookie(w, over)
	return c.Value
}

// byPasskey signs in whose passkey has answered.
func (srv *Pages) byPasskey(w http.ResponseWriter, r *http.Request) {
	var player string
	var err error
	wait := srv.SecretWait(r)
	if wait > 0 {
		err = site.TooManyTries(wait)
	} else {
		player, err = srv.Accounts.ByPasskey(r.Context(), srv.site(r), srv.ceremony(w, r), r.PostForm.Get("credential"))
	}
	srv.entered(w, r, player, "/", wait, err)
}

// Passkeys is the form of an account's passkeys: another one, or another name,
// or one less.
func (srv *Pages) Passkeys(w http.ResponseWriter, r *http.Request) {
	s, ok := srv.freshly(w, r)
	if !ok {
		return
	}
	form, err := site.FormOf(r)
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
		srv.Fail(w, r, err)
		return
	}
	http.Redirect(w, r, "/account?done="+done, http.StatusSeeOther)
}
