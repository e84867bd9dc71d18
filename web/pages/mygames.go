package pages

import (
	"context"
	"net/http"

	"mancala/lobby"
	"mancala/web/site"
)

// MyGames serves only the part of the home page with the player's games. A page
// whose visitor was deleted meanwhile asks for it too, and gets an empty
// answer, since browsers would report an error.
func (srv *Pages) MyGames(w http.ResponseWriter, r *http.Request) error {
	player, known := srv.WhoIs(w, r)
	if !known {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return srv.render(w, r, http.StatusOK, "mine", srv.gamesOf(r.Context(), player))
}

// gamesShown are a player's games as the home page shows them.
type gamesShown struct {
	Resume *gameLink // the latest open game in which the player is on turn, or else the latest open game
	Games  []gameLink
	Due    int // the number of games in which the player is on turn
}

func (srv *Pages) gamesOf(ctx context.Context, player string) (g gamesShown) {
	games, err := srv.Games.Of(ctx, player, site.GamesListed)
	if n := len(games); n == site.GamesListed && !games[n-1].Ended { // more games may wait for the player
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
