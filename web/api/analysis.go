package api

import (
	"net/http"

	"mancala/lobby"
	"mancala/match/room"
	"mancala/web/site"
)

// apiAnalysis gives the analysis of a game, as far as it has come; POST asks for it,
// and DELETE gives up what one has asked for.
func (srv *API) apiAnalysis(w http.ResponseWriter, r *http.Request) {
	id, status := r.PathValue("id"), http.StatusOK
	player, _ := srv.WhoIs(w, r)
	err := error(nil)
	switch {
	case !lobby.ValidRoomID(id):
		err = room.ErrNoRoom
	case r.Method == http.MethodPost:
		status = http.StatusAccepted
		player, err = srv.WantAnalysis(w, r)
	case r.Method == http.MethodDelete:
		err = srv.Analyses.Cancel(r.Context(), id, player)
	}
	var a *site.Analysed
	if err == nil {
		a, err = srv.AnalysisOf(r)
	}
	if err != nil {
		srv.RefuseAPI(w, r, err)
		return
	}
	srv.Answer(w, status, a.Json(player))
}
