package web

import (
	"context"
	"time"

	"mancala/lobby"
)

// list brings the lines of a game in its people's lists up to date. It is called
// after entries that change them, by nobody's request.
func (srv *Server) list(id string) {
	ctx, cancel := context.WithTimeout(srv.ctx, commandTimeout)
	defer cancel()
	now := time.Now() // before looking: of two who look, the later one has seen no less
	view, err := srv.house.View(ctx, id, "")
	if err == nil {
		var s *shown
		if s, err = show(id, view); err == nil {
			srv.remember(ctx, id, s, now)
			return
		}
	}
	srv.log.Debug("web: game not listed", "room", id, "err", err)
}

// remember keeps the list "my games" of everybody in a game up to date. The list
// is a convenience: that it could not be written is no reason to show no page.
func (srv *Server) remember(ctx context.Context, id string, s *shown, at time.Time) {
	game := lobby.Game{Room: id, Title: s.Title, State: s.State, Ended: s.State == "over", Updated: at}
	for seat, player := range s.Seats {
		game.In = append(game.In, lobby.Part{Player: player, Seat: seat})
	}
	if len(s.Seats) == 0 {
		for _, player := range s.Sitters {
			game.In = append(game.In, lobby.Part{Player: player, Seat: lobby.NoSeat})
		}
	}
	if err := srv.Games.Put(ctx, game); err != nil {
		srv.log.Warn("web: game not listed", "room", id, "err", err)
	}
}
