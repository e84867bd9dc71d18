package web

import (
	"context"
	"slices"
	"time"

	"mancala/match"
	"mancala/match/room"
	"mancala/web/socket"
)

// While a game goes on, players and watchers do not hear each other. Once it is
// over, as each of them sees it, the players hear the watchers. The watchers of a
// listed game hear the players; with a delay they hear them as late as they see them.
// What the players of an unlisted game say stays with its seats.

// shared reports whether a finished game's lines of this stream reach the readers of
// the other stream.
func shared(listed bool, stream string) bool { return stream == streamWatchers || listed }

func otherStream(stream string) string {
	if stream == streamPlayers {
		return streamWatchers
	}
	return streamPlayers
}

// sees returns a game as this player sees it, or zero values while it cannot be read.
func (srv *Server) sees(ctx context.Context, roomID, player string) (room.View, match.Facts) {
	view, err := srv.rooms.View(ctx, roomID, player)
	var facts match.Facts
	if err == nil {
		facts, err = match.ReadFacts(view.Snapshot)
	}
	if err != nil {
		srv.log.Debug("web: game not seen", "room", roomID, "err", err)
		return room.View{}, match.Facts{}
	}
	return view, facts
}

// beside returns the last lines of the other stream for a reader who comes: none before
// the game is over for them, or if that stream is not shared.
func (s *session) beside(ctx context.Context, sub *sub, players []string) ([]chatFrame, error) {
	view, facts := s.server.sees(ctx, sub.hub.id, sub.player)
	stream := otherStream(streamOf(sub.hub.audience(sub)))
	if !facts.Over() || !shared(facts.Listed, stream) {
		return nil, nil
	}
	lines, err := sub.hub.lastLines(ctx, stream, players)
	until := time.Now().Add(-view.Delay).UnixMilli()
	return slices.DeleteFunc(slices.Clone(lines), func(l chatFrame) bool { return l.At > until }), err
}

// overheard passes a line on to those who do not read its stream, if they may hear
// it.
func (srv *Server) overheard(ctx context.Context, h *hub, f socket.Frame, to readers) {
	view, facts := srv.sees(ctx, h.id, "")
	s, err := match.ReadPublic(h.id, view.Snapshot)
	if err != nil || len(s.Seats) == 0 {
		return
	}
	if view.Delay > 0 { // what watchers see says nothing about the present
		_, facts = srv.sees(ctx, h.id, s.Seats[0])
	}
	heard := to.stream
	to.stream = otherStream(heard)
	switch {
	case !facts.Over() || !shared(facts.Listed, heard):
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
