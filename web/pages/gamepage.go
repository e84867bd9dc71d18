package pages

import (
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/policy"
	"mancala/lobby/rulebook"
	"mancala/lobby/tournament"
	"mancala/match"
	"mancala/match/room"
	"mancala/web/learn"
	"mancala/web/messages"
	"mancala/web/picture"
	"mancala/web/site"
)

// gamePage is the page of a game, from the invitation to the finished game. Its HTML is
// correct before the script runs. The script continues from the snapshot in the page.
type gamePage struct {
	head
	settingsForm
	ID, Link, Status, Rules, Learn, State string
	Code                                  string        // the invitation's code, while the game waits for players
	QR                                    template.HTML // the invitation's link, for phones
	View                                  string        // see viewOf
	As                                    int           // the viewer's seat, or a negative machine.Audience
	Finished                              bool
	House                                 []string        // how the rules differ from the system
	Kept                                  *rulebook.Entry // the rule set from which it was made; nil: none
	OEmbed                                string          // the address of its oEmbed description
	JoinAt                                string          // the address at which a player types the code
	Reach                                 site.Reach      // from where the link works
	Snap                                  template.JS     // the snap frame, in a data block
	Board                                 boardView
	Seats                                 []seatView
	Systems                               []engine.Row
	Played                                bool // at least one ply was played
	Quick                                 []prefView
	About                                 personView    // a player of the game; the script fills in which one
	Others                                []site.MeJSON // the other people who play
	Alone                                 bool          // all other players are bots or at the same screen: nobody talks
	Days                                  bool          // a player waits for days, so that they may want to be told of their turn
	Both                                  bool          // the player plays for others at the same screen
	Wait                                  invitation    // while the game waits for players
	Looked                                *lookedAt     // the summary of its analysis, once the game is over
	Moment                                *match.Moment // the position that is shown; nil: the latest
	Next                                  string        // the address at which the player finds another opponent
	Event                                 *eventBar     // of a game of a tournament
}

type boardView struct {
	Label     string
	Rows      []rowView
	Stores    []storeView
	Sown      bool   // seeds are sown into the stores; otherwise stores only collect captured seeds
	Direction string // which way seeds are sown
	Made      string // what the board is made of
}

type rowView struct {
	Name string
	Side int
	Pits []pitView
}

type pitView struct {
	ID, Owner, Number, Seeds int
	Marks                    string // as in the text of a position
	Name                     string
}

type storeView struct {
	Side, Seeds int
	Name        string
	Label       string // what the number is, where the board must say it
}

type seatView struct {
	Seat, Score int
	Name, Mark  string
	Deleted     int           // for cards: the player is deleted, as the nth of the game; else 0
	Timed       bool          // the game has clocks
	OnTurn      bool          // the player is on turn; for cards
	InHand      bool          // the score is the seeds in hand; for cards
	Rating      string        // see [site.Site.RatingsBeside]
	Player      string        // the ID of the player in the seat, or ""
	Face        template.HTML // see faceOf
}

// marks are the shapes that tell the seats apart besides their colours (UX.md §3).
var marks = [...]string{"●", "◆", "▲", "■"}

// Game serves the page of a game.
func (srv *Pages) Game(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	player, _ := srv.WhoIs(w, r)
	view, err := srv.Rooms.View(r.Context(), id, player)
	if err != nil {
		return err
	}
	if view.Kind == tournament.Kind { // codes and short links lead here
		return site.SeeOther("/t/" + id)
	}
	p, err := srv.gamePage(r, id, player, placeIn(r), view)
	if err != nil {
		return err
	}
	if p.Finished && p.Moment == nil && view.Audience.IsSeat() {
		site.MayStay(w) // players can read their own finished games offline
	}
	return srv.render(w, r, http.StatusOK, "game", p)
}

// game returns a game's room as a player sees it. There is no game in a room of another kind.
func (srv *Pages) game(ctx context.Context, id, player string) (room.View, error) {
	view, err := srv.Rooms.View(ctx, id, player)
	if err == nil && view.Kind != match.Kind {
		return view, room.ErrNoRoom
	}
	return view, err
}

// gamePage returns the page of a game as a player sees it. Of a game that is over it shows the moment
// at a place, without script too; the snapshot in the page is that of the end.
func (srv *Pages) gamePage(r *http.Request, id, player, place string, view room.View) (*gamePage, error) {
	if view.Kind != match.Kind {
		return nil, room.ErrNoRoom
	}
	c := srv.Catalog(r)
	s, err := match.ReadPublic(id, view.Snapshot)
	if err != nil {
		return nil, err
	}
	if len(s.Pits) != s.Shape[0]*s.Shape[2] || len(s.Stores) != s.Shape[0] {
		return nil, fmt.Errorf("web: snapshot of %s has %d pits and %d stores", id, len(s.Pits), len(s.Stores))
	}
	names, err := srv.NamesIn(r.Context(), c, s.Players())
	if err != nil {
		lobby.Warn(srv.Log, "web: names not read", err, "room", id)
	}
	ratings := srv.RatingsBeside(r.Context(), c, s)
	frame, err := snapFrame(id, player, view, names, ratings)
	if err != nil {
		return nil, err
	}
	if slices.Contains(s.Sitters, player) || slices.Contains(s.Seats, player) {
		srv.Gamelist.Remember(r.Context(), id, s, time.Now()) // the list may not have the latest entries yet
	}
	if s.NeverBegan() {
		return nil, site.ErrInviteOver
	}
	m, err := srv.moment(r, id, player, place, s)
	if err != nil {
		return nil, err
	}
	rules, err := engine.ParseRules(s.Canonical)
	if err != nil {
		return nil, fmt.Errorf("web: rules of %s: %w", id, err)
	}
	p := &gamePage{
		ID: id, As: int(view.Audience), State: s.State, View: viewOf(s, player, view.Audience.IsSeat()), Finished: s.Over(),
		Snap: template.JS(frame), Systems: engine.Systems, Played: len(s.Moves) > len("[]"), Moment: m, // json.Marshal has escaped < > and &
	}
	p.Both = slices.ContainsFunc(s.Seats, func(other string) bool { return match.PlaysFor(player, other) })
	onlyBots := policy.BotsBeside(s, player)
	p.Alone = p.Both || onlyBots
	// A visitor who opens the page before the game begins can take a seat. The page is not loaded again when the
	// game begins.
	mayPlay := s.Waiting() || view.Audience.IsSeat() && s.GoesOn()
	p.Days = match.SpeedOf(s.ClockText) == "days" && mayPlay && !onlyBots
	p.Event = srv.eventBar(r.Context(), c, view, player)
	p.Kept = srv.RuleSetOf(r.Context(), id, s)
	prefs := srv.Prefs(r)
	p.Quick = quickSettings(p, prefs)
	srv.describeGame(r, p, s, rules)
	srv.linkGame(r, p, s)
	for _, other := range s.Seats {
		if _, _, isBot := match.Bot(other); other != player && !isBot && !p.Both {
			p.Others = append(p.Others, site.MeJSON{ID: other, Name: names[other]})
		}
	}
	if s.Waiting() {
		srv.invitation(r, p)
		p.settingsForm = settingsNow(c, s)
		p.Wait = describeInvitation(c, s, rules, player, names)
	}
	named := func(seat int) string {
		if seat < len(s.Seats) {
			return names[s.Seats[seat]]
		}
		return c.T("seat.free")
	}
	then, bottom := shownAt(s, m), max(0, int(view.Audience))%s.Shape[0]
	p.Seats = seatViews(s, then, bottom, named, names, ratings)
	for i, v := range p.Seats {
		p.Seats[i].Face = faceOf(v.Player, prefs["kids"] == "on")
	}
	p.Board = showBoard(c, then, rules, bottom, named)
	if p.Finished {
		p.Looked = srv.lookedAt(r.Context(), c, rules, id, named)
	}
	p.Status = statusOf(c, p, s, named)
	return p, nil
}

// snapFrame returns the frame with which a socket would begin (PROTOCOL.md), for the script of the page.
func snapFrame(id, player string, view room.View, names, ratings map[string]string) ([]byte, error) {
	frame, err := json.Marshal(map[string]any{
		"t": "snap", "room": id, "seq": view.Seq, "now": view.Now - view.Delay.Milliseconds(), "as": view.Audience, "me": player,
		"snap": json.RawMessage(view.Snapshot), "you": rawOrNil(view.Private), "names": names, "ratings": ratings,
	})
	if err != nil {
		return nil, fmt.Errorf("web: page of %s: %w", id, err)
	}
	return frame, nil
}

// quickSettings returns the settings that a player can change beside the board.
func quickSettings(p *gamePage, prefs lobby.Prefs) []prefView {
	quick := prefViews(prefs, quickPrefs)
	if p.Finished { // nobody plays a move
		quick = prefViews(prefs, quickPrefs[:slices.Index(quickPrefs, "confirm")])
	}
	if p.Both {
		quick = append(prefViews(prefs, []string{turnsPref}), quick...)
	}
	return quick
}

// describeGame fills in the title, the picture for previews, and the rules in words.
func (srv *Pages) describeGame(r *http.Request, p *gamePage, s *match.Public, rules engine.Rules) {
	c := srv.Catalog(r)
	description := "game.description"
	if p.Finished {
		description = "game.description.over"
	}
	p.head = srv.head(r, c.T("game.title", "game", s.Title), c.T(description, "game", s.Title))
	if r.URL.Query().Has("screen") { // for a projector
		p.Prefs += " data-screen"
	}
	p.Image, p.Shared = srv.gameImage(r, p.ID, s, p.Moment), p.Canonical+placeQuery(p.Moment)
	p.Rules = describe(c, rules)
	if base, known := engine.System(s.Rules); known && s.Options != "" {
		p.House = learn.Changes(rules, base, c.T)
		p.Description += " " + c.T("learn.house.list", "options", strings.TrimSuffix(strings.Join(p.House, " · "), "."))
	}
}

// linkGame fills in where the page leads.
func (srv *Pages) linkGame(r *http.Request, p *gamePage, s *match.Public) {
	p.Link, p.JoinAt, p.Reach = srv.Link(r, p.ID)
	p.OEmbed = srv.Base(r) + "/oembed?format=json&url=" + url.QueryEscape(srv.Base(r)+"/"+p.ID)
	p.About = personView{Room: p.ID, Back: "/" + p.ID}
	p.Learn = "/learn/" + s.Rules
	if s.Options != "" {
		p.Learn += "?options=" + url.QueryEscape(s.Options)
	}
	switch {
	case p.Both:
		p.Next = "/here?rules=" + url.QueryEscape(s.Rules)
	case p.Alone:
		p.Next = "/bot?rules=" + url.QueryEscape(s.Rules)
		if s.Options != "" {
			p.Next += "&options=" + url.QueryEscape(s.Options)
		}
	default:
		p.Next = "/"
	}
}

// seatViews returns the seats in the order in which the page has them. then is what the page shows of s.
func seatViews(s, then *match.Public, bottom int, named func(seat int) string, names, ratings map[string]string) (seats []seatView) {
	for seat := range s.Shape[0] * s.Shape[1] {
		v := seatView{Seat: seat, Score: then.Stores[seat%s.Shape[0]], Name: named(seat), Mark: marks[seat], Timed: s.ClockText != "none"}
		if seat < len(s.Seats) {
			v.Player, v.Rating = s.Seats[seat], ratings[s.Seats[seat]]
		}
		seats = append(seats, v)
	}
	if s.Shape[0] == 4 { // in the order round the board: left, across, right, own seat
		place := func(v seatView) int { return (bottom - v.Seat + 4) % 4 }
		slices.SortFunc(seats, func(a, b seatView) int { return place(a) - place(b) })
	}
	if len(s.Seats) == 0 {
		nameSitters(seats, s.Sitters, names, func(v seatView) bool { return v.Seat%s.Shape[0] == bottom })
	}
	return seats
}

// statusOf returns the line below the board.
func statusOf(c *messages.Catalog, p *gamePage, s *match.Public, named func(seat int) string) string {
	switch {
	case p.Moment != nil:
		return c.T("moves.past", "n", p.Moment.At, "of", p.Moment.Of)
	case s.Waiting():
		return c.T("status.waiting")
	case s.Over():
		return c.T("status.over")
	case s.Paused > 0:
		return c.T("status.paused")
	case s.Turn == p.As && !p.Both:
		return c.T("status.yourTurn")
	}
	return c.T("status.turnOf", "name", named(s.Turn))
}

// nameSitters writes the names of the players who sit already, before seats are
// drawn, by seat. The places at the bottom are filled last, because the visitor's will be
// there. table.js does the same.
func nameSitters(seats []seatView, sitters []string, names map[string]string, bottom func(seatView) bool) {
	bySeat := slices.Clone(seats)
	slices.SortFunc(bySeat, func(a, b seatView) int { return a.Seat - b.Seat })
	slices.SortStableFunc(bySeat, func(a, b seatView) int { return boolean(bottom(a)) - boolean(bottom(b)) })
	for k, player := range sitters[:min(len(sitters), len(seats))] {
		i := slices.IndexFunc(seats, func(v seatView) bool { return v.Seat == bySeat[k].Seat })
		seats[i].Name, seats[i].Player = names[player], player
	}
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// viewOf returns what the page of a game shows to a player: "room" while the player
// waits for others, "offer" while others may take a seat, "play" or "watch" during the
// game, "over" after it. Styles depend on it, and table.js keeps it up to date.
func viewOf(s *match.Public, player string, seated bool) string {
	switch {
	case s.Waiting() && player != "" && (player == s.Creator || slices.Contains(s.Sitters, player)):
		return "room"
	case s.Waiting():
		return "offer"
	case s.Over():
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

// showBoard lays the board out for the viewer on side own. The other sides' rows come
// first and the viewer's own row last, each from left to right (UX.md §6, semantics).
func showBoard(c *messages.Catalog, s *match.Public, rules engine.Rules, own int, named func(int) string) boardView {
	sides, row := s.Shape[0], s.Shape[2]
	t := c.T
	v := boardView{Label: t("board.label", "game", s.Title), Sown: rules.Store, Direction: string(rules.Direction), Made: string(picture.MadeOf(rules))}
	two := rules.Rows == 2
	pit := func(side, i int) pitView {
		id := side*row + i
		v := pitView{id, side, i + 1, s.Pits[id], s.Marks[id], t("pit.name", "name", named(side), "pit", i+1, "n", s.Pits[id])}
		switch v.Marks {
		case "x":
			v.Name = t("pit.name.claimed", "name", named(side), "pit", i+1, "other", named(1-side))
		case "h":
			v.Name = t("pit.name.house", "name", named(side), "pit", i+1, "n", s.Pits[id])
		case "h!":
			v.Name = t("pit.name.blocked-house", "name", named(side), "pit", i+1, "n", s.Pits[id])
		case "!":
			v.Name = t("pit.name.blocked", "name", named(side), "pit", i+1, "n", s.Pits[id])
		}
		return v
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
		case two && mine: // the viewer's inner row is above the outer one
			v.Rows = append(v.Rows, span(side, row/2, row, true), span(side, 0, row/2, false))
		case two:
			v.Rows = append(v.Rows, span(side, 0, row/2, true), span(side, row/2, row, false))
		default:
			v.Rows = append(v.Rows, span(side, 0, row, !mine))
		}
	}
	store, label := "store.name", ""
	if picture.InHand(rules, s.Pits) {
		store, label = "hand.other", t("hand")
	}
	for side := range sides {
		v.Stores = append(v.Stores, storeView{side, s.Stores[side], t(store, "name", named(side), "n", s.Stores[side]), label})
	}
	return v
}
