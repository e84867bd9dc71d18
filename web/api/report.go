package api

import (
	"net/http"

	"mancala/web/site"
)

// apiReport reports a player, for programs and for the script of a game's page.
func (srv *API) apiReport(w http.ResponseWriter, r *http.Request) error {
	var q site.ReportJSON
	player, known := srv.WhoIs(w, r)
	err := site.ReadJSON(r, &q)
	if err == nil && !known {
		err = site.ErrNoIdentity
	}
	if err == nil {
		err = srv.Report(r.Context(), srv.Address(r), player, q)
	}
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusCreated, struct{}{})
}
