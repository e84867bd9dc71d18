package live

import (
	"context"
	"maps"
	"slices"
	"time"

	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/web/socket"
)

// Visitors see a window of the open seeks. It changes at most once a second, and by a few
// seeks.
const (
	MaxNews   = 5 // new seeks in one frame
	newsEvery = time.Second
)

// viewKey tells views apart.
type viewKey struct {
	seeks.Filter
	person string // the player, if some players are blocked for them; empty: shared by all other players
}

// view is the window of seeks that all visitors with the same key share.
type view struct {
	seeks.Window
	key viewKey
	fan *socket.Fan
}

// tellNews sends all visitors the changes in the list of seeks. It runs at a fixed
// pace, and sends the newest seeks first.
func (l *lobbyHub) tellNews() {
	l.mu.Lock()
	views := slices.Collect(maps.Values(l.views))
	l.mu.Unlock()
	for _, v := range views {
		l.show(l.server.Workers.Context(), v, MaxNews)
	}
}

// show brings a view up to date and sends the change to its visitors. It reads names
// without holding locks. A change that comes meanwhile is sent next time.
func (l *lobbyHub) show(ctx context.Context, v *view, most int) {
	l.mu.Lock()
	var fresh []seeks.Wait
	var gone []string
	l.server.LobbyRoom.Followed(func(s *seeks.State) { fresh, gone = v.Look(s, most) })
	l.mu.Unlock()
	if len(fresh)+len(gone) == 0 {
		return
	}
	list, err := l.server.ShownSeeks(ctx, fresh)
	if err != nil {
		lobby.Warn(l.server.Log, "web: names not read", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	open := 0
	if !l.server.LobbyRoom.Followed(func(s *seeks.State) { open = v.Open(s) }) {
		return // the room has gone; all clients subscribe again
	}
	v.fan.Send(message(seeksFrame{"seeks", seeks.Room, v.Change(list, gone), gone, open}))
	if len(fresh) == most {
		l.news.Mark() // more seeks may be waiting
	}
}
