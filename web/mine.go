package web

import (
	"context"
	"net/http"

	"mancala/lobby"
	"mancala/lobby/seeks"
)

// gamesFrame tells a page that its player's games have changed.
type gamesFrame struct {
	T    string `json:"t"`
	Room string `json:"room"`
}

// GamesChanged implements [gamelist.Page].
func (s *session) GamesChanged() { s.send(message(gamesFrame{"games", seeks.Room})) }

// myGames is the part of the home page with the asker's games, by itself.
func (srv *Server) myGames(w http.ResponseWriter, r *http.Request) {
	player, known := srv.whoIs(w, r)
	if !known {
		srv.notFound(w, r)
		return
	}
	srv.render(w, r, http.StatusOK, "mine", srv.gamesOf(r.Context(), player))
}

// gamesShown are somebody's games as the home page has them.
type gamesShown struct {
	Resume *gameLink // the open game that was last played
	Games  []gameLink
	Due    int // in how many it is his turn
}

func (srv *Server) gamesOf(ctx context.Context, player string) (g gamesShown) {
	games, err := srv.Games.Of(ctx, player, gamesListed)
	if n := len(games); n == gamesListed && !games[n-1].Ended { // there may be more that wait for him
		games, err = srv.Games.Going(ctx, player, lobby.Place{}, gamesAsked)
	}
	if err != nil {
		lobby.Warn(srv.log, "web: games not listed", err)
	}
	g.Games = srv.gameLinks(ctx, player, games)
	if len(g.Games) > 0 && g.Games[0].State != "over" {
		g.Resume = &g.Games[0]
	}
	for _, link := range g.Games {
		if link.Turn {
			g.Due++
		}
	}
	g.Games = g.Games[:min(len(g.Games), gamesListed)]
	return g
}
