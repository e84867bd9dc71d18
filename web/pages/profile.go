package pages

import (
	"context"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"time"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/rating"
	"mancala/web/messages"
	"mancala/web/site"
)

// profilePage is the page at /@/{name} with a player's ratings and games. Only the guest
// sees a guest's profile, since several guests may have the same name.
type profilePage struct {
	head
	Name, Player string
	Own, Guest   bool
	Since        time.Time
	Ratings      []ratingRow
	Of           *ratingRow     // the rating that the chart shows
	Graph        template.HTML  // the chart
	Points       []rating.Point // the points in the chart's table, the latest first
	Against      *lobby.Score   // the viewer's score against this player
	Open         []gameLink     // open games; only on the viewer's own profile
	OpenRest     string         // the link to more open games
	OpenFirst    string         // the link back to the first of them
	Games        []pastRow
	Filter       site.GameFilter
	Systems      []engine.Row
	Older, First string // links to earlier games, and back to the latest
	Person       personView
}

// ratingRow is a rating as the page shows it.
type ratingRow struct {
	rating.PlayerRating
	Title, Link string
	Shown       string // "1510", "1510?"
	Plus        int    // two deviations: half of the 95% interval
	Drawn       bool   // the chart shows this one
}

// pastRow is a finished game in the list.
type pastRow struct {
	lobby.Past
	Kept    string   // the name of the rule set from which it was made
	Against []string // the names of the other players
	How     string
}

const (
	chartDrawn = 200 // games in the chart
	chartTold  = 20  // games in the chart's table
)

// Profile serves the page at /@/{name}.
func (srv *Pages) Profile(w http.ResponseWriter, r *http.Request) error {
	viewer, _ := srv.WhoIs(w, r)
	p, err := srv.profilePage(r, viewer)
	if err != nil {
		return err
	}
	if p.Name != r.PathValue("name") {
		http.Redirect(w, r, site.ProfilePath(p.Name), http.StatusSeeOther)
		return nil
	}
	return srv.render(w, r, http.StatusOK, "profile", p)
}

// MyProfile redirects to the player's own profile. A client without identity is
// redirected to the home page.
func (srv *Pages) MyProfile(w http.ResponseWriter, r *http.Request) error {
	to := "/"
	me, err := srv.WhoCame(w, r)
	if err != nil {
		return err
	}
	if me.Player != "" {
		p, err := srv.People.Player(r.Context(), me.Player)
		if err != nil {
			return err
		}
		to = site.ProfilePath(p.Name)
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

func (srv *Pages) profilePage(r *http.Request, viewer string) (*profilePage, error) {
	ctx, q := r.Context(), r.URL.Query()
	who, err := srv.Profiled(ctx, r.PathValue("name"), viewer)
	if err != nil {
		return nil, err
	}
	p := &profilePage{
		Name: who.Name, Player: who.ID, Own: who.ID == viewer, Guest: who.Guest(), Since: who.Created, Systems: engine.Systems,
		head: srv.head(r, who.Name, srv.Catalog(r).T("profile.description", "name", who.Name)),
	}
	if err := srv.profileRatings(ctx, srv.Catalog(r), p, q.Get("of")); err != nil {
		return nil, err
	}
	if viewer != "" && !p.Own {
		score, err := srv.Games.Between(ctx, viewer, who.ID)
		if err != nil {
			return nil, err
		}
		if score != (lobby.Score{}) {
			p.Against = &score
		}
	}
	if p.Person, err = srv.personView(ctx, viewer, who); err != nil {
		return nil, err
	}
	p.Person.Back = site.ProfilePath(who.Name)
	if p.Own {
		if err := srv.profileOpen(ctx, srv.Catalog(r), p, site.PlaceOf(q.Get("open"))); err != nil {
			return nil, err
		}
	}
	p.Filter = site.FilterOf(q)
	games, err := srv.Games.Past(ctx, who.ID, p.Filter.Chosen(viewer), site.PastListed+1)
	if err != nil {
		return nil, err
	}
	here := site.ProfilePath(who.Name) + "?" + p.Filter.Query("")
	if p.Filter.Before != (lobby.Place{}) {
		p.First = here + "#games"
	}
	if len(games) > site.PastListed {
		games = games[:site.PastListed]
		last := games[len(games)-1]
		p.Older = site.ProfilePath(who.Name) + "?" + p.Filter.Query(site.PlaceText(last.Finished, last.Room)) + "#games"
	}
	p.Games, err = srv.pastRows(ctx, srv.Catalog(r), games)
	return p, err
}

// profileOpen adds one page of the player's own open games.
func (srv *Pages) profileOpen(ctx context.Context, c *messages.Catalog, p *profilePage, after lobby.Place) error {
	games, err := srv.Games.Going(ctx, p.Player, after, site.GamesListed+1)
	if err != nil {
		return err
	}
	here := site.ProfilePath(p.Name)
	if after != (lobby.Place{}) {
		p.OpenFirst = here + "#open-heading"
	}
	if len(games) > site.GamesListed {
		games = games[:site.GamesListed]
		last := games[site.GamesListed-1]
		p.OpenRest = here + "?open=" + site.PlaceText(last.Updated, last.Room) + "#open-heading"
	}
	p.Open = srv.gameLinks(ctx, c, p.Player, games)
	return nil
}

// profileRatings adds a player's ratings. The chart shows the rating named by of, or
// else the rating with the most games.
func (srv *Pages) profileRatings(ctx context.Context, c *messages.Catalog, p *profilePage, of string) error {
	list, err := srv.Ratings.All(ctx, p.Player)
	if err != nil || len(list) == 0 {
		return err
	}
	drawn := max(0, slices.IndexFunc(list, func(s rating.PlayerRating) bool { return s.System+"."+s.Speed == of }))
	for i, s := range list {
		row := srv.ratingRow(s)
		row.Link, row.Drawn = site.ProfilePath(p.Name)+"?of="+url.QueryEscape(s.System+"."+s.Speed)+"#course", i == drawn
		p.Ratings = append(p.Ratings, row)
	}
	p.Of = &p.Ratings[drawn]
	p.Points, err = srv.Ratings.Chart(ctx, p.Player, p.Of.System, p.Of.Speed, chartDrawn)
	if err != nil {
		return err
	}
	if len(p.Points) > 1 {
		p.Graph = chartSVG(p.Points, c.T("profile.course.said", "game", p.Of.Title, "from", site.Whole(p.Points[0].Value),
			"to", site.Whole(p.Points[len(p.Points)-1].Value), "n", len(p.Points)))
	}
	slices.Reverse(p.Points)
	p.Points = p.Points[:min(len(p.Points), chartTold)]
	return nil
}

func (srv *Pages) ratingRow(s rating.PlayerRating) ratingRow {
	return ratingRow{PlayerRating: s, Title: site.SystemRow(s.System).Title, Shown: srv.RatingText(s.Rating), Plus: site.Whole(2 * s.Deviation)}
}

// pastRows returns finished games with the names of the other players.
func (srv *Pages) pastRows(ctx context.Context, c *messages.Catalog, games []lobby.Past) ([]pastRow, error) {
	var ids []string
	for _, g := range games {
		ids = append(ids, g.Others...)
	}
	names, err := srv.PlayerNames(ctx, c, ids)
	rooms := make([]string, len(games))
	for i, g := range games {
		rooms[i] = g.Room
	}
	kept := srv.RuleSetsOf(ctx, rooms)
	rows := make([]pastRow, len(games))
	for i, g := range games {
		var others []string
		for _, id := range g.Others {
			others = append(others, names[id])
		}
		if len(others) == 0 { // deleted players are not in the list
			others = []string{c.T("player.deleted")}
		}
		rows[i] = pastRow{g, kept[g.Room].Name, others, site.OutcomeNames[g.Outcome]}
	}
	return rows, err
}
