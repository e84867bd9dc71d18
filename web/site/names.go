package site

import (
	"context"
	"slices"

	"mancala/lobby"
)

// Names returns the names of people in a game, by ID. If two have the same name, the
// second is "Ada 2". All callers pass the players first, in the order of their
// seats, so that every client gets the same names.
func (srv *Site) Names(ctx context.Context, ids []string) (map[string]string, error) {
	known := make([]string, 0, len(ids))
	for _, id := range ids {
		if id != "" && !slices.Contains(known, id) {
			known = append(known, id)
		}
	}
	if len(known) == 0 {
		return map[string]string{}, nil
	}
	names, err := srv.People.Names(ctx, known)
	if err != nil {
		return nil, err
	}
	alike := make([]string, len(known))
	for i, id := range known {
		alike[i] = names[id]
	}
	for i, name := range lobby.Distinct(alike) {
		names[known[i]] = name
	}
	return names, nil
}

// GamesListed is the number of a player's games that a page shows at once.
// GamesAsked is the number of games that are searched for those in which it is the
// player's turn. It is larger, so that an opponent does not wait because the game
// was not listed.
const (
	GamesListed = 20
	GamesAsked  = 100
)

// NamesIn returns the names of all people in some games.
func (srv *Site) NamesIn(ctx context.Context, games []lobby.Game) (map[string]string, error) {
	return srv.People.Names(ctx, lobby.PlayersIn(games))
}

// MeJSON is a player's ID and name.
type MeJSON struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}
