package pages

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"mancala/lobby"
	"mancala/web/messages"
	"mancala/web/site"
)

// MyGames serves only the part of the home page with the player's games. A page
// whose visitor was deleted meanwhile asks for it too, and gets an empty
// answer, since browsers would report an error.
func (srv *Pages) MyGames(w http.ResponseWriter, r *http.Request) error {
	// The list is a part of a page, without a title or a language. A service worker that passes a visit on hides
	// that it is one, but keeps what the visitor accepts; scripts accept everything.
	if r.Header.Get("Sec-Fetch-Dest") == "document" || strings.Contains(r.Header.Get("Accept"), "text/html") {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return nil
	}
	player, known := srv.WhoIs(w, r)
	if !known {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return srv.render(w, r, http.StatusOK, "mine", srv.gamesOf(r.Context(), srv.Catalog(r), player))
}

// gamesShown are a player's games as the home page shows them.
type gamesShown struct {
	Resume *gameLink // the latest open game in which the player is on turn, or else the latest open game
	Games  []gameLink
	Due    int // the number of games in which the player is on turn
}

// gamesRemembered is how many finished games the home page shows below those in
// progress. The profile has all of them. On a phone the ways to play come after
// the list.
const gamesRemembered = 3

func (srv *Pages) gamesOf(ctx context.Context, c *messages.Catalog, player string) (g gamesShown) {
	games, err := srv.Games.Of(ctx, player, site.GamesListed)
	if n := len(games); n == site.GamesListed && !games[n-1].Ended { // more games may wait for the player
		games, err = srv.Games.Going(ctx, player, lobby.Place{}, site.GamesAsked)
	}
	if err != nil {
		lobby.Warn(srv.Log, "web: games not listed", err)
	}
	g.Games = srv.gameLinks(ctx, c, player, games)
	if len(g.Games) > 0 && g.Games[0].State != "over" {
		g.Resume = &g.Games[0]
	}
	for _, link := range g.Games {
		if link.Turn {
			g.Due++
		}
	}
	g.Games = g.Games[:min(len(g.Games), site.GamesListed)]
	if ended := slices.IndexFunc(g.Games, func(l gameLink) bool { return l.State == "over" }); ended >= 0 {
		g.Games = g.Games[:min(len(g.Games), ended+gamesRemembered)]
	}
	return g
}

// gameLink is a link to a game.
type gameLink struct {
	ID, Title, State string
	Kept             string   // the name of the rule set from which it was made
	Against          []string // the names of the other players
	Turn             bool     // the player is on turn
}

// gameLinks returns links to a player's games. Games in which the player is on turn
// come first. If the names cannot be read, the links have none.
func (srv *Pages) gameLinks(ctx context.Context, c *messages.Catalog, player string, games []lobby.Game) []gameLink {
	names, err := srv.PlayerNames(ctx, c, lobby.PlayersIn(games))
	if err != nil {
		lobby.Warn(srv.Log, "web: names not read", err)
	}
	turns, rooms := srv.Gamelist.Turns(ctx, player, games), make([]string, len(games))
	for i, g := range games {
		rooms[i] = g.Room
	}
	kept := srv.RuleSetsOf(ctx, rooms)
	links := make([]gameLink, len(games))
	for i, g := range games {
		links[i] = gameLink{ID: g.Room, Title: g.Title, Kept: kept[g.Room].Name, State: g.State, Against: others(g, player, names), Turn: turns[g.Room]}
	}
	slices.SortStableFunc(links, func(a, b gameLink) int {
		switch {
		case a.Turn == b.Turn:
			return 0
		case a.Turn:
			return -1
		}
		return 1
	})
	return links
}

// others returns the names of the other players of a game.
func others(g lobby.Game, player string, names map[string]string) (list []string) {
	for _, in := range g.In {
		if name := names[in.Player]; in.Player != player && name != "" {
			list = append(list, name)
		}
	}
	return list
}
