package site

import (
	"context"
	"slices"

	"mancala/lobby"
)

// Names are the names of the players of a game by ID, told apart: of two with the
// same name the second is "Ada 2". All callers name the players first and in the
// order of their seats, so that everybody is told the same.
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

// How many of somebody's games are shown to him at once, and among how many is
// looked for those in which it is his turn: nobody waits for him unseen.
const (
	GamesListed = 20
	GamesAsked  = 100
)

// NamesIn are the names of all people of some games.
func (srv *Site) NamesIn(ctx context.Context, games []lobby.Game) (map[string]string, error) {
	return srv.People.Names(ctx, lobby.PlayersIn(games))
}

type MeJSON struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}
