package site

import (
	"context"
	"net/http"

	"mancala/lobby/seeks"
	"mancala/match/room"
)

// Order sends a player's command to the lobby, for a form or a program.
func (srv *Site) Order(r *http.Request, player, kind string, o seeks.Order) (room.Answer, error) {
	ctx := r.Context()
	body, err := srv.Policy.Order(ctx, player, srv.Address(r), kind, o)
	if err != nil {
		return room.Answer{}, err
	}
	return srv.LobbyRoom.Do(ctx, player, kind, body)
}

// ShownSeeks returns seeks as visitors see them, with their players' names.
func (srv *Site) ShownSeeks(ctx context.Context, waits []seeks.Wait) ([]seeks.Shown, error) {
	people := make([]string, len(waits))
	for i, w := range waits {
		people[i] = w.Player
	}
	names, err := srv.Names(ctx, people)
	return seeks.Show(waits, names), err
}
