package site

import (
	"net/http"
	"slices"

	"mancala/engine"
	"mancala/lobby/rating"
	"mancala/lobby/seeks"
)

// Leaderboard is the list of the best players at one game and speed.
type Leaderboard struct {
	System, Speed string
	Places        []PlaceRow
	Own           *PlaceRow // the viewer's own row, also when it is not among Places
	OwnListed     bool
}

// PlaceRow is one row of a leaderboard.
type PlaceRow struct {
	rating.Place
	Name, Link, Shown string
	Plus              int
	Own               bool
}

const topListed = 50

// IsOfTwo reports whether a system is for two players: only such games are rated, and played in tournaments.
func IsOfTwo(system string) bool {
	return slices.ContainsFunc(seeks.OfTwo(), func(row engine.Row) bool { return row.Name == system })
}

// Places fills in the rows of a leaderboard and the viewer's own row.
func (srv *Site) Places(r *http.Request, p *Leaderboard, viewer string) error {
	ctx := r.Context()
	top, err := srv.Ratings.Top(ctx, p.System, p.Speed, topListed)
	if err != nil {
		return err
	}
	ids := []string{viewer}
	for _, place := range top {
		ids = append(ids, place.Player)
	}
	names, deleted, err := srv.People.NamesAndDeleted(ctx, ids)
	if err != nil {
		return err
	}
	row := func(place rating.Place) PlaceRow {
		name := names[place.Player]
		return PlaceRow{place, name, ProfilePath(name), srv.RatingText(place.Rating), Whole(2 * place.Deviation), place.Player == viewer}
	}
	for _, place := range top {
		if slices.Contains(deleted, place.Player) {
			continue // the account was deleted during this request
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
