package web

import (
	"context"
	"slices"
	"time"

	"mancala/match/room"
	"mancala/web/socket"
)

// While a game goes on, players and watchers do not hear each other. Once it is
// over, as each of them sees it, everybody hears both; watchers of a game with a
// delay hear the players as late as they see them.

func otherStream(stream string) string {
	if stream == streamPlayers {
		return streamWatchers
	}
	return streamPlayers
}

// sees is a game as somebody sees it, the zero View if nobody can now, and whether it
// is over for him.
func (srv *Server) sees(ctx context.Context, roomID, player string) (view room.View, over bool) {
	view, err := srv.house.View(ctx, roomID, player)
	if err != nil {
		srv.log.Debug("web: game not seen", "room", roomID, "err", err)
		return room.View{}, false
	}
	return view, viewOver(view)
}

// beside are the last lines that somebody who comes hears from the others: none
// before the game is over for him.
func (s *session) beside(ctx context.Context, sub *sub, players []string) ([]chatFrame, error) {
	view, over := s.server.sees(ctx, sub.hub.id, sub.player)
	if !over {
		return nil, nil
	}
	lines, err := sub.hub.lastLines(ctx, otherStream(streamOf(sub.hub.audience(sub))), players)
	until := time.Now().Add(-view.Delay).UnixMilli()
	return slices.DeleteFunc(slices.Clone(lines), func(l chatFrame) bool { return l.At > until }), err
}

// overheard passes a line on to those who do not read its stream, if they may hear
// it.
func (srv *Server) overheard(ctx context.Context, h *hub, f socket.Frame, to readers) {
	view, over := srv.sees(ctx, h.id, "")
	s, err := show(h.id, view)
	if err != nil || len(s.Seats) == 0 {
		return
	}
	if view.Delay > 0 { // what watchers see says nothing about the present
		_, over = srv.sees(ctx, h.id, s.Seats[0])
	}
	heard := to.stream
	to.stream = otherStream(heard)
	switch {
	case !over:
	case heard == streamWatchers || view.Delay == 0:
		h.tellLine(f, to)
	default:
		srv.workers.Start(func() {
			select {
			case <-time.After(view.Delay):
				h.tellLine(f, to)
			case <-srv.workers.Context().Done():
			}
		})
	}
}
