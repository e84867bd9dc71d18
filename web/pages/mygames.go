package pages

import (
	"context"
	"net/http"

	"mancala/lobby"
	"mancala/web/site"
)

// MyGames is the part of the home page with the asker's games, by itself.
func (srv *Pages) MyGames(w http.ResponseWriter, r *http.Request) {
	player, known := srv.WhoIs(w, r)
	if !known {
		srv.NotFound(w, r)
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

func (srv *Pages) gamesOf(ctx context.Context, player string) (g gamesShown) {
	games, err := srv.Games.Of(ctx, player, site.GamesListed)
	if n := len(games); n == site.GamesListed && !games[n-1].Ended { // there may be more that wait for him
		games, err = srv.Games.Going(ctx, player, lobby.Place{}, site.GamesAsked)
	}
	if err != nil {
		lobby.Warn(srv.Log, "web: games not listed", err)
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
	g.Games = g.Games[:min(len(g.Games), site.GamesListed)]
	return g
}
