package signin

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"mancala/lobby"
	"mancala/lobby/account"
	"mancala/lobby/address"
	"mancala/web/site"
)

// ceremonyCookie holds the ID of the ceremony that this browser has started.
const ceremonyCookie = "mancala-ceremony"

// site returns the site to which a request's passkeys belong.
func (srv *Pages) site(r *http.Request) account.Site {
	base := strings.ToLower(srv.Base(r))
	u, err := url.Parse(base)
	if err != nil {
		return account.Site{}
	}
	return account.Site{Name: u.Hostname(), Origin: base}
}

// place names where the client is.
func (srv *Pages) place(r *http.Request) string { return address.Place(srv.Address(r)) }

// askPasskey starts a passkey ceremony. It returns the options that the page's script
// passes to the browser: to create a passkey for a new account or for this account, or
// to use one. One of the page's forms sends the browser's answer.
func (srv *Pages) askPasskey(w http.ResponseWriter, r *http.Request) error {
	var body struct {
		For  string `json:"for"` // "create", "add", "sign-in"
		Name string `json:"name"`
	}
	err := site.ReadJSON(r, &body)
	if err == nil {
		err = lobby.SlowDown(srv.Limit(site.LimitPasskeys).WaitAddress(srv.Address(r)))
	}
	var options []byte
	var id string
	if err == nil {
		switch body.For {
		case "sign-in":
			options, id, err = srv.Accounts.BeginSignIn(r.Context(), srv.site(r), srv.place(r))
		case "add":
			options, id, err = srv.askToAdd(w, r)
		case "create":
			options, id, err = srv.askToCreate(w, r, body.Name)
		default:
			err = site.ErrBadFrame
		}
	}
	if err != nil {
		return err
	}
	c := srv.Cookie(ceremonyCookie, id, account.CeremonyLife)
	c.Path, c.SameSite = "/account", http.SameSiteStrictMode
	http.SetCookie(w, c)
	return srv.Answer(w, http.StatusOK, map[string]any{"publicKey": json.RawMessage(options)})
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
	return srv.Accounts.BeginPasskey(r.Context(), srv.site(r), srv.place(r), who.Player, names[who.Player])
}

// askToCreate starts the ceremony for a new account. It refuses a name that is invalid
// or taken before the browser creates a passkey for it.
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
	return srv.Accounts.BeginPasskey(r.Context(), srv.site(r), srv.place(r), player, name)
}

// ceremony returns the ID of the ceremony that this browser has started, and deletes
// its cookie.
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

// byPasskey signs in the player to whom the passkey belongs.
func (srv *Pages) byPasskey(w http.ResponseWriter, r *http.Request) error {
	var player string
	var err error
	wait := srv.SecretWait(r)
	if wait > 0 {
		err = site.TooManyTries(wait)
	} else {
		player, err = srv.Accounts.ByPasskey(r.Context(), srv.site(r), srv.ceremony(w, r), r.PostForm.Get("credential"))
	}
	return srv.entered(w, r, player, "/", wait, err)
}

// changePasskeys handles the form that adds, renames or removes a passkey of the account.
func (srv *Pages) changePasskeys(w http.ResponseWriter, r *http.Request) error {
	s, err := srv.freshly(w, r)
	if err != nil {
		return err
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
		return err
	}
	http.Redirect(w, r, "/account?done="+done, http.StatusSeeOther)
	return nil
}
