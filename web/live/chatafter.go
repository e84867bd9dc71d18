package live

import (
	"context"
	"slices"
	"time"

	"mancala/lobby"
	"mancala/lobby/chat"
	"mancala/match"
	"mancala/match/room"
	"mancala/web/socket"
)

// sees returns a game as this player sees it, or zero values while it cannot be read.
func (srv *Live) sees(ctx context.Context, roomID, player string) (room.View, match.Facts) {
	view, err := srv.Rooms.View(ctx, roomID, player)
	var facts match.Facts
	if err == nil {
		facts, err = match.ReadFacts(view.Snapshot)
	}
	if err != nil {
		srv.Log.Debug("web: game not read", "room", roomID, "err", err)
		return room.View{}, match.Facts{}
	}
	return view, facts
}

// beside returns the last lines of the other stream for a new reader. There are none
// until the game is over for that reader, and none if the other stream is not
// shared.
func (s *session) beside(ctx context.Context, sub *sub, players []string) ([]chatFrame, error) {
	view, facts := s.server.sees(ctx, sub.hub.id, sub.player)
	stream := chat.OtherStream(chat.StreamOf(sub.hub.audience(sub)))
	if !facts.Over() || !chat.Shared(facts.Listed, stream) {
		return nil, nil
	}
	lines, err := sub.hub.lastLines(ctx, stream, players)
	until := time.Now().Add(-view.Delay).UnixMilli()
	return slices.DeleteFunc(slices.Clone(lines), func(l chatFrame) bool { return l.At > until }), err
}

// overheard sends a line to the readers of the other stream, if they may read it.
func (srv *Live) overheard(ctx context.Context, h *hub, f socket.Frame, to readers) {
	view, err := srv.Rooms.View(ctx, h.id, "")
	game := new(match.Public)
	if err == nil {
		game, err = match.ReadPublic(h.id, view.Snapshot)
	}
	if err != nil || len(game.Seats) == 0 {
		return
	}
	over, listed := game.Over(), game.Listed
	if view.Delay > 0 { // the watchers' view is old: use a player's view
		_, facts := srv.sees(ctx, h.id, game.Seats[0])
		over, listed = facts.Over(), facts.Listed
	}
	heard := to.stream
	to.stream = chat.OtherStream(heard)
	switch {
	case !over || !chat.Shared(listed, heard):
	case heard == lobby.StreamWatchers || view.Delay == 0:
		h.tellLine(f, to)
	default:
		srv.Workers.Start(func() {
			select {
			case <-time.After(view.Delay):
				h.tellLine(f, to)
			case <-srv.Workers.Context().Done():
			}
		})
	}
}
