package web

import (
	"context"
	"slices"
	"time"

	"mancala/match/room"
	"mancala/web/socket"
)

// While a game goes on, players and watchers do not hear each other. Once it is
// over, as each of them sees it, the players hear the watchers. The watchers of a
// listed game hear the players; with a delay they hear them as late as they see them.
// What the players of an unlisted game say stays with its seats.

// shared reports whether a finished game's lines of this stream reach the readers of
// the other stream.
func shared(view room.View, stream string) bool { return stream == streamWatchers || viewListed(view) }

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

// beside returns the last lines of the other stream for a reader who comes: none before
// the game is over for them, or if that stream is not shared.
func (s *session) beside(ctx context.Context, sub *sub, players []string) ([]chatFrame, error) {
	view, over := s.server.sees(ctx, sub.hub.id, sub.player)
	stream := otherStream(streamOf(sub.hub.audience(sub)))
	if !over || !shared(view, stream) {
		return nil, nil
	}
	lines, err := sub.hub.lastLines(ctx, stream, players)
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
	case !over || !shared(view, heard):
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
