package site

import (
	"context"
	"encoding/json"

	"mancala/lobby/seeks"
	"mancala/match/room"
)

// Order sends a player's command to the lobby, for a form or a program.
func (srv *Site) Order(ctx context.Context, player, kind string, o seeks.Order) (room.Answer, error) {
	said, err := json.Marshal(o)
	if err != nil {
		return room.Answer{}, err
	}
	body, err := srv.Policy.Order(ctx, player, kind, said)
	if err != nil {
		return room.Answer{}, err
	}
	return srv.LobbyRoom.Do(ctx, player, kind, body)
}
