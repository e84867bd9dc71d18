package pages

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
	"mancala/web/site"
)

// watchPage is the page with the games that every client may watch.
type watchPage struct {
	head
	bill
	Systems []engine.Row
	Hero    heroBoard // what there is to do while nobody plays
	System  string
	Texts   map[string]any // the texts of the script
}

// bill is the list of games to watch: some with boards, more without. If no game is
// live, it has the best finished game.
type bill struct {
	Cards []card
	More  []card // live games that are listed without a board
}

// card is a game with a small board.
type card struct {
	ID, Title, Clock     string
	Kept                 string // the name of the rule set from which it was made
	Shape                string // the ID of the symbol of its board
	Board                template.HTML
	Players              []seatView
	Ply, Watchers, Delay int
	Rated, Over          bool
}

// Watch serves the page of the games to watch.
func (srv *Pages) Watch(w http.ResponseWriter, r *http.Request) error {
	p := watchPage{
		head:    srv.head(r, srv.Catalog(r).T("watch.title"), srv.Catalog(r).T("watch.description")),
		Systems: engine.Systems, Texts: srv.Catalog(r).Under("watch"), Hero: heroOf(),
	}
	if name := r.URL.Query().Get("game"); site.IsSystem(name) {
		p.System = name
	}
	var err error
	if p.bill, err = srv.billOf(r.Context(), p.System); err != nil {
		return err
	}
	return srv.render(w, r, http.StatusOK, "watch", p)
}

// bills caches the bill of each system for one version of the showcase.
type bills struct {
	drawing sync.Mutex // held while boards are drawn; taken before mu
	mu      sync.Mutex
	version uint64
	made    map[string]bill // by system; "" is all systems
}

// billOf returns the games to watch of a system, or of all systems if system is empty.
// Each bill is computed at most once for each version of the showcase, whatever the
// number of requests.
func (srv *Pages) billOf(ctx context.Context, system string) (bill, error) {
	ctx = room.Charged(ctx, nil) // made for all visitors, so no visitor's limit may leave out a game
	version, err := srv.Shows.Version(ctx)
	if err != nil {
		return bill{}, err
	}
	b := &srv.bills
	b.drawing.Lock() // only one of several requests at once draws
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
	srv.nameRules(ctx, made)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.version == version {
		b.made[system] = made
	}
	return made, nil
}

// listedCard returns a game's card without its board, from the showcase alone. Players
// are named by their IDs.
func (srv *Pages) listedCard(g showcase.Game) card {
	c := card{ID: g.Room, Title: g.Title, Shape: pickCards()[g.System].Shape, Clock: g.Clock, Ply: g.Ply, Watchers: g.Watchers, Delay: g.Delay, Rated: g.Rated, Over: g.Over}
	for seat, player := range g.Seats {
		c.Players = append(c.Players, seatView{Seat: seat, Name: player, Mark: marks[seat]})
	}
	return c
}

// card returns a game's card with the board as watchers see it. Players are named by
// their IDs.
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
	c.Board, c.Ply, c.Over = template.HTML(board.Miniature()), s.Ply, s.Over()
	for i := range c.Players {
		c.Players[i].Score = s.Stores[i%len(s.Stores)]
		c.Players[i].InHand = board.Hand
		c.Players[i].OnTurn = s.State == "live" && s.Turn == i
		c.Players[i].Timed = g.Clock != "" && g.Clock != "none" && !strings.Contains(g.Clock, "/")
	}
	return c, nil
}

// nameCards replaces the players' IDs by their names. Cards are for readers of all languages, so the
// template names deleted players.
func (srv *Pages) nameCards(ctx context.Context, b bill) {
	var ids []string
	for _, c := range slices.Concat(b.Cards, b.More) {
		for _, p := range c.Players {
			ids = append(ids, p.Name)
		}
	}
	names, deleted, err := srv.People.NamesAndDeleted(ctx, ids)
	if err != nil {
		lobby.Warn(srv.Log, "web: names not read", err)
	}
	for _, c := range slices.Concat(b.Cards, b.More) {
		own := make([]string, len(c.Players))
		gone := 0
		for i, p := range c.Players {
			if own[i] = names[p.Name]; slices.Contains(deleted, p.Name) {
				gone++
				c.Players[i].Deleted = gone
			}
		}
		for i, name := range lobby.Distinct(own) {
			c.Players[i].Name = name
		}
	}
}

// nameRules names the rule sets from which games were made.
func (srv *Pages) nameRules(ctx context.Context, b bill) {
	var rooms []string
	for _, c := range slices.Concat(b.Cards, b.More) {
		rooms = append(rooms, c.ID)
	}
	kept := srv.RuleSetsOf(ctx, rooms)
	for _, list := range [][]card{b.Cards, b.More} {
		for i := range list {
			list[i].Kept = kept[list[i].ID].Name
		}
	}
}

// cardOf serves the card of one game. A script adds it to a page that is open.
func (srv *Pages) cardOf(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	view, err := srv.game(r.Context(), id, "")
	var s *match.Public
	if err == nil {
		s, err = match.ReadPublic(id, view.Snapshot)
	}
	if err == nil && len(s.Seats) == 0 {
		err = room.ErrNoRoom // the game has no players yet
	}
	if err != nil {
		return err
	}
	g, _ := showcase.Line(id, s, time.Now())
	c, err := srv.card(r.Context(), g)
	if err != nil {
		return err
	}
	b := bill{Cards: []card{c}}
	srv.nameCards(r.Context(), b)
	srv.nameRules(r.Context(), b)
	return srv.render(w, r, http.StatusOK, "card", b.Cards[0])
}
