package pages

import (
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"time"

	"mancala/engine"
	"mancala/lobby"
	"mancala/match"
	"mancala/match/room"
	"mancala/web/messages"
	"mancala/web/site"
)

// gamePage is the page of a game, from the waiting room to the finished game.
// Its first paint is right without script; the snapshot in it is where the
// script goes on.
type gamePage struct {
	head
	ID, Link, Status, Rules, Learn, State string
	Code                                  string        // the invitation, while the game waits
	QR                                    template.HTML // and its link for phones
	View                                  string        // what the page is about, see viewOf
	As                                    int
	Finished                              bool
	OEmbed                                string      // where its embedding is described
	JoinAt                                string      // where to type the code
	Reach                                 site.Reach  // how far the link works
	Snap                                  template.JS // the snap frame, in a data block
	Board                                 boardView
	Seats                                 []seatView
	Systems                               []engine.Row
	Played                                bool // at least one ply
	Quick                                 []prefView
	About                                 personView    // a person of the game, whom the script names
	Others                                []site.MeJSON // who play
	Alone                                 bool          // with bots, who do not talk
	Wait                                  invitation
	Looked                                *lookedAt // what its analysis says, once it is over
	Next                                  string    // where one finds another opponent
}

type boardView struct {
	Label     string
	Rows      []rowView
	Stores    []storeView
	Sown      bool   // seeds are sown into the stores; otherwise they are piles of captured seeds
	Direction string // which way seeds are sown
}

type rowView struct {
	Name string
	Side int
	Pits []pitView
}

type pitView struct {
	ID, Owner, Number, Seeds int
	Name                     string
}

type storeView struct {
	Side, Seeds int
	Name        string
}

type seatView struct {
	Seat, Score int
	Name, Mark  string
	Timed       bool          // there is a clock
	Rating      string        // in a rated game
	Face        template.HTML // of a bot
}

// marks of the players, beside their colours (UX.md §3).
var marks = [...]string{"●", "◆", "▲", "■"}

// OfGame serves what is below a game's address; where no game can be is nothing.
func (srv *Pages) OfGame(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !lobby.ValidRoomID(r.PathValue("id")) {
			srv.NotFound(w, r)
			return
		}
		serve(w, r)
	}
}

func (srv *Pages) Game(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	player, _ := srv.WhoIs(w, r)
	now := time.Now()
	view, err := srv.Rooms.View(r.Context(), id, player)
	if err != nil {
		srv.Fail(w, r, err)
		return
	}
	p, err := srv.gamePage(r, id, player, view, now)
	if err != nil {
		srv.Fail(w, r, err)
		return
	}
	if p.Finished && view.Audience.IsSeat() {
		site.MayStay(w) // one's own finished games can be read without a network
	}
	srv.render(w, r, http.StatusOK, "game", p)
}

// Beside is what can be had of a game beside its page.
func (srv *Pages) Beside(w http.ResponseWriter, r *http.Request) {
	switch r.PathValue("what") {
	case "record":
		srv.Export(w, r)
	case "og.png":
		srv.picture(w, r)
	case "card":
		srv.cardOf(w, r)
	case "analysis":
		srv.analysis(w, r)
	case "annotated":
		srv.Annotated(w, r)
	default:
		srv.NotFound(w, r)
	}
}

func (srv *Pages) gamePage(r *http.Request, id, player string, view room.View, now time.Time) (*gamePage, error) {
	c := srv.Catalog(r)
	s, err := match.ReadPublic(id, view.Snapshot)
	if err != nil {
		return nil, err
	}
	if len(s.Pits) != s.Shape[0]*s.Shape[2] || len(s.Stores) != s.Shape[0] {
		return nil, fmt.Errorf("web: snapshot of %s has %d pits and %d stores", id, len(s.Pits), len(s.Stores))
	}
	names, err := srv.Names(r.Context(), s.Players())
	if err != nil {
		lobby.Warn(srv.Log, "web: names not read", err, "room", id)
	}
	ratings := srv.RatingsBeside(r.Context(), c, s)
	frame, err := json.Marshal(map[string]any{
		"t": "snap", "room": id, "seq": view.Seq, "now": now.Add(-view.Delay).UnixMilli(), "as": view.Audience, "me": player,
		"snap": json.RawMessage(view.Snapshot), "you": rawOrNil(view.Private), "names": names, "ratings": ratings,
	})
	if err != nil {
		return nil, fmt.Errorf("web: page of %s: %w", id, err)
	}
	if slices.Contains(s.Sitters, player) || slices.Contains(s.Seats, player) {
		srv.Gamelist.Remember(r.Context(), id, s, now) // what happened may not have reached the list
	}
	if s.NeverBegan() {
		return nil, site.ErrInviteOver
	}
	p := &gamePage{
		ID: id, As: int(view.Audience), State: s.State, View: viewOf(s, player, view.Audience.IsSeat()), Finished: s.State == "over",
		Snap: template.JS(frame), Systems: engine.Systems, Played: len(s.Moves) > len("[]"), // json.Marshal has escaped < > and &
	}
	p.Link, p.JoinAt, p.Reach = srv.Link(r, id)
	p.OEmbed = srv.Base(r) + "/oembed?format=json&url=" + url.QueryEscape(srv.Base(r)+"/"+id)
	p.Learn = "/learn/" + s.Rules
	if s.Options != "" {
		p.Learn += "?options=" + url.QueryEscape(s.Options)
	}
	p.About = personView{Room: id, Back: "/" + id}
	if p.Next, p.Alone = "/", BotsBeside(s, player); p.Alone {
		p.Next = "/bot?rules=" + url.QueryEscape(s.Rules)
		if s.Options != "" {
			p.Next += "&options=" + url.QueryEscape(s.Options)
		}
	}
	for _, other := range s.Seats {
		if _, _, isBot := match.Bot(other); other != player && !isBot {
			p.Others = append(p.Others, site.MeJSON{ID: other, Name: names[other]})
		}
	}
	prefs := srv.Prefs(r)
	p.Quick = prefViews(prefs, quickPrefs)
	p.head = srv.head(r, c.T("game.title", "game", s.Title), c.T("game.description", "game", s.Title))
	p.Image = srv.gameImage(r, id, s)
	if s.State == "waiting" {
		srv.invitation(r, p)
	}
	rules, err := engine.ParseRules(s.Canonical)
	if err != nil {
		return nil, fmt.Errorf("web: rules of %s: %w", id, err)
	}
	p.Rules = describe(c, rules)
	p.Wait = describeInvitation(c, s, rules, player, names)
	named := func(seat int) string {
		if seat < len(s.Seats) {
			return names[s.Seats[seat]]
		}
		return c.T("seat.free")
	}
	rated := func(seat int) string {
		if seat < len(s.Seats) {
			return ratings[s.Seats[seat]]
		}
		return ""
	}
	seats := s.Shape[0] * s.Shape[1]
	for seat := range seats {
		v := seatView{Seat: seat, Score: s.Stores[seat%s.Shape[0]], Name: named(seat), Mark: marks[seat], Timed: s.ClockText != "none", Rating: rated(seat)}
		if seat < len(s.Seats) {
			v.Face = faceOf(s.Seats[seat], prefs["kids"] == "on")
		}
		p.Seats = append(p.Seats, v)
	}
	bottom := max(0, int(view.Audience)) % s.Shape[0]
	if s.Shape[0] == 4 { // as they sit round the board: left, across, right
		place := func(v seatView) int { return (bottom - v.Seat + 4) % 4 }
		slices.SortFunc(p.Seats, func(a, b seatView) int { return place(a) - place(b) })
	}
	p.Board = showBoard(c, s, rules, bottom, named)
	if p.Finished {
		p.Looked = srv.lookedAt(r.Context(), c, id, named)
	}
	switch {
	case s.State == "waiting":
		p.Status = c.T("status.waiting")
	case s.State == "over":
		p.Status = c.T("status.over")
	case s.Turn == int(view.Audience):
		p.Status = c.T("status.yourTurn")
	default:
		p.Status = c.T("status.turnOf", "name", named(s.Turn))
	}
	return p, nil
}

// viewOf is what the page of a game is about for somebody: "room", where he waits
// for others; "offer" of a seat; "play", "watch", or what comes "over" and done.
// Styles depend on it, and table.js keeps it up to date.
func viewOf(s *match.Public, player string, seated bool) string {
	switch {
	case s.State == "waiting" && player != "" && (player == s.Creator || slices.Contains(s.Sitters, player)):
		return "room"
	case s.State == "waiting":
		return "offer"
	case s.State == "over":
		return "over"
	case seated:
		return "play"
	}
	return "watch"
}

func rawOrNil(b []byte) json.RawMessage {
	if b == nil {
		return json.RawMessage("null")
	}
	return b
}

// showBoard lays the board out as the viewer on side own sees it: the others'
// rows first, each left to right, his own row last (UX.md §6, semantics).
func showBoard(c *messages.Catalog, s *match.Public, rules engine.Rules, own int, named func(int) string) boardView {
	sides, row := s.Shape[0], s.Shape[2]
	t := c.T
	v := boardView{Label: t("board.label", "game", s.Title), Sown: rules.Store, Direction: string(rules.Direction)}
	two := rules.Rows == 2
	pit := func(side, i int) pitView {
		id := side*row + i
		return pitView{id, side, i + 1, s.Pits[id], t("pit.name", "name", named(side), "pit", i+1, "n", s.Pits[id])}
	}
	span := func(side, from, to int, reverse bool) rowView {
		r := rowView{Name: t("row.name", "name", named(side)), Side: side}
		for i := from; i < to; i++ {
			r.Pits = append(r.Pits, pit(side, i))
		}
		if reverse {
			slices.Reverse(r.Pits)
		}
		return r
	}
	for k := sides - 1; k >= 0; k-- {
		side, mine := (own+k)%sides, k == 0
		switch {
		case two && mine: // inner row above the outer one
			v.Rows = append(v.Rows, span(side, row/2, row, true), span(side, 0, row/2, false))
		case two:
			v.Rows = append(v.Rows, span(side, 0, row/2, true), span(side, row/2, row, false))
		default:
			v.Rows = append(v.Rows, span(side, 0, row, !mine))
		}
	}
	for side := range sides {
		v.Stores = append(v.Stores, storeView{side, s.Stores[side], t("store.name", "name", named(side), "n", s.Stores[side])})
	}
	return v
}
