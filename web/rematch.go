package web

import (
	"context"
	"encoding/json"
	"errors"

	"mancala/lobby"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/room"
)

// Tasks are the handlers of what matches want done outside. after says that the
// server is there: rooms may wake up before it is.
func Tasks(server func() *Server) map[string]room.Handler {
	return map[string]room.Handler{
		match.TaskRematch: func(ctx context.Context, t room.Task) (json.RawMessage, error) {
			srv := server()
			if srv == nil {
				return nil, errors.New("web: not ready yet")
			}
			return srv.rematch(ctx, t)
		},
	}
}

// rematch opens the room in which the same people play again. Its ID derives
// from the old room's, so that doing it twice makes one room.
func (srv *Server) rematch(ctx context.Context, t room.Task) (json.RawMessage, error) {
	var who struct {
		Creator string `json:"creator"`
	}
	if err := json.Unmarshal(t.Body, &who); err != nil {
		return nil, err
	}
	id := lobby.DerivedRoomID("rematch", t.Room)
	err := srv.house.Create(ctx, id, KindMatch, machine.Command{
		ID: "rematch-of-" + t.Room, Kind: match.KindCreate, By: who.Creator, Body: t.Body,
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]string{"room": id})
}
