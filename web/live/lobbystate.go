package live

import (
	"context"
	"encoding/json"

	"mancala/lobby/seeks"
)

// State implements [policy.Waiting]. It uses the state that this instance follows,
// or else reads the state from the room.
func (l *lobbyHub) State(ctx context.Context, look func(*seeks.State)) error {
	l.mu.Lock()
	here := l.state != nil
	if here {
		look(l.state)
	}
	l.mu.Unlock()
	if here {
		return nil
	}
	view, err := l.server.Rooms.View(ctx, seeks.Room, "")
	var state seeks.State
	if err == nil {
		err = json.Unmarshal(view.Snapshot, &state)
	}
	if err == nil {
		look(&state)
	}
	return err
}

// LobbyState calls look with the lobby's state.
func (srv *Live) LobbyState(ctx context.Context, look func(*seeks.State)) error {
	return srv.lobby.State(ctx, look)
}
