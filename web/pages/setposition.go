package pages

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"mancala/engine"
	"mancala/engine/search/review"
	"mancala/lobby"
	"mancala/lobby/policy"
	"mancala/lobby/searchpool"
	"mancala/web/site"
)

// editView is the form in which the reader sets up a position.
type editView struct {
	Sides  []editSide
	Seats  []editSeat
	InHand bool // the stores hold the seeds in hand
}

type editSide struct {
	Side  int
	Name  string
	Pits  []int
	Store int
}

type editSeat struct {
	Seat   int
	Name   string
	Chosen bool
}

// editOf returns the form filled in with position p.
func editOf(g *engine.Game, p engine.Position, named func(seat int) string) editView {
	v := editView{InHand: g.Rules().Reserve > 0 && p.Phase != engine.Over}
	for side := range int(p.Shape.Sides) {
		s := editSide{Side: side, Name: named(side), Store: p.Score(side)}
		for i := range int(p.Shape.Pits) {
			s.Pits = append(s.Pits, int(p.Slots[p.Shape.Slot(side, i)]))
		}
		v.Sides = append(v.Sides, s)
	}
	for seat := range g.Seats() {
		v.Seats = append(v.Seats, editSeat{seat, named(seat), seat == int(p.Seat)})
	}
	return v
}

// setView is a position that the reader has set up, with the worth of its moves.
type setView struct {
	Text  string
	Wrong string // the reason why the position cannot be shown or judged, in words
	Worth string
	Moves []setMove
}

type setMove struct{ Move, Worth string }

// setUp reads a position from the address and adds what each of its moves is worth. at is nil
// if the address has no position of the game.
func (srv *Pages) setUp(w http.ResponseWriter, r *http.Request, g *engine.Game, named func(seat int) string) (v *setView, at *engine.Position, err error) {
	c := srv.Catalog(r)
	v = &setView{Wrong: c.T("analysis.wrong")}
	p, ok := positionIn(r.URL.Query(), g)
	if !ok {
		return v, nil, nil
	}
	v = &setView{Text: p.String()}
	ply, err := srv.WorthOf(w, r, g, p)
	if err != nil {
		code := lobby.CodeOf(err)
		if code != searchpool.CodeBusy && code != policy.CodeRatedGame && code != lobby.CodeOf(site.ErrTooMany) {
			return nil, nil, err
		}
		v.Wrong = c.Sentence(code, nil)
		return v, &p, nil
	}
	v.Worth = c.T("analysis.worth", "name", named(int(p.Seat)), "worth", worth(c, ply.Worth))
	for _, m := range ply.Moves {
		v.Moves = append(v.Moves, setMove{move(c, g.Rules(), m.Move), worth(c, review.Worth{Value: m.Value, Exact: m.Exact})})
	}
	return v, &p, nil
}

// positionIn reads the position of a form. It returns false if the game has no such position.
func positionIn(q url.Values, g *engine.Game) (p engine.Position, ok bool) {
	shape := g.Shape()
	pits, stores := slices.Collect(slices.Chunk(q["pit"], int(shape.Pits))), q["store"]
	seat, err := strconv.Atoi(q.Get("seat"))
	if err != nil || seat < 0 || seat >= g.Seats() {
		return p, false
	}
	var rows []string
	for _, side := range pits {
		rows = append(rows, strings.Join(side, ","))
	}
	p, err = g.Parse(fmt.Sprintf("%s %s %s play 0 0", strings.Join(rows, "/"), strings.Join(stores, "/"), shape.SeatName(engine.Seat(seat))))
	return p, err == nil
}
