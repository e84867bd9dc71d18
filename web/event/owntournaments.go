package event

import (
	"net/http"
	"strings"

	"mancala/lobby"
	"mancala/web/messages"
	"mancala/web/pages"
	"mancala/web/site"
)

// mostMine is how many of a person's tournaments the list shows.
const mostMine = 10

// A mineRow is a tournament of the person who reads the list.
type mineRow struct {
	pages.TournamentRow
	Host bool
}

// mine returns the latest tournaments of the person who asks. If they cannot be read, the page is
// served without them.
func (srv *Pages) mine(w http.ResponseWriter, r *http.Request, dates messages.Dates) (rows []mineRow) {
	person, known := srv.WhoIs(w, r)
	if !known {
		return nil
	}
	list, err := srv.Hosting.Index.Mine(r.Context(), person, mostMine)
	if err != nil {
		lobby.Warn(srv.Log, "web: a person's tournaments not shown", err)
	}
	c := srv.Catalog(r)
	for _, m := range list {
		row := mineRow{pages.RowOf(c, dates, m.Row), m.Host}
		row.About = c.T("desk.stage."+row.Stage) + " · " + row.About
		rows = append(rows, row)
	}
	return rows
}

// recover makes a host of a person who types a recovery code, and leads them to the desk.
func (srv *Pages) recover(w http.ResponseWriter, r *http.Request) error {
	form, err := site.FormOf(r)
	if err != nil {
		return err
	}
	player, known := srv.WhoIs(w, r)
	if !known {
		return srv.Introduce(w, r)
	}
	id, err := srv.Hosting.Recover(r.Context(), player, srv.Address(r), strings.TrimSpace(form.Get("key")))
	return srv.ToDesk(w, r, id, err, srv.showList)
}
