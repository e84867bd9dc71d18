package site

import (
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
