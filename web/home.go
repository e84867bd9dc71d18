package web

import (
	"context"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"mancala/engine"
	"mancala/lobby"
	"mancala/web/picture"
)

// homePage is the page at /.
type homePage struct {
	head
	Systems []engine.Row
	Hero    template.HTML
	gamesShown
	Lobby   *lobbyView // nil in kids mode
	Asked   []askShown // open challenges by and to this person, for who has no script
	Playing bill       // one game to watch
	Texts   map[string]any
}

type gameLink struct {
	ID, Title, State string
	Against          string // the others' names
	Turn             bool   // it is his
}

// hero is the board that stands for all games: Kalah, after some moves.
var hero = picture.Board{
	Sides: 2, Partners: 1, Rows: 1, Stores: true, Turn: 0,
	Pits: []int{0, 5, 5, 14, 1, 3, 0, 5, 5, 1, 14, 3}, Won: []int{13, 10},
}

var heroSVG = template.HTML(hero.SVG())

func (srv *Server) home(w http.ResponseWriter, r *http.Request) {
	p := homePage{
		head:    srv.head(r, srv.catalog(r).t("home.title"), srv.catalog(r).t("home.description")),
		Systems: engine.Systems, Hero: heroSVG, Texts: srv.catalog(r).under("watch"),
	}
	playing, err := srv.billOf(r.Context(), "")
	if err != nil {
		lobby.Warn(srv.log, "web: games to watch not shown", err)
	}
	p.Playing.Cards = playing.Cards[:min(len(playing.Cards), 1)]
	player, ok := srv.whoIs(w, r)
	if srv.prefs(r)["kids"] != "on" {
		p.Lobby = srv.lobbyView(r, player)
	}
	if ok {
		p.gamesShown = srv.gamesOf(r.Context(), player)
		p.Asked = srv.asksOf(r.Context(), srv.catalog(r), player)
		if p.Due > 0 {
			p.Badge = fmt.Sprintf("(%d) ", p.Due)
		}
	}
	srv.render(w, r, http.StatusOK, "home", p)
}

// gameLinks are games of somebody, those in which it is his turn first. Without the
// database the page is there all the same.
func (srv *Server) gameLinks(ctx context.Context, player string, games []lobby.Game) []gameLink {
	names, err := srv.namesIn(ctx, games)
	if err != nil {
		lobby.Warn(srv.log, "web: names not read", err)
	}
	turns := srv.gamelist.Turns(ctx, player, games)
	links := make([]gameLink, len(games))
	for i, g := range games {
		links[i] = gameLink{ID: g.Room, Title: g.Title, State: g.State, Against: others(g, player, names), Turn: turns[g.Room]}
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

// How many of somebody's games are shown to him at once, and among how many is
// looked for those in which it is his turn: nobody waits for him unseen.
const (
	gamesListed = 20
	gamesAsked  = 100
)

// namesIn are the names of all people of some games.
func (srv *Server) namesIn(ctx context.Context, games []lobby.Game) (map[string]string, error) {
	return srv.People.Names(ctx, lobby.PlayersIn(games))
}

// others are the names of those who play with somebody.
func others(g lobby.Game, player string, names map[string]string) string {
	var list []string
	for _, in := range g.In {
		if name := names[in.Player]; in.Player != player && name != "" {
			list = append(list, name)
		}
	}
	return strings.Join(list, ", ")
}
