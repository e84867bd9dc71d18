package web

import (
	"context"
	"encoding/json"

	"mancala/lobby/seeks"
	"mancala/match/room"
)

// order does what a player's message to the lobby does, for a form or a program.
func (srv *Server) order(ctx context.Context, player, kind string, o seeks.Order) (room.Answer, error) {
	said, err := json.Marshal(o)
	if err != nil {
		return room.Answer{}, err
	}
	body, err := srv.Policy.Order(ctx, player, kind, said)
	if err != nil {
		return room.Answer{}, err
	}
	return srv.lobby.Do(ctx, player, kind, body)
}

// State implements [policy.Waiting]: the state that this instance follows, else the
// room's own.
func (l *lounge) State(ctx context.Context, look func(*seeks.State)) error {
	l.mu.Lock()
	here := l.state != nil
	if here {
		look(l.state)
	}
	l.mu.Unlock()
	if here {
		return nil
	}
	view, err := l.server.rooms.View(ctx, seeks.Room, "")
	var state seeks.State
	if err == nil {
		err = json.Unmarshal(view.Snapshot, &state)
	}
	if err == nil {
		look(&state)
	}
	return err
}

// lobbyState calls look with the lobby's state.
func (srv *Server) lobbyState(ctx context.Context, look func(*seeks.State)) error {
	return srv.lounge.State(ctx, look)
}
