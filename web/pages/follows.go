package pages

import (
	"net/http"
	"net/url"
	"strings"

	"mancala/web/site"
)

// TiePeople is the forms about a person: on the page of people, on his own, and in a
// game. They lead back to where they were.
func (srv *Pages) TiePeople(w http.ResponseWriter, r *http.Request) {
	form, err := site.FormOf(r)
	if err != nil {
		srv.Fail(w, r, err)
		return
	}
	player, err := srv.WhoActs(w, r)
	if err == nil {
		err = srv.Tied(r.Context(), player, form.Get("do"), form.Get("player"))
	}
	if err != nil {
		srv.Fail(w, r, err)
		return
	}
	http.Redirect(w, r, local(form.Get("back"), "/people"), http.StatusSeeOther)
}

// local is a path of this site, or another one if it is none.
func local(path, other string) string {
	u, err := url.Parse(path)
	if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.Contains(path, `\`) {
		return other
	}
	return u.String()
}
