package pages

import (
	"net/http"
	"net/url"
	"strings"

	"mancala/lobby/social"
	"mancala/web/site"
)

// Relate handles the forms that follow, unfollow, block or unblock a player. They
// are on the page of people, on the player's own page and in a game. Each leads back to
// the page it is on.
func (srv *Pages) Relate(w http.ResponseWriter, r *http.Request) error {
	form, err := site.FormOf(r)
	if err != nil {
		return err
	}
	player, err := srv.WhoActs(w, r)
	if err == nil {
		err = srv.ChangeRelation(r.Context(), player, social.Action(form.Get("do")), form.Get("player"))
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r, local(form.Get("back"), "/people"), http.StatusSeeOther)
	return nil
}

// local returns path if it is a path on this site, and other if not.
func local(path, other string) string {
	u, err := url.Parse(path)
	if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.Contains(path, `\`) {
		return other
	}
	return u.String()
}
