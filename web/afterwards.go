package web

import (
	"context"
	"slices"
	"time"

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

// sees says whether a game is over as somebody sees it, and by how much he lags
// behind.
func (srv *Server) sees(ctx context.Context, roomID, player string) (s *shown, over bool, lag time.Duration) {
	view, err := srv.house.View(ctx, roomID, player)
	if err == nil {
		s, err = show(roomID, view)
	}
	if err != nil {
		srv.log.Debug("web: game not seen", "room", roomID, "err", err)
		return nil, false, 0
	}
	return s, s.State == "over", view.Delay
}

// beside are the last lines that somebody who comes hears from the others: none
// before the game is over for him.
func (s *session) beside(ctx context.Context, sub *sub, players []string) ([]chatFrame, error) {
	_, over, lag := s.server.sees(ctx, sub.hub.id, sub.player)
	if !over {
		return nil, nil
	}
	lines, err := sub.hub.lastLines(ctx, otherStream(streamOf(sub.hub.audience(sub))), players)
	until := time.Now().Add(-lag).UnixMilli()
	return slices.DeleteFunc(slices.Clone(lines), func(l chatFrame) bool { return l.At > until }), err
}

// overheard passes a line on to those who do not read its stream, if they may hear
// it.
func (srv *Server) overheard(ctx context.Context, h *hub, f socket.Frame, to readers) {
	s, over, lag := srv.sees(ctx, h.id, "")
	if s == nil || len(s.Seats) == 0 {
		return
	}
	if lag > 0 { // what watchers see says nothing about the present
		_, over, _ = srv.sees(ctx, h.id, s.Seats[0])
	}
	heard := to.stream
	to.stream = otherStream(heard)
	switch {
	case !over:
	case heard == streamWatchers || lag == 0:
		h.tellLine(f, to)
	default:
		srv.start(func() {
			select {
			case <-time.After(lag):
				h.tellLine(f, to)
			case <-srv.ctx.Done():
			}
		})
	}
}
