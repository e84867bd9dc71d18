package web

import (
	"net/http"
	"slices"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/rating"
	"mancala/match"
)

// topPage is the page of a leaderboard.
type topPage struct {
	head
	leaderboard
	Game   string
	Speeds []string
	Min    int
}

// leaderboard is the best at one game and speed.
type leaderboard struct {
	System, Speed string
	Places        []placeRow
	Own           *placeRow // the viewer's, also when they are not among them
	OwnListed     bool
}

type placeRow struct {
	rating.Place
	Name, Link, Shown string
	Plus              int
	Own               bool
}

// topAllPage lists the leaderboards.
type topAllPage struct {
	head
	Boards []boardRow
}

type boardRow struct {
	Title, System string
	Speeds        []rating.Board
}

const topListed = 50

// ratedSystems are the games that can be rated: those of two.
var ratedSystems = slices.DeleteFunc(slices.Clone(engine.Systems), func(row engine.Row) bool {
	n, err := match.Settings{Rules: row.Name}.Seats()
	return err != nil || n != 2
})

func isRated(system string) bool {
	return slices.ContainsFunc(ratedSystems, func(row engine.Row) bool { return row.Name == system })
}

func (srv *Server) topAll(w http.ResponseWriter, r *http.Request) {
	boards, err := srv.Ratings.Boards(r.Context())
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	p := topAllPage{head: srv.head(r, srv.catalog(r).t("top.title"), srv.catalog(r).t("top.description"))}
	for _, row := range ratedSystems {
		b := boardRow{Title: row.Title, System: row.Name}
		for _, speed := range match.Speeds { // in their order
			for _, board := range boards {
				if board.System == row.Name && board.Speed == speed {
					b.Speeds = append(b.Speeds, board)
				}
			}
		}
		p.Boards = append(p.Boards, b)
	}
	srv.render(w, r, http.StatusOK, "tops", p)
}

func (srv *Server) top(w http.ResponseWriter, r *http.Request) {
	p := topPage{leaderboard: leaderboard{System: r.PathValue("system"), Speed: r.URL.Query().Get("speed")}, Speeds: match.Speeds, Min: rating.MinGames}
	if !isRated(p.System) {
		srv.notFound(w, r)
		return
	}
	if !slices.Contains(match.Speeds, p.Speed) {
		p.Speed = "blitz"
	}
	p.Game = systemRow(p.System).Title
	p.head = srv.head(r, srv.catalog(r).t("top.of", "game", p.Game), srv.catalog(r).t("top.of.description", "game", p.Game))
	viewer, _ := srv.whoIs(w, r)
	if err := srv.places(r, &p.leaderboard, viewer); err != nil {
		srv.failWith(w, r, err)
		return
	}
	srv.render(w, r, http.StatusOK, "top", p)
}

// places fills in who is on a leaderboard, and where the viewer is.
func (srv *Server) places(r *http.Request, p *leaderboard, viewer string) error {
	ctx := r.Context()
	top, err := srv.Ratings.Top(ctx, p.System, p.Speed, topListed)
	if err != nil {
		return err
	}
	ids := []string{viewer}
	for _, place := range top {
		ids = append(ids, place.Player)
	}
	names, err := srv.People.Names(ctx, ids)
	if err != nil {
		return err
	}
	row := func(place rating.Place) placeRow {
		name := names[place.Player]
		return placeRow{place, name, profilePath(name), srv.ratingText(place.Rating), whole(2 * place.Deviation), place.Player == viewer}
	}
	for _, place := range top {
		if names[place.Player] == lobby.DeletedName {
			continue // he left while we looked
		}
		p.Places = append(p.Places, row(place))
		p.OwnListed = p.OwnListed || place.Player == viewer
	}
	if viewer == "" || p.OwnListed {
		return nil
	}
	own, err := srv.Ratings.Where(ctx, viewer, p.System, p.Speed)
	if own != nil {
		line := row(*own)
		p.Own = &line
	}
	return err
}
