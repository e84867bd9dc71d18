package pages

import (
	"net/http"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/policy"
	"mancala/lobby/seeks"
	"mancala/web/site"
)

// challengePage is the page at /challenge, where a player challenges another player.
type challengePage struct {
	head
	Person  site.MeJSON
	Systems []engine.Row
	Clocks  []choice
	Rated   bool // both players have accounts
	Asked   bool // the challenge was just sent
}

// ChallengePage serves the page at /challenge.
func (srv *Pages) ChallengePage(w http.ResponseWriter, r *http.Request) error {
	if srv.Prefs(r)["kids"] == "on" {
		return policy.ErrNoStrangers
	}
	other, err := srv.People.Player(r.Context(), r.URL.Query().Get("player"))
	if err != nil {
		return err
	}
	title := srv.Catalog(r).T("challenge.title", "name", other.Name)
	h := srv.head(r, title, "")
	return srv.render(w, r, http.StatusOK, "challenge", challengePage{
		h, site.MeJSON{ID: other.ID, Name: other.Name}, seeks.OfTwo(), clocks(srv.Catalog(r), lobby.SeekClocks), h.Me != "" && !other.Guest(), r.URL.Query().Has("asked"),
	})
}

// Challenge handles the form of that page.
func (srv *Pages) Challenge(w http.ResponseWriter, r *http.Request) error {
	form, err := site.FormOf(r)
	if err != nil {
		return err
	}
	player, err := srv.WhoActs(w, r)
	if err == nil {
		_, err = srv.Order(r, player, seeks.KindChallenge, orderIn(form))
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/challenge?asked&player="+form.Get("to"), http.StatusSeeOther)
	return nil
}

// endChallenge handles the forms that decline a challenge or take it back.
func (srv *Pages) endChallenge(w http.ResponseWriter, r *http.Request, kind string) error {
	player, known := srv.WhoIs(w, r)
	err := site.ErrNoIdentity
	if known {
		_, err = srv.Order(r, player, kind, seeks.Order{Seek: r.PathValue("id")})
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}
