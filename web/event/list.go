package event

import (
	"net/http"
	"net/url"
	"time"

	"mancala/lobby/tournament"
	"mancala/web/pages"
)

// listPage is the page at /t.
type listPage struct {
	pages.Head
	Mine    []mineRow
	Groups  []group
	Refused string // why the recovery code was not accepted
}

// A group is the tournaments of one stage.
type group struct {
	Stage string
	Rows  []pages.TournamentRow
}

// mostListed is how many tournaments of a stage the list shows.
const mostListed = 50

func (srv *Pages) list(w http.ResponseWriter, r *http.Request) error {
	return srv.showList(w, r, http.StatusOK, "")
}

// toList leads a person who has typed the address by hand to the list.
func (srv *Pages) toList(w http.ResponseWriter, r *http.Request) error {
	list := url.URL{Path: "/t", RawQuery: r.URL.RawQuery} // with the language, if it names one
	http.Redirect(w, r, list.String(), http.StatusMovedPermanently)
	return nil
}

func (srv *Pages) showList(w http.ResponseWriter, r *http.Request, status int, refused string) error {
	c := srv.Catalog(r)
	p := listPage{Head: srv.NewHead(r, c.T("tournament.list.title"), c.T("tournament.list.description")), Refused: refused}
	p.Mine = srv.mine(w, r, p.Dates)
	for _, stage := range []tournament.Stage{tournament.Running, tournament.Entry, tournament.Over} {
		rows, err := srv.Hosting.Index.List(r.Context(), stage, mostListed)
		if err != nil {
			return err
		}
		g := group{Stage: string(stage)}
		for _, row := range rows {
			g.Rows = append(g.Rows, pages.RowOf(c, p.Dates, row))
		}
		if len(g.Rows) > 0 {
			p.Groups = append(p.Groups, g)
		}
	}
	return srv.Render(w, r, status, "tournaments", p)
}

// starts returns when the host means to start, or the zero time.
func starts(s *tournament.Settings) time.Time {
	if s.Starts == 0 {
		return time.Time{}
	}
	return time.UnixMilli(s.Starts).UTC()
}
