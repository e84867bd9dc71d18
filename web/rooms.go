package web

import (
	"context"
	"encoding/json"
	"errors"

	"mancala/lobby/seeks"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/room"
)

// Kinds are the rooms that this layer shows.
func Kinds() map[string]func(string) machine.Machine {
	return map[string]func(string) machine.Machine{
		match.RoomKind: func(string) machine.Machine { return match.New() },
		seeks.Kind:     func(string) machine.Machine { return seeks.New() },
	}
}

// Tasks are the handlers of what rooms want done outside. server says that the
// server is there: rooms may wake up before it is.
func Tasks(server func() *Server) map[string]room.Handler {
	with := func(f func(*Server, context.Context, room.Task) (json.RawMessage, error)) room.Handler {
		return func(ctx context.Context, t room.Task) (json.RawMessage, error) {
			srv := server()
			if srv == nil {
				return nil, errors.New("web: not ready yet")
			}
			return f(srv, ctx, t)
		}
	}
	return map[string]room.Handler{match.TaskRematch: with((*Server).rematch), match.TaskRate: with((*Server).rate), match.TaskBot: with((*Server).askBot), seeks.TaskOpen: with((*Server).openPair)}
}

// openPair makes the game of two who have found each other. That it is there
// already is no error: another game may have come of this seek, in a lobby that
// did not know of this one.
func (srv *Server) openPair(ctx context.Context, t room.Task) (json.RawMessage, error) {
	var p seeks.Pair
	if err := json.Unmarshal(t.Body, &p); err != nil {
		return nil, err
	}
	chat, err := srv.Policy.ChatOfStrangers(ctx, p.Seats[:])
	if err != nil {
		return nil, err
	}
	err = srv.rooms.Create(ctx, p.ID, match.RoomKind, p.Creation(srv.Limits.Expiry, chat))
	if errors.Is(err, room.ErrTaken) {
		return json.RawMessage(`{"late":true}`), nil
	}
	return nil, err
}
