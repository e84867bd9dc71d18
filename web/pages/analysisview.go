package pages

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"mancala/engine"
	"mancala/engine/search/review"
	"mancala/web/learn"
	"mancala/web/messages"
	"mancala/web/site"
)

// roundView is the analysis of a round, in words.
type roundView struct {
	Heading string   // empty if the game has one round
	Turning string   // the sentence about the ply at which the round turned
	At      string   // the place of that ply, as in plyView
	Dear    []string // for each player, the sentence about how many of their moves cost something
	Rows    []plyView
	For     string // the player for whom the worth of every move is meant
}

// viewpoint is the side for which all worths of an analysis are meant, so that their sign does
// not change from move to move.
type viewpoint struct{ side, sides int }

// worth returns a worth for seat as the viewpoint sees it. With more than two sides, what one side
// wins is not lost by one other side: the worth for another side is empty.
func (v viewpoint) worth(c *messages.Catalog, seat int, w review.Worth) string {
	switch {
	case seat%v.sides == v.side:
	case v.sides == 2:
		w.Value = -w.Value
	default:
		return ""
	}
	return worth(c, w)
}

// plyView is a ply: its row of the table and its sentence.
type plyView struct {
	N                                                     int
	At                                                    string // its place, also its row's ID: "7", or "2.7" if the game has several rounds
	Who, Mark, Played, Label, Called, Cost, Better, Worth string
	Said                                                  string
	Turns                                                 bool // the round turned here
}

// maxRows limits the rows of the table on the page. The game's record has all plies.
const maxRows = 400

func showRound(c *messages.Catalog, rules engine.Rules, round, of int, rv *review.Review, named func(seat int) string, view viewpoint) roundView {
	v := roundView{For: named(view.side)}
	place := func(n int) string { return strconv.Itoa(n) }
	if of > 1 {
		v.Heading = c.T("moves.round", "n", round+1)
		place = func(n int) string { return fmt.Sprintf("%d.%d", round+1, n) }
	}
	played, dear := map[int]bool{}, map[int]int{}
	for i, p := range rv.Plies {
		row := showPly(c, rules, turnAt(rv.Plies, i+1), p, named(p.Seat), view)
		row.At, row.Turns = place(i+1), rv.Turning == i+1
		played[p.Seat] = true
		if p.Label != "" && p.Label != review.Fine {
			dear[p.Seat]++
		}
		if row.Turns {
			v.Turning, v.At = turned(c, rules, rv, named), row.At
		}
		if len(v.Rows) < maxRows {
			v.Rows = append(v.Rows, row)
		}
	}
	for seat := range 4 {
		switch n := dear[seat]; {
		case n > 0:
			v.Dear = append(v.Dear, c.T("analysis.dear", "name", named(seat), "n", n))
		case played[seat]:
			v.Dear = append(v.Dear, c.T("analysis.dear.none", "name", named(seat)))
		}
	}
	return v
}

// turned returns the sentence about the ply at which a round turned. It is empty if the
// round did not turn.
func turned(c *messages.Catalog, rules engine.Rules, rv *review.Review, named func(seat int) string) string {
	if rv.Turning == 0 {
		return ""
	}
	p := rv.Plies[rv.Turning-1]
	return c.T("analysis.turned", "move", turnAt(rv.Plies, rv.Turning), "name", named(p.Seat), "better", move(c, rules, p.Best[0]), "n", atLeastOne(p.Loss))
}

// turnAt returns the number of the turn that a ply belongs to, as the list of moves has it.
func turnAt(plies []review.Ply, ply int) (n int) {
	for i, p := range plies[:ply] {
		if i == 0 || plies[i-1].Seat != p.Seat {
			n++
		}
	}
	return n
}

func showPly(c *messages.Catalog, rules engine.Rules, n int, p review.Ply, who string, view viewpoint) plyView {
	row := plyView{N: n, Who: who, Mark: marks[p.Seat], Played: move(c, rules, p.Move), Worth: view.worth(c, p.Seat, p.Worth)}
	said := []string{c.T("analysis.move", "move", n, "name", who, "pit", row.Played)}
	switch {
	case p.Label == "":
		row.Called = c.T("analysis.only")
		said = append(said, row.Called)
	case p.Label == review.Fine:
		row.Label, row.Called = string(p.Label), c.T("analysis.label.fine")
		said = append(said, row.Called)
	default:
		row.Label, row.Called = string(p.Label), c.T("analysis.label."+string(p.Label))
		row.Cost = seeds(c, p.Loss, p.Sure)
		row.Better = line(c, rules, p.Best)
		said = append(said, c.T(cmp.Or(map[bool]string{true: "analysis.cost"}[p.Sure], "analysis.cost.about"), "n", atLeastOne(p.Loss)),
			c.T("analysis.better", "pit", move(c, rules, p.Best[0])))
	}
	row.Said = strings.Join(said, " ")
	return row
}

// atLeastOne rounds a number of seeds. Any loss counts as one seed or more.
func atLeastOne(seeds float64) int { return max(1, int(math.Round(seeds))) }

func seeds(c *messages.Catalog, n float64, exact bool) string {
	if exact {
		return strconv.Itoa(atLeastOne(n))
	}
	return c.T("analysis.about", "n", atLeastOne(n))
}

// worth returns what a position is worth to the seat to move: "+6", "about −2".
func worth(c *messages.Catalog, w review.Worth) string {
	n := int(math.Round(w.Value))
	text := strconv.Itoa(n)
	switch {
	case n > 0:
		text = "+" + text
	case n < 0:
		text = "−" + text[1:]
	}
	if w.Exact {
		return text
	}
	return c.T("analysis.about", "n", text)
}

// maxLine is the number of moves of a line that are shown.
const maxLine = 8

func line(c *messages.Catalog, rules engine.Rules, moves []string) string {
	var words []string
	for _, m := range moves[:min(len(moves), maxLine)] {
		words = append(words, move(c, rules, m))
	}
	if len(moves) > maxLine {
		words = append(words, "…")
	}
	return strings.Join(words, " ")
}

// move returns a move of a game as people write it: "3", "3>", "+4". Pits count from 1.
func move(c *messages.Catalog, rules engine.Rules, text string) string {
	switch {
	case text == "-":
		return c.T("move.pass")
	case text == "keep" || text == "swap":
		return c.T("move." + text)
	case strings.HasPrefix(text, "="):
		return c.T("move.lay")
	}
	m, ok := engine.ParseMove(text)
	if !ok {
		return text
	}
	gift := ""
	if m.Kind == engine.MoveGift {
		gift = "+"
	}
	return gift + learn.Named(rules, m)
}

// lookedAt is the summary of an analysis in the panel of a finished game.
type lookedAt struct {
	Worths [][][2]float64 // by round, before each ply and at the end: the seat to move, and what the game is worth to it
	Turned string         // the sentence about the ply at which the last round turned
	At     int            // the number of that ply
}

// lookedAt returns the summary for a game. It is nil if the game has no finished
// analysis, or if the analysis cannot be read now.
func (srv *Pages) lookedAt(ctx context.Context, c *messages.Catalog, rules engine.Rules, id string, named func(seat int) string) *lookedAt {
	found, err := srv.Analyses.Find(ctx, id)
	if err != nil || !found.Made() {
		return nil
	}
	out := &lookedAt{}
	for _, r := range found.Rounds {
		var line [][2]float64
		for _, p := range r.Plies {
			line = append(line, site.Seen(p.Worth))
		}
		out.Worths = append(out.Worths, append(line, site.Seen(r.End)))
		out.Turned, out.At = turned(c, rules, r, named), r.Turning
	}
	return out
}
