package pages

import (
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/puzzles"
	"mancala/match"
	"mancala/match/refusal"
	"mancala/web/learn"
	"mancala/web/messages"
	"mancala/web/site"
)

// This file is the pages of puzzles from games. The puzzle of the page for a missing game is in puzzle.go.

// puzzlesPage is the page at /puzzles.
type puzzlesPage struct {
	head
	Day     puzzles.Puzzle // of the day; without ID there are no puzzles yet
	System  engine.Row     // of the puzzle of the day, or of a lesson to do meanwhile
	Board   template.HTML
	Task    string
	Subject []subject
	Left    bool // the player has tried all puzzles of a theme
	Tried   int
	Rating  string
}

// subject is a theme with its puzzles.
type subject struct {
	Theme, Title string
	Puzzles      int
}

// PuzzlesPage serves the page at /puzzles. ?theme=… leads to the next puzzle of a theme, or of all themes; &left=…
// names the puzzle that the player leaves.
func (srv *Pages) PuzzlesPage(w http.ResponseWriter, r *http.Request) error {
	srv.Puzzles.Want()
	player, _ := srv.WhoIs(w, r)
	c, query := srv.Catalog(r), r.URL.Query()
	p := puzzlesPage{head: srv.head(r, c.T("puzzle.title"), c.T("puzzle.description"))}
	if query.Has("theme") {
		next, err := srv.Puzzles.Next(r.Context(), player, themeIn(query), query.Get("left"))
		switch {
		case err == nil:
			http.Redirect(w, r, puzzlePath(next.ID, themeIn(query), ""), http.StatusSeeOther)
			return nil
		case lobby.CodeOf(err) != puzzles.CodeNone:
			return err
		}
		p.Left = true
	}
	var err error
	if p.Day, err = srv.Puzzles.OfDay(r.Context()); err != nil && lobby.CodeOf(err) != puzzles.CodeNone {
		return err
	}
	if p.Day.ID == "" {
		p.System, p.Board = site.SystemRow("kalah"), learn.Signature("kalah")
		return srv.render(w, r, http.StatusOK, "puzzles", p)
	}
	g, step, err := stepOf(p.Day)
	if err != nil {
		return err
	}
	p.System, p.Board = site.SystemRow(p.Day.System), learn.Picture(g, step.Start, c.T)
	p.Task = c.T("puzzle.task." + p.Day.Goal)
	counted, err := srv.Puzzles.Count(r.Context())
	if err != nil {
		return err
	}
	for _, theme := range puzzles.Themes {
		if n := counted[theme]; n > 0 {
			p.Subject = append(p.Subject, subject{theme, c.T("puzzle.theme." + theme), n})
		}
	}
	rated, tried, err := srv.Puzzles.Solver(r.Context(), player)
	if p.Tried = tried; tried > 0 {
		p.Rating = srv.RatingText(rated)
	}
	if err != nil {
		return err
	}
	return srv.render(w, r, http.StatusOK, "puzzles", p)
}

// puzzlePage is the page at /puzzles/{id}. It is a lesson with one step, whose answers the page does not hold:
// the server judges each move.
type puzzlePage struct {
	lessonPage
	Puzzle, Theme string // Theme is that of the puzzles that the player does, empty: all
	From          string // the address of the game that the puzzle comes from, or ""
}

// gameOf returns the address of the game that a puzzle comes from, at the position if the game has one round. It is
// empty for games of the computer against itself, and after the game was deleted. Only games that every visitor
// may see become puzzles.
func gameOf(x puzzles.Puzzle, g *engine.Game, at engine.Position) string {
	switch {
	case x.Room == "":
		return ""
	case g.Rules().Match != engine.MatchSingle:
		return "/" + x.Room // the puzzle does not know its round
	}
	return fmt.Sprintf("/%s?ply=%d", x.Room, at.Ply)
}

// themeIn returns the theme that a request names, or "".
func themeIn(form url.Values) string {
	if theme := form.Get("theme"); slices.Contains(puzzles.Themes, theme) {
		return theme
	}
	return ""
}

// puzzlePath returns the address of a puzzle's page, after a move if it is not empty.
func puzzlePath(id, theme, move string) string {
	query := url.Values{}
	for name, value := range map[string]string{"theme": theme, "move": move} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return (&url.URL{Path: "/puzzles/" + id, RawQuery: query.Encode()}).String()
}

// PuzzlePage serves the page of a puzzle. After a try, ?move=… shows what a move does, for browsers without script.
func (srv *Pages) PuzzlePage(w http.ResponseWriter, r *http.Request) error {
	x, g, step, err := srv.puzzleAsked(r)
	if err != nil {
		return err
	}
	player, _ := srv.WhoIs(w, r)
	before, err := srv.Puzzles.Tried(r.Context(), player, x.ID)
	if err != nil {
		return err
	}
	c, row := srv.Catalog(r), site.SystemRow(x.System)
	v := viewStep(c, g, step)
	v.N, v.What, v.Task = 1, c.T("puzzle.goal."+x.Goal), c.T("puzzle.task."+x.Goal)
	v.About = []string{c.T("puzzle.about." + x.Goal), c.T("puzzle.first")}
	if before {
		v.About[1] = c.T("puzzle.tried")
	}
	l := taught{game: g, steps: []stepView{v}}
	if err := l.encode(c, row); err != nil {
		return err
	}
	p := puzzlePage{lessonPage{
		head:   srv.head(r, c.T("puzzle.of", "game", row.Title), c.T("puzzle.description")),
		System: row, Steps: l.steps, Step: v, N: 1, Data: l.data, ID: "puzzle-" + x.ID, State: "live",
	}, x.ID, themeIn(r.URL.Query()), gameOf(x, g, step.Start)}
	shown := step.Start
	if a, ok := step.Answer(r.URL.Query().Get("move")); ok && before {
		p.Tried, p.Right, p.Verdict, shown = true, a.Right, puzzleVerdict(c, g, x, step, a), a.After
		if shown.Phase == engine.Over {
			p.State = "over"
		}
	}
	p.Board, p.Seats = lessonBoard(c, row, g, shown)
	return srv.render(w, r, http.StatusOK, "puzzle", p)
}

// TryPuzzle makes a move in a puzzle. A script gets the verdict, and the moves that solve the puzzle, as those of
// the steps of lessons. A form leads back to the page.
func (srv *Pages) TryPuzzle(w http.ResponseWriter, r *http.Request) error {
	form, err := site.FormOf(r)
	if err != nil {
		return err
	}
	x, g, step, err := srv.puzzleAsked(r)
	if err != nil {
		return err
	}
	a, ok := step.Answer(form.Get("move"))
	if !ok {
		return refusal.New(match.CodeBadMove)
	}
	player, err := srv.WhoActs(w, r)
	if err == nil {
		err = lobby.SlowDown(srv.Limit(site.LimitLooks).Wait(player))
	}
	if err != nil {
		return err
	}
	if _, err := srv.Puzzles.Try(r.Context(), player, x.ID, a.Move.String()); err != nil {
		return err
	}
	if r.Header.Get("Accept") == "application/json" {
		return srv.Answer(w, http.StatusOK, map[string]any{
			"said": puzzleVerdict(srv.Catalog(r), g, x, step, a), "right": []string{x.Solution},
		})
	}
	http.Redirect(w, r, puzzlePath(x.ID, themeIn(form), a.Move.String()), http.StatusSeeOther)
	return nil
}

// puzzleAsked returns the puzzle in a request's path.
func (srv *Pages) puzzleAsked(r *http.Request) (x puzzles.Puzzle, g *engine.Game, step learn.Step, err error) {
	id := r.PathValue("id")
	if !lobby.ValidRoomID(id) {
		return x, nil, step, refusal.New(puzzles.CodeNone)
	}
	if x, err = srv.Puzzles.Find(r.Context(), id); err == nil {
		g, step, err = stepOf(x)
	}
	return x, g, step, err
}

// stepOf returns a puzzle as a step of a lesson.
func stepOf(x puzzles.Puzzle) (*engine.Game, learn.Step, error) {
	rules, _ := engine.System(x.System)
	g, err := engine.Compile(rules)
	if err != nil {
		return nil, learn.Step{}, err
	}
	start, err := g.Parse(x.Position)
	if err != nil {
		return nil, learn.Step{}, err
	}
	step, err := learn.Puzzle(g, start, x.Solution)
	return g, step, err
}

// puzzleVerdict returns what a move does, and whether it solves the puzzle. If it does not, the solution follows.
func puzzleVerdict(c *messages.Catalog, g *engine.Game, x puzzles.Puzzle, step learn.Step, a learn.Answer) string {
	said := a.Told(g, c.T)
	if a.Right {
		return c.T("learn.right") + " " + said + " " + c.T("puzzle.solved."+x.Goal)
	}
	solution, _ := step.Answer(x.Solution)
	return said + " " + c.T("puzzle.missed."+x.Goal) + " " + c.T("puzzle.solution."+x.Goal) + " " + solution.Told(g, c.T)
}
