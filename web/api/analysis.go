package api

import (
	"net/http"

	"mancala/lobby"
	"mancala/match/room"
	"mancala/web/site"
)

// apiAnalysis answers with the progress of a game's analysis, and with its result once it is complete. POST
// requests the analysis first. DELETE first cancels the client's own request.
func (srv *API) apiAnalysis(w http.ResponseWriter, r *http.Request) error {
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
		return err
	}
	return srv.Answer(w, status, a.JSON(player))
}
