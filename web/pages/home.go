package pages

import (
	"fmt"
	"net/http"
	"sync"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/web/learn"
	"mancala/web/site"
)

// homePage is the page at /.
type homePage struct {
	head
	settingsForm
	Systems []engine.Row
	Hero    heroBoard
	Cards   []frontCard
	gamesShown
	Lobby   *lobbyView      // nil in kids mode
	Asked   []site.AskShown // the player's open challenges, sent and received, for browsers without script
	Playing bill            // at most one game to watch
	Events  []TournamentRow // that run or take players
	Texts   map[string]any
}

// frontCard is a game that the home page offers.
type frontCard struct {
	gameCard
	Minutes int // that a game takes, about
}

// frontCards returns the cards of the home page. They are drawn once.
var frontCards = sync.OnceValue(func() (cards []frontCard) {
	for _, f := range frontGames {
		cards = append(cards, frontCard{gameCard{site.SystemRow(f.system), learn.Signature(f.system)}, f.minutes})
	}
	return cards
})

// Home serves the page at /.
func (srv *Pages) Home(w http.ResponseWriter, r *http.Request) error {
	p := homePage{
		head:         srv.head(r, srv.Catalog(r).T("home.title"), srv.Catalog(r).T("home.description")),
		settingsForm: newSettings(srv.Catalog(r)),
		Systems:      engine.Systems, Hero: heroOf(), Cards: frontCards(), Texts: srv.Catalog(r).Under("watch"),
	}
	playing, err := srv.billOf(r.Context(), "")
	if err != nil {
		lobby.Warn(srv.Log, "web: games to watch not shown", err)
	}
	p.Playing.Cards = playing.Cards[:min(len(playing.Cards), 1)]
	player, ok := srv.WhoIs(w, r)
	if !p.Kids {
		p.Events = srv.comingTournaments(r.Context(), srv.Catalog(r), p.Dates)
		p.Lobby = srv.lobbyView(r, player)
	}
	if ok {
		p.gamesShown = srv.gamesOf(r.Context(), srv.Catalog(r), player)
		p.Asked = srv.asksOf(r, player)
		if p.Due > 0 {
			p.Badge = fmt.Sprintf("(%d) ", p.Due)
		}
	}
	return srv.render(w, r, http.StatusOK, "home", p)
}

// asksOf returns the challenges that concern a player. An error is logged and gives none, so
// that the page can still be shown.
func (srv *Pages) asksOf(r *http.Request, player string) []site.AskShown {
	var asks []seeks.Challenge
	if err := srv.LobbyRoom.State(r.Context(), func(s *seeks.State) { asks = s.AsksOf(player) }); err != nil {
		lobby.Warn(srv.Log, "web: challenges not read", err)
	}
	if len(asks) == 0 {
		return nil
	}
	return srv.AsksShown(r.Context(), srv.Catalog(r), player, asks)
}
