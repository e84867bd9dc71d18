package paper

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"time"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/rulebook"
	"mancala/match"
	"mancala/match/refusal"
	"mancala/match/room"
	"mancala/web/learn"
	"mancala/web/messages"
	"mancala/web/pages"
	"mancala/web/site"
)

// gamePage is the page at /print/{id}: a game that is over, and the HTML with which a site embeds it.
type gamePage struct {
	pages.Head
	ID, Game, Link, Rules, Date, Clock, Sheet, Frame string

	Kept     *rulebook.Entry // the rule set from which it was made; nil: none
	Ending   string          // who won, and why
	Sides    []side
	Rounds   []round
	Diagrams []diagram
	Long     bool // the moves need narrow columns, so that all fits on a page
}

// A side is the players whose pits are on one side of the board.
type side struct {
	Mark, Names string
	Score       int
}

// A round holds its turns in order.
type round struct{ Turns []turn }

// A turn is what a seat plays until another seat is on turn.
type turn struct {
	Number      int
	Mark, Moves string
	plies       int // played in the round when it is over
}

// A diagram is the position after a turn. It has the number of that turn, by which a reader finds it in
// the moves.
type diagram struct {
	Number int
	Board  template.HTML
}

// diagrams is how many positions of a game are drawn. Of a match only the last round has them.
const diagrams = 4

// manyTurns fill the columns of a page with the rules in words and large diagrams.
const manyTurns = 60

// game serves a game that is over, as far as the reader may see it.
func (srv *Pages) game(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if !lobby.ValidRoomID(id) {
		return room.ErrNoRoom
	}
	player, _ := srv.WhoIs(w, r)
	view, err := srv.Rooms.View(r.Context(), id, player)
	if err != nil {
		return err
	}
	if view.Kind != match.Kind {
		return room.ErrNoRoom
	}
	s, err := match.ReadPublic(id, view.Snapshot)
	switch {
	case err != nil:
		return err
	case s.NeverBegan():
		return site.ErrInviteOver
	case !s.Over():
		return refusal.New(pages.CodeNotOver)
	}
	story, err := srv.Story(r, player)
	if err != nil {
		return err
	}
	c := srv.Catalog(r)
	names, err := srv.NamesIn(r.Context(), c, s.Seats)
	if err != nil {
		return err
	}
	p := &gamePage{Head: srv.NewHead(r, c.T("paper.title", "game", s.Title), ""), ID: id, Game: c.Game(s.Title), Link: srv.Base(r) + "/" + id}
	p.Image, p.Kept = srv.GameImage(r, id, s), srv.RuleSetOf(r.Context(), id, s)
	p.Rules = pages.Describe(c, story.Match.Game().Rules())
	p.Sheet = sheetAddress(s.Rules, s.Options)
	p.Frame = pages.Frame(srv.Base(r)+"/embed/"+id, s.Title)
	if s.ClockText != "none" {
		p.Clock = c.Clock(s.ClockText)
	}
	for k := range s.Shape[0] {
		var players []string
		for seat := k; seat < len(s.Seats); seat += s.Shape[0] {
			players = append(players, names[s.Seats[seat]])
		}
		score := s.Stores[k]
		if s.Result != nil && k < len(s.Result.Scores) { // of a match
			score = s.Result.Scores[k]
		}
		p.Sides = append(p.Sides, side{pages.Marks[k], c.List(players), score})
	}
	p.Ending = ending(c, s, p.Sides)
	p.fill(c, story)
	return srv.Render(w, r, http.StatusOK, "paper", p)
}

// fill writes the turns of each round, and draws positions of the last round that was played.
func (p *gamePage) fill(c *messages.Catalog, story *match.Story) {
	var last match.Chapter
	var list []turn
	turns := 0
	g := story.Match.Game()
	for _, chapter := range story.Rounds {
		if len(chapter.Steps) == 0 {
			continue
		}
		if last = chapter; p.Date == "" {
			p.Date = p.Dates.Day(time.UnixMilli(chapter.Steps[0].At))
		}
		list = turnsOf(c, g.Rules(), chapter.Steps)
		p.Rounds, turns = append(p.Rounds, round{list}), turns+len(list)
	}
	p.Long = turns > manyTurns
	n := len(list)
	for k := range min(n, diagrams) {
		turn := list[(k+1)*n/min(n, diagrams)-1]
		position := last.Steps[turn.plies-1].Position
		board := learn.Board(g, position, learn.Marks{}, c.T("paper.after", "n", turn.Number))
		p.Diagrams = append(p.Diagrams, diagram{turn.Number, board})
	}
}

// turnsOf groups plies into turns, as the list of moves on the page of a game does.
func turnsOf(c *messages.Catalog, rules engine.Rules, steps []match.Step) (list []turn) {
	seat := -1
	for i, step := range steps {
		text := pages.MoveText(c, rules, step.Move)
		if step.Seat == seat {
			list[len(list)-1].Moves += "+ " + text
			list[len(list)-1].plies = i + 1
			continue
		}
		seat = step.Seat
		list = append(list, turn{len(list) + 1, pages.Marks[seat], text, i + 1})
	}
	return list
}

// losersReasons are the reasons for which a game ends and whose text names the loser.
var losersReasons = []string{"resign", "time", "abandoned", "no-show"}

// ending returns who won a game, by which score, and why.
func ending(c *messages.Catalog, s *match.Public, sides []side) string {
	if s.Result == nil {
		return ""
	}
	var won, lost, rest, all []string
	var winner side
	reason := ""
	for k, x := range sides {
		switch {
		case !slices.Contains(s.Result.Winners, k):
			rest, lost = append(rest, fmt.Sprint(x.Score)), append(lost, x.Names)
		default:
			winner, won = x, append(won, x.Names)
		}
		all = append(all, fmt.Sprint(x.Score))
	}
	key := "score.two"
	if len(sides) > 2 {
		key = "score.more"
	}
	if slices.Contains(losersReasons, s.Result.Reason) {
		reason = " " + c.T("reason."+s.Result.Reason, "name", c.List(lost))
	}
	switch len(s.Result.Winners) {
	case 0:
		return c.T("end.none") + reason
	case 1:
		if slices.ContainsFunc(sides, func(x side) bool { return x.Score > winner.Score }) || reason != "" {
			return c.T("end.won.other.plain", "name", c.List(won)) + reason
		}
		return c.T("end.won.other", "name", c.List(won), "score", c.T(key, "a", winner.Score, "b", c.List(rest)))
	}
	return c.T("end.draw", "names", c.List(won), "score", c.T(key, "a", all[0], "b", c.List(all[1:])))
}

// sheetAddress returns the address of the score sheet of rules.
func sheetAddress(system, options string) string {
	q := url.Values{"rules": {cmp.Or(system, engine.Systems[0].Name)}}
	if options != "" {
		q.Set("options", options)
	}
	return "/sheet?" + q.Encode()
}
