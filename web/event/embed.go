package event

import (
	"net/http"

	"mancala/lobby/tournament"
	"mancala/web/site"
)

// embed serves standings and pairings for a frame on another site. Every client gets the page of a
// person who has not entered. Its only control opens the tournament.
func (srv *Pages) embed(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Security-Policy", site.ContentPolicy+"frame-ancestors *")
	v, err := srv.lookWithTable(r, "")
	if err != nil {
		return err
	}
	p, err := srv.hallPage(r, v, "")
	if err != nil {
		return err
	}
	p.Canonical = srv.Base(r) + "/t/" + v.ID
	if v.State.Stage != tournament.Running {
		p.Round, p.Boards = 0, nil
	}
	return srv.Render(w, r, http.StatusOK, "tournament-embed", p)
}
