package pages

import (
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"sync"

	"mancala/engine"
	"mancala/match"
	"mancala/match/room"
	"mancala/web/learn"
	"mancala/web/messages"
	"mancala/web/site"
)

// lessonPage is the page at /learn/{system}/lesson. It shows one step. All answers of all steps are in the
// page, so its script asks the server for nothing. Without script each move is a link to ?step=…&move=….
type lessonPage struct {
	head
	System    engine.Row
	Steps     []stepView
	Step      stepView // the one that is shown
	N         int      // its number, from 1
	Next      int      // the number of the step after it; 0: there is none
	Tried     bool     // a move was made
	Right     bool     // it solves the step
	Verdict   string
	Data      template.JS // for the script, in a data block
	Board     boardView
	Seats     []seatView
	As        int
	ID, State string
}

// stepView is a step in words.
type stepView struct {
	step    learn.Step
	rules   engine.Rules
	N       int               `json:"-"`
	Kind    string            `json:"kind"`
	What    string            `json:"what"`
	About   []string          `json:"about"`
	Task    string            `json:"task"`
	Section string            `json:"section"` // of the rules page
	Said    map[string]string `json:"said"`    // the verdict on each move
	Right   []string          `json:"right"`   // the moves that solve the step
	Refused map[int]string    `json:"refused"` // why a pit cannot be played, by pit
	Legal   json.RawMessage   `json:"legal"`   // as in the protocol
	Ply     int               `json:"ply"`
	match.BoardJSON
}

// links are the moves of a step for browsers without script.
func (v stepView) links() (links []struct{ Move, Name string }) {
	for _, a := range v.step.Answers {
		links = append(links, struct{ Move, Name string }{a.Move.String(), learn.Named(v.rules, a.Move)})
	}
	return links
}

// Lesson serves the page of a lesson.
func (srv *Pages) Lesson(w http.ResponseWriter, r *http.Request) error {
	row := site.SystemRow(r.PathValue("system"))
	if row.Name == "" {
		return room.ErrNoRoom
	}
	c := srv.Catalog(r)
	taught, err := srv.taught(c, row)
	if err != nil {
		return err
	}
	p := lessonPage{
		head:   srv.head(r, c.T("learn.lesson.of", "game", row.Title), c.T("learn.lesson.description", "game", row.Title)),
		System: row, Steps: taught.steps, N: 1, Data: taught.data, ID: "lesson-" + row.Name, State: "live",
	}
	p.Image = srv.rulesImage(r, row, "")
	if n, err := strconv.Atoi(r.URL.Query().Get("step")); err == nil && n >= 1 && n <= len(p.Steps) {
		p.N = n
	}
	if p.N < len(p.Steps) {
		p.Next = p.N + 1
	}
	p.Step = p.Steps[p.N-1]
	shown := p.Step.step.Start
	if a, ok := p.Step.step.Answer(r.URL.Query().Get("move")); ok {
		p.Tried, p.Right, p.Verdict, shown = true, a.Right, p.Step.Said[a.Move.String()], a.After
		if shown.Phase == engine.Over {
			p.State = "over"
		}
	}
	p.Board, p.Seats = lessonBoard(c, row, taught.game, shown)
	site.MayStay(w)
	return srv.render(w, r, http.StatusOK, "lesson", p)
}

// taught is a lesson in one language. It never changes.
type taught struct {
	game  *engine.Game
	steps []stepView
	data  template.JS
}

// taught returns the lesson of a system. It is put into words once in each language.
func (srv *Pages) taught(c *messages.Catalog, row engine.Row) (taught, error) {
	once, _ := srv.lessons.LoadOrStore(telling{row.Name, "", c.Lang}, sync.OnceValues(func() (taught, error) { return teach(c, row) }))
	return once.(func() (taught, error))()
}

func teach(c *messages.Catalog, row engine.Row) (taught, error) {
	rules, _ := engine.System(row.Name)
	l := taught{game: engine.MustCompile(rules.String())}
	for i, s := range learn.Lesson(row.Name) {
		v := viewStep(c, l.game, s)
		v.N, v.What, v.Section = i+1, c.T("learn."+s.Kind), s.Section()
		v.About, v.Task = s.About(l.game, c.T), s.Task(l.game, c.T)
		for _, a := range s.Answers {
			v.Said[a.Move.String()] = s.Verdict(l.game, a, c.T)
			if a.Right {
				v.Right = append(v.Right, a.Move.String())
			}
		}
		l.steps = append(l.steps, v)
	}
	return l, l.encode(c, row)
}

// encode sets the data for the script.
func (l *taught) encode(c *messages.Catalog, row engine.Row) error {
	data, err := json.Marshal(map[string]any{"frame": lessonFrame(c, row, *l), "steps": l.steps})
	if err != nil {
		return fmt.Errorf("web: lesson of %s: %w", row.Name, err)
	}
	l.data = template.JS(data) // json.Marshal has escaped < > and &
	return nil
}

// viewStep returns a step with its board and its moves, without its words and answers.
func viewStep(c *messages.Catalog, g *engine.Game, s learn.Step) stepView {
	v := stepView{
		step: s, rules: g.Rules(), Kind: s.Kind, Said: map[string]string{}, Right: []string{}, Refused: map[int]string{},
		Legal: match.AppendLegal(nil, g, s.Start, engine.History{}), Ply: int(s.Start.Ply), BoardJSON: match.BoardOf(s.Start),
	}
	for pit := range s.Refused {
		v.Refused[pit] = s.Refusal(g, pit, c.T)
	}
	return v
}

// lessonFrame returns the first step as a game, in the form of a snapshot of the protocol.
func lessonFrame(c *messages.Catalog, row engine.Row, l taught) map[string]any {
	start, shape := l.steps[0], l.game.Shape()
	names, seats := map[string]string{}, []string{}
	for seat := range int(shape.Sides) * int(shape.Partners) {
		id := fmt.Sprint("seat", seat)
		seats, names[id] = append(seats, id), nameAtLesson(c, shape, seat, "other")
	}
	return map[string]any{"t": "snap", "as": 0, "names": names, "snap": map[string]any{
		"state": "live", "phase": "play", "rules": row.Name, "options": "", "title": row.Title, "canonical": l.game.Rules().String(),
		"shape": [3]int{int(shape.Sides), int(shape.Partners), int(shape.Pits)}, "pits": start.Pits, "stores": start.Stores, "marks": start.Marks,
		"turn": 0, "ply": start.Ply, "seats": seats, "clockText": "none", "target": 0,
	}}
}

// nameAtLesson returns who has a seat in a lesson. other is the word for the opponent of a game of two.
func nameAtLesson(c *messages.Catalog, shape engine.Shape, seat int, other string) string {
	switch {
	case seat == 0:
		return c.T("learn.lesson.you")
	case shape.Sides == 4:
		return c.T(fmt.Sprint("side.four.", seat))
	case seat == 1:
		return c.T("learn.lesson." + other)
	case seat == 2:
		return c.T("learn.lesson.partner")
	}
	return c.T("learn.lesson.rival")
}

// lessonBoard returns the board of a position and what stands above and below it.
func lessonBoard(c *messages.Catalog, row engine.Row, g *engine.Game, p engine.Position) (boardView, []seatView) {
	shape, b := g.Shape(), match.BoardOf(p)
	named := func(seat int) string { return nameAtLesson(c, shape, seat, "opponent") }
	board := showBoard(c, &match.Public{
		Shape: [3]int{int(shape.Sides), int(shape.Partners), int(shape.Pits)}, Title: row.Title, Pits: b.Pits, Stores: b.Stores, Marks: b.Marks,
	}, g.Rules(), 0, named)
	var seats []seatView
	for seat := range int(shape.Sides) * int(shape.Partners) {
		seats = append(seats, seatView{Seat: seat, Score: b.Stores[seat%int(shape.Sides)], Name: named(seat), Mark: marks[seat]})
	}
	return board, seats
}
