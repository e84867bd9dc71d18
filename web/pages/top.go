package pages

import (
	"net/http"
	"slices"

	"mancala/lobby/rating"
	"mancala/lobby/seeks"
	"mancala/match"
	"mancala/match/room"
	"mancala/web/site"
)

// topPage is the page of a leaderboard.
type topPage struct {
	head
	site.Leaderboard
	Game   string
	Shape  string // the ID of the symbol of its board
	Speeds []string
	Min    int // games that a player needs to be on it
}

// topAllPage is the page with the list of leaderboards.
type topAllPage struct {
	head
	Boards []boardRow
}

type boardRow struct {
	Title, System string
	Shape         string // the ID of the symbol of its board
	Speeds        []rating.Board
}

// errNoLeaderboards leads children home: kids mode has no leaderboards (UX.md §8).
var errNoLeaderboards = site.SeeOther("/")

// TopAll serves the list of leaderboards.
func (srv *Pages) TopAll(w http.ResponseWriter, r *http.Request) error {
	if srv.Prefs(r)["kids"] == "on" {
		return errNoLeaderboards
	}
	boards, err := srv.Ratings.Boards(r.Context())
	if err != nil {
		return err
	}
	p := topAllPage{head: srv.head(r, srv.Catalog(r).T("top.title"), srv.Catalog(r).T("top.description"))}
	for _, row := range seeks.OfTwo() {
		b := boardRow{Title: row.Title, System: row.Name, Shape: pickCards()[row.Name].Shape}
		for _, speed := range match.Speeds { // keeps the order of speeds
			for _, board := range boards {
				if board.System == row.Name && board.Speed == speed {
					b.Speeds = append(b.Speeds, board)
				}
			}
		}
		p.Boards = append(p.Boards, b)
	}
	return srv.render(w, r, http.StatusOK, "tops", p)
}

// Top serves the page of a leaderboard.
func (srv *Pages) Top(w http.ResponseWriter, r *http.Request) error {
	if srv.Prefs(r)["kids"] == "on" {
		return errNoLeaderboards
	}
	p := topPage{Leaderboard: site.Leaderboard{System: r.PathValue("system"), Speed: r.URL.Query().Get("speed")}, Speeds: match.Speeds, Min: rating.MinGames}
	if !site.IsOfTwo(p.System) {
		return room.ErrNoRoom
	}
	if !slices.Contains(match.Speeds, p.Speed) {
		p.Speed = "blitz"
	}
	p.Game, p.Shape = site.SystemRow(p.System).Title, pickCards()[p.System].Shape
	p.head = srv.head(r, srv.Catalog(r).T("top.of", "game", p.Game), srv.Catalog(r).T("top.of.description", "game", p.Game))
	viewer, _ := srv.WhoIs(w, r)
	if err := srv.Places(r, &p.Leaderboard, viewer); err != nil {
		return err
	}
	return srv.render(w, r, http.StatusOK, "top", p)
}
