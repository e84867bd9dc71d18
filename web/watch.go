package web

import (
	"context"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/showcase"
	"mancala/match"
	"mancala/match/room"
)

// watchPage is the page of the games that anybody may watch.
type watchPage struct {
	head
	bill
	Systems []engine.Row
	System  string
	Texts   map[string]any // what the script says
}

// bill is what is on: boards that go on, and the names of more games. If nothing
// does, the best that was.
type bill struct {
	Cards []card
	More  []card // without boards
}

// card is a game with a small board.
type card struct {
	ID, Title, Clock     string
	Board                template.HTML
	Players              []seatView
	Ply, Watchers, Delay int
	Rated, Over          bool
}

const (
	maxCards = 12
	maxMore  = 40
)

// isSystem says whether there is such a game.
func isSystem(name string) bool {
	return slices.ContainsFunc(engine.Systems, func(row engine.Row) bool { return row.Name == name })
}

func (srv *Server) watch(w http.ResponseWriter, r *http.Request) {
	p := watchPage{
		head:    srv.head(r, srv.catalog(r).t("watch.title"), srv.catalog(r).t("watch.description")),
		Systems: engine.Systems, Texts: srv.catalog(r).under("watch"),
	}
	if name := r.URL.Query().Get("game"); isSystem(name) {
		p.System = name
	}
	var err error
	if p.bill, err = srv.billOf(r.Context(), p.System); err != nil {
		srv.failWith(w, r, err)
		return
	}
	srv.render(w, r, http.StatusOK, "watch", p)
}

// bills keeps what pages show of each system, made of one reading of the showcase.
type bills struct {
	drawing sync.Mutex // held while boards are drawn; taken before mu
	mu      sync.Mutex
	version uint64
	made    map[string]bill // by system; empty: all
}

// billOf returns what a page shows of a system, or of all. It is made anew every few
// seconds at most, however many ask.
func (srv *Server) billOf(ctx context.Context, system string) (bill, error) {
	version, err := srv.showcase.Version(ctx)
	if err != nil {
		return bill{}, err
	}
	b := &srv.bills
	b.drawing.Lock() // of many who come at once one draws
	defer b.drawing.Unlock()
	b.mu.Lock()
	if b.version != version {
		b.version, b.made = version, map[string]bill{}
	}
	made, ok := b.made[system]
	b.mu.Unlock()
	if ok {
		return made, nil
	}
	live, err := srv.showcase.Live(ctx, system, maxCards+maxMore)
	if err != nil {
		return made, err
	}
	for i, g := range live {
		if i >= maxCards {
			made.More = append(made.More, srv.listedCard(g))
		} else if c, err := srv.card(ctx, g); err == nil && !c.Over {
			made.Cards = append(made.Cards, c)
		}
	}
	if len(made.Cards) == 0 {
		best, err := srv.showcase.Best(ctx, system, 1)
		if err != nil {
			return made, err
		}
		for _, g := range best {
			if c, err := srv.card(ctx, g); err == nil {
				made.Cards = append(made.Cards, c)
			}
		}
	}
	srv.nameCards(ctx, made)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.version == version {
		b.made[system] = made
	}
	return made, nil
}

// listedCard is what is known of a game without looking at it.
func (srv *Server) listedCard(g showcase.Game) card {
	c := card{ID: g.Room, Title: g.Title, Clock: g.Clock, Ply: g.Ply, Watchers: g.Watchers, Delay: g.Delay, Rated: g.Rated, Over: g.Over}
	for seat, player := range g.Seats {
		c.Players = append(c.Players, seatView{Seat: seat, Name: player, Mark: marks[seat]})
	}
	return c
}

// shortClock is a clock as players write it, where it is not a matter of days.
func (c *catalog) shortClock(text string) string {
	if strings.ContainsAny(text, "+d") && !strings.Contains(text, "/") {
		return text
	}
	return c.clock(text)
}

// card looks at a game as watchers see it.
func (srv *Server) card(ctx context.Context, g showcase.Game) (card, error) {
	c := srv.listedCard(g)
	view, err := srv.rooms.View(ctx, g.Room, "")
	if err != nil {
		return c, err
	}
	s, err := match.ReadPublic(g.Room, view.Snapshot)
	if err != nil {
		return c, err
	}
	board, err := boardPicture(s)
	if err != nil {
		return c, err
	}
	c.Board, c.Ply, c.Over = template.HTML(board.Miniature()), s.Ply, s.State == "over"
	for i := range c.Players {
		c.Players[i].Score = s.Stores[i%len(s.Stores)]
	}
	return c, nil
}

// nameCards puts the players' names in the place of their IDs.
func (srv *Server) nameCards(ctx context.Context, b bill) {
	var ids []string
	for _, c := range slices.Concat(b.Cards, b.More) {
		for _, p := range c.Players {
			ids = append(ids, p.Name)
		}
	}
	names, err := srv.People.Names(ctx, ids)
	if err != nil {
		lobby.Warn(srv.log, "web: names not read", err)
	}
	for _, c := range slices.Concat(b.Cards, b.More) {
		own := make([]string, len(c.Players))
		for i, p := range c.Players {
			own[i] = names[p.Name]
		}
		for i, name := range lobby.Distinct(own) {
			c.Players[i].Name = name
		}
	}
}

// cardOf serves the card of one game, for a page that shows it from now on.
func (srv *Server) cardOf(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	view, err := srv.rooms.View(r.Context(), id, "")
	var s *match.Public
	if err == nil {
		s, err = match.ReadPublic(id, view.Snapshot)
	}
	if err == nil && len(s.Seats) == 0 {
		err = room.ErrNoRoom // nothing to see yet
	}
	if err != nil {
		srv.deny(w, r, err)
		return
	}
	g, _ := showcase.Line(id, s, time.Now())
	c, err := srv.card(r.Context(), g)
	if err != nil {
		srv.deny(w, r, err)
		return
	}
	b := bill{Cards: []card{c}}
	srv.nameCards(r.Context(), b)
	srv.render(w, r, http.StatusOK, "card", b.Cards[0])
}

// liveGame is a game in the API's list.
type liveGame struct {
	Room     string   `json:"room"`
	Rules    string   `json:"rules"`
	Options  string   `json:"options,omitempty"`
	Title    string   `json:"title"`
	Clock    string   `json:"clock"`
	Rated    bool     `json:"rated,omitempty"`
	Delay    int      `json:"delay,omitempty"`
	Rating   int      `json:"rating,omitempty"`
	Seats    []string `json:"seats"`
	Names    []string `json:"names"`
	Ply      int      `json:"ply"`
	Watchers int      `json:"watchers"`
}

// apiLive lists the games that anybody may watch, those first that a page would
// show first.
func (srv *Server) apiLive(w http.ResponseWriter, r *http.Request) {
	rules := r.URL.Query().Get("rules")
	if rules != "" && !isSystem(rules) {
		srv.refuseAPI(w, r, errBadFrame)
		return
	}
	live, err := srv.showcase.Live(r.Context(), rules, maxCards+maxMore)
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	var ids []string
	for _, g := range live {
		ids = append(ids, g.Seats...)
	}
	names, err := srv.People.Names(r.Context(), ids)
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	list := make([]liveGame, len(live))
	for i, g := range live {
		own := make([]string, len(g.Seats))
		for k, id := range g.Seats {
			own[k] = names[id]
		}
		list[i] = liveGame{g.Room, g.System, g.Options, g.Title, g.Clock, g.Rated, g.Delay, g.Rating, g.Seats, lobby.Distinct(own), g.Ply, g.Watchers}
	}
	srv.answer(w, http.StatusOK, map[string]any{"games": list})
}
