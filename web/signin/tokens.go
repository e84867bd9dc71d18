package signin

import (
	"net/http"

	"mancala/web/site"
)

// makeToken handles the form that creates or revokes an API token. It shows a new token
// only this time.
func (srv *Pages) makeToken(w http.ResponseWriter, r *http.Request) error {
	s, err := srv.freshly(w, r)
	if err != nil {
		return err
	}
	form, err := site.FormOf(r)
	if err == nil && form.Has("revoke") {
		if err = srv.Accounts.RevokeToken(r.Context(), s.Player, form.Get("revoke")); err == nil {
			http.Redirect(w, r, "/account?done=revoked", http.StatusSeeOther)
			return nil
		}
	}
	secret := ""
	if err == nil {
		secret, err = srv.Accounts.MakeToken(r.Context(), s.Player, form.Get("name"), form["scope"])
	}
	if err != nil {
		return err
	}
	return srv.showAccount(w, r, http.StatusOK, func(p *accountPage) { p.Secret = secret })
}
