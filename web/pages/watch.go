package pages

import (
	"context"
	"html/template"
	"net/http"
	"slices"
	"sync"
	"time"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/showcase"
	"mancala/match"
	"mancala/match/room"
	"mancala/web/site"
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

func (srv *Pages) Watch(w http.ResponseWriter, r *http.Request) {
	p := watchPage{
		head:    srv.head(r, srv.Catalog(r).T("watch.title"), srv.Catalog(r).T("watch.description")),
		Systems: engine.Systems, Texts: srv.Catalog(r).Under("watch"),
	}
	if name := r.URL.Query().Get("game"); site.IsSystem(name) {
		p.System = name
	}
	var err error
	if p.bill, err = srv.billOf(r.Context(), p.System); err != nil {
		srv.Fail(w, r, err)
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
func (srv *Pages) billOf(ctx context.Context, system string) (bill, error) {
	version, err := srv.Shows.Version(ctx)
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
	live, err := srv.Shows.Live(ctx, system, site.MaxCards+site.MaxMore)
	if err != nil {
		return made, err
	}
	for i, g := range live {
		if i >= site.MaxCards {
			made.More = append(made.More, srv.listedCard(g))
		} else if c, err := srv.card(ctx, g); err == nil && !c.Over {
			made.Cards = append(made.Cards, c)
		}
	}
	if len(made.Cards) == 0 {
		best, err := srv.Shows.Best(ctx, system, 1)
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
func (srv *Pages) listedCard(g showcase.Game) card {
	c := card{ID: g.Room, Title: g.Title, Clock: g.Clock, Ply: g.Ply, Watchers: g.Watchers, Delay: g.Delay, Rated: g.Rated, Over: g.Over}
	for seat, player := range g.Seats {
		c.Players = append(c.Players, seatView{Seat: seat, Name: player, Mark: marks[seat]})
	}
	return c
}

// card looks at a game as watchers see it.
func (srv *Pages) card(ctx context.Context, g showcase.Game) (card, error) {
	c := srv.listedCard(g)
	view, err := srv.Rooms.View(ctx, g.Room, "")
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
func (srv *Pages) nameCards(ctx context.Context, b bill) {
	var ids []string
	for _, c := range slices.Concat(b.Cards, b.More) {
		for _, p := range c.Players {
			ids = append(ids, p.Name)
		}
	}
	names, err := srv.People.Names(ctx, ids)
	if err != nil {
		lobby.Warn(srv.Log, "web: names not read", err)
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
func (srv *Pages) cardOf(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	view, err := srv.Rooms.View(r.Context(), id, "")
	var s *match.Public
	if err == nil {
		s, err = match.ReadPublic(id, view.Snapshot)
	}
	if err == nil && len(s.Seats) == 0 {
		err = room.ErrNoRoom // nothing to see yet
	}
	if err != nil {
		srv.Deny(w, r, err)
		return
	}
	g, _ := showcase.Line(id, s, time.Now())
	c, err := srv.card(r.Context(), g)
	if err != nil {
		srv.Deny(w, r, err)
		return
	}
	b := bill{Cards: []card{c}}
	srv.nameCards(r.Context(), b)
	srv.render(w, r, http.StatusOK, "card", b.Cards[0])
}
