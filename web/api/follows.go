package api

import (
	"net/http"

	"mancala/web/site"
)

// apiCircle lists whom the asker follows and blocks.
func (srv *API) apiCircle(w http.ResponseWriter, r *http.Request) {
	player, known := srv.WhoIs(w, r)
	if !known {
		srv.RefuseAPI(w, r, site.ErrNoIdentity)
		return
	}
	c, err := srv.Circle(r.Context(), player)
	if err != nil {
		srv.RefuseAPI(w, r, err)
		return
	}
	srv.Answer(w, http.StatusOK, c)
}

// apiTie makes or ends a tie of the asker.
func (srv *API) apiTie(what string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		player, known := srv.WhoIs(w, r)
		err := site.ErrNoIdentity
		if known {
			err = srv.Tied(r.Context(), player, what, r.PathValue("player"))
		}
		if err != nil {
			srv.RefuseAPI(w, r, err)
			return
		}
		srv.Answer(w, http.StatusOK, struct{}{})
	}
}
