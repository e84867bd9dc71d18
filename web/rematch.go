package web

import (
	"context"
	"encoding/json"

	"mancala/lobby"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/room"
)

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
	err := srv.rooms.Create(ctx, id, match.RoomKind, machine.Command{
		ID: "rematch-of-" + t.Room, Kind: match.KindCreate, By: who.Creator, Body: t.Body,
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]string{"room": id})
}
