package web

import (
	"net/http"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/seeks"
)

// challengePage is where one asks somebody by name to play.
type challengePage struct {
	head
	Person  meJSON
	Systems []engine.Row
	Clocks  []choice
	Rated   bool // both have accounts
	Asked   bool // just now
}

func (srv *Server) challengePage(w http.ResponseWriter, r *http.Request) {
	other, err := srv.People.Player(r.Context(), r.URL.Query().Get("player"))
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	title := srv.catalog(r).t("challenge.title", "name", other.Name)
	h := srv.head(r, title, "")
	srv.render(w, r, http.StatusOK, "challenge", challengePage{
		h, meJSON{other.ID, other.Name}, ofTwo(), srv.catalog(r).clocks(lobby.SeekClocks), h.Me != "" && !other.Guest(), r.URL.Query().Has("asked"),
	})
}

// challenge is the form of that page.
func (srv *Server) challenge(w http.ResponseWriter, r *http.Request) {
	form, err := formOf(r)
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	player, err := srv.whoActs(w, r)
	if err == nil {
		_, err = srv.order(r.Context(), player, seeks.KindChallenge, orderIn(form))
	}
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	http.Redirect(w, r, "/challenge?asked&player="+form.Get("to"), http.StatusSeeOther)
}

// endChallenge is the forms that say no to a challenge, or take one back.
func (srv *Server) endChallenge(w http.ResponseWriter, r *http.Request, kind string) {
	player, known := srv.whoIs(w, r)
	err := errNoIdentity
	if known {
		_, err = srv.order(r.Context(), player, kind, seeks.Order{Seek: r.PathValue("id")})
	}
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}
