package web

import (
	"context"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/policy"
	"mancala/lobby/rating"
	"mancala/match"
)

// profilePage is the page at /@/{name}: somebody's ratings and games. A guest has
// one for himself alone, since others may have his name.
type profilePage struct {
	head
	Name, Player string
	Own, Guest   bool
	Since        time.Time
	Ratings      []ratingRow
	Of           *ratingRow // the rating that is drawn
	Graph        template.HTML
	Course       []rating.Point // the latest first
	Against      *lobby.Score   // the viewer's games against him
	Open         []gameLink     // those that go on; for himself alone
	OpenRest     string         // links to the rest of them
	OpenFirst    string
	Games        []pastRow
	Filter       gameFilter
	Systems      []engine.Row
	Older, First string // links
	Person       personView
}

// ratingRow is a rating for people.
type ratingRow struct {
	rating.Standing
	Title, Link string
	Shown       string // "1510", "1510?"
	Plus        int    // half of the interval that is likely
	Drawn       bool
}

// pastRow is a game of the list.
type pastRow struct {
	lobby.Past
	Against, How string
}

const pastListed = 20 // games on a page

const (
	courseDrawn = 200 // games in a graph
	courseTold  = 20  // of them in its table
)

// profilePath is the address of an account's profile.
func profilePath(name string) string { return "/@/" + url.PathEscape(name) }

func (srv *Server) profile(w http.ResponseWriter, r *http.Request) {
	viewer, _ := srv.whoIs(w, r)
	p, err := srv.profilePage(r, viewer)
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	if p.Name != r.PathValue("name") {
		http.Redirect(w, r, profilePath(p.Name), http.StatusSeeOther)
		return
	}
	srv.render(w, r, http.StatusOK, "profile", p)
}

// myProfile leads to the profile of who asks. A stranger has none.
func (srv *Server) myProfile(w http.ResponseWriter, r *http.Request) {
	to := "/"
	if player, ok := srv.whoIs(w, r); ok {
		p, err := srv.People.Player(r.Context(), player)
		if err != nil {
			srv.failWith(w, r, err)
			return
		}
		to = profilePath(p.Name)
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// profiled is whom a profile is about.
func (srv *Server) profiled(ctx context.Context, name, viewer string) (lobby.Player, error) {
	p, err := srv.People.Named(ctx, name)
	if lobby.CodeOf(err) == lobby.CodeNoPlayer && viewer != "" {
		if own, look := srv.People.Player(ctx, viewer); look == nil && own.Name == name {
			return own, nil
		}
	}
	return p, policy.Someone(err)
}

func (srv *Server) profilePage(r *http.Request, viewer string) (*profilePage, error) {
	ctx, q := r.Context(), r.URL.Query()
	who, err := srv.profiled(ctx, r.PathValue("name"), viewer)
	if err != nil {
		return nil, err
	}
	p := &profilePage{
		Name: who.Name, Player: who.ID, Own: who.ID == viewer, Guest: who.Guest(), Since: who.Created, Systems: engine.Systems,
		head: srv.head(r, who.Name, srv.catalog(r).t("profile.description", "name", who.Name)),
	}
	if err := srv.profileRatings(ctx, srv.catalog(r), p, q.Get("of")); err != nil {
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
	p.Person.Back = profilePath(who.Name)
	if p.Own {
		if err := srv.profileOpen(ctx, p, placeOf(q.Get("open"))); err != nil {
			return nil, err
		}
	}
	p.Filter = filterOf(q)
	games, err := srv.Games.Past(ctx, who.ID, p.Filter.chosen(viewer), pastListed+1)
	if err != nil {
		return nil, err
	}
	here := profilePath(who.Name) + "?" + p.Filter.query("")
	if p.Filter.before != (lobby.Place{}) {
		p.First = here + "#games"
	}
	if len(games) > pastListed {
		games = games[:pastListed]
		last := games[len(games)-1]
		p.Older = profilePath(who.Name) + "?" + p.Filter.query(placeText(last.Finished, last.Room)) + "#games"
	}
	p.Games, err = srv.pastRows(ctx, games)
	return p, err
}

// profileOpen fills in a page of one's own games that go on.
func (srv *Server) profileOpen(ctx context.Context, p *profilePage, after lobby.Place) error {
	games, err := srv.Games.Going(ctx, p.Player, after, gamesListed+1)
	if err != nil {
		return err
	}
	here := profilePath(p.Name)
	if after != (lobby.Place{}) {
		p.OpenFirst = here + "#open-heading"
	}
	if len(games) > gamesListed {
		games = games[:gamesListed]
		last := games[gamesListed-1]
		p.OpenRest = here + "?open=" + placeText(last.Updated, last.Room) + "#open-heading"
	}
	p.Open = srv.gameLinks(ctx, p.Player, games)
	return nil
}

// profileRatings fills in somebody's ratings, and draws the one that was asked
// for, or of which he has played most.
func (srv *Server) profileRatings(ctx context.Context, c *catalog, p *profilePage, of string) error {
	list, err := srv.Ratings.All(ctx, p.Player)
	if err != nil || len(list) == 0 {
		return err
	}
	drawn := max(0, slices.IndexFunc(list, func(s rating.Standing) bool { return s.System+"."+s.Speed == of }))
	for i, s := range list {
		row := srv.ratingRow(s)
		row.Link, row.Drawn = profilePath(p.Name)+"?of="+url.QueryEscape(s.System+"."+s.Speed)+"#course", i == drawn
		p.Ratings = append(p.Ratings, row)
	}
	p.Of = &p.Ratings[drawn]
	p.Course, err = srv.Ratings.Chart(ctx, p.Player, p.Of.System, p.Of.Speed, courseDrawn)
	if err != nil {
		return err
	}
	if len(p.Course) > 1 {
		p.Graph = courseSVG(p.Course, c.t("profile.course.said", "game", p.Of.Title, "from", whole(p.Course[0].Value),
			"to", whole(p.Course[len(p.Course)-1].Value), "n", len(p.Course)))
	}
	slices.Reverse(p.Course)
	p.Course = p.Course[:min(len(p.Course), courseTold)]
	return nil
}

func (srv *Server) ratingRow(s rating.Standing) ratingRow {
	return ratingRow{Standing: s, Title: systemRow(s.System).Title, Shown: srv.ratingText(s.Rating), Plus: whole(2 * s.Deviation)}
}

// ratingText is a rating beside a name: with a question mark if it is provisional.
func (srv *Server) ratingText(r rating.Rating) string {
	key := "rating"
	if r.Provisional() {
		key += ".provisional"
	}
	return srv.languages.usual().t(key, "n", r.Rounded())
}

func whole(x float64) int { return int(x + 0.5) }

// pastRows are games as lines, with the names of the others.
func (srv *Server) pastRows(ctx context.Context, games []lobby.Past) ([]pastRow, error) {
	var ids []string
	for _, g := range games {
		ids = append(ids, g.Others...)
	}
	names, err := srv.People.Names(ctx, ids)
	rows := make([]pastRow, len(games))
	for i, g := range games {
		var others []string
		for _, id := range g.Others {
			others = append(others, names[id])
		}
		if len(others) == 0 { // who was forgotten is in no list
			others = []string{lobby.DeletedName}
		}
		rows[i] = pastRow{g, strings.Join(others, ", "), outcomeNames[g.Outcome]}
	}
	return rows, err
}

// outcomeNames are the outcomes in addresses and in the catalog.
var outcomeNames = map[lobby.Outcome]string{lobby.Won: "won", lobby.Drawn: "drawn", lobby.Lost: "lost", lobby.Undecided: "undecided"}

// gameFilter is which of somebody's games are listed, as words of the address.
// What it does not know is left out.
type gameFilter struct {
	System, Result, Rated string
	before                lobby.Place
}

func filterOf(q url.Values) gameFilter {
	f := gameFilter{System: q.Get("system"), Result: q.Get("result"), Rated: q.Get("rated")}
	if _, ok := engine.System(f.System); !ok {
		f.System = ""
	}
	if !slices.Contains([]string{"won", "drawn", "lost"}, f.Result) {
		f.Result = ""
	}
	if f.Rated != "yes" && f.Rated != "no" {
		f.Rated = ""
	}
	f.before = placeOf(q.Get("before"))
	return f
}

// placeText is a place among games in an address.
func placeText(at time.Time, id string) string {
	return strconv.FormatInt(at.UnixMilli(), 10) + "-" + id
}

// placeOf is what [placeText] wrote; anything else is the zero Place.
func placeOf(text string) lobby.Place {
	ms, id, _ := strings.Cut(text, "-")
	at, err := strconv.ParseInt(ms, 10, 64)
	if err != nil || !lobby.ValidRoomID(id) {
		return lobby.Place{}
	}
	return lobby.Place{At: time.UnixMilli(at), Room: id}
}

// Any says whether it leaves any games out.
func (f gameFilter) Any() bool { return f != gameFilter{} }

// chosen are the games that viewer sees through the filter.
func (f gameFilter) chosen(viewer string) lobby.Chosen {
	c := lobby.Chosen{Viewer: viewer, System: f.System, Before: f.before}
	for outcome, name := range outcomeNames {
		if name == f.Result {
			c.Outcome = &outcome
		}
	}
	if f.Rated != "" {
		yes := f.Rated == "yes"
		c.Rated = &yes
	}
	return c
}

// query is the filter as it stands in an address, from a place on.
func (f gameFilter) query(before string) string {
	q := url.Values{}
	for name, value := range map[string]string{"system": f.System, "result": f.Result, "rated": f.Rated, "before": before} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q.Encode()
}

// ratingsIn are the ratings in a room, for everybody who is there. Levels of bots are
// not among them: pages have them from the beginning, each in its language.
func (srv *Server) ratingsIn(ctx context.Context, roomID string) map[string]string {
	view, err := srv.rooms.View(ctx, roomID, "")
	if err != nil || view.Kind != match.RoomKind {
		return nil
	}
	if facts, err := match.ReadFacts(view.Snapshot); err != nil || !facts.Rated {
		return nil
	}
	s, err := match.ReadPublic(roomID, view.Snapshot)
	if err != nil {
		return nil
	}
	return srv.ratingsBeside(ctx, srv.languages.usual(), s)
}

// ratingsBeside is what stands beside the names of players, by player: their ratings
// in a rated game, the levels of bots; nil for other games.
func (srv *Server) ratingsBeside(ctx context.Context, c *catalog, s *match.Public) map[string]string {
	if !s.Rated {
		return c.levelsBeside(s)
	}
	found, err := srv.Ratings.Of(ctx, s.Players(), s.Rules, match.SpeedOf(s.ClockText))
	if err != nil {
		lobby.Warn(srv.log, "web: ratings not read", err)
	}
	texts := map[string]string{}
	for _, id := range s.Players() {
		r := rating.New
		if f, ok := found[id]; ok {
			r = f.Rating
		}
		texts[id] = srv.ratingText(r)
	}
	return texts
}
