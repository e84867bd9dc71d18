package site

import (
	"context"
	"slices"

	"mancala/lobby"
	"mancala/web/messages"
)

// Names returns the names of people in a game, by ID. If two have the same name, the
// second is "Ada 2". All callers pass the players first, in the order of their
// seats, so that every client gets the same names. They are those of frames, records and the API.
// [Site.NamesIn] returns those of pages.
func (srv *Site) Names(ctx context.Context, ids []string) (map[string]string, error) {
	names, _, err := srv.NamesAndDeleted(ctx, ids)
	return names, err
}

// NamesIn is [Site.Names] for readers of one language, in which it calls deleted players.
func (srv *Site) NamesIn(ctx context.Context, c *messages.Catalog, ids []string) (map[string]string, error) {
	names, deleted, err := srv.NamesAndDeleted(ctx, ids)
	lobby.CallDeleted(names, deleted, c.T("player.deleted"))
	return names, err
}

// NamesAndDeleted is [Site.Names] that also returns the deleted players.
func (srv *Site) NamesAndDeleted(ctx context.Context, ids []string) (names map[string]string, deleted []string, err error) {
	known := make([]string, 0, len(ids))
	for _, id := range ids {
		if id != "" && !slices.Contains(known, id) {
			known = append(known, id)
		}
	}
	if len(known) == 0 {
		return map[string]string{}, nil, nil
	}
	if names, deleted, err = srv.People.NamesAndDeleted(ctx, known); err != nil {
		return nil, nil, err
	}
	alike := make([]string, len(known))
	for i, id := range known {
		alike[i] = names[id]
	}
	for i, name := range lobby.Distinct(alike) {
		names[known[i]] = name
	}
	return names, deleted, nil
}

// PlayerNames returns the names of players who need not be in one game, for readers of one language.
func (srv *Site) PlayerNames(ctx context.Context, c *messages.Catalog, ids []string) (map[string]string, error) {
	names, deleted, err := srv.People.NamesAndDeleted(ctx, ids)
	for _, id := range deleted {
		names[id] = c.T("player.deleted")
	}
	return names, err
}

// MeJSON is a player's ID and name.
type MeJSON struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}
