package pages

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"

	"mancala/engine"
	"mancala/match"
)

// The page for an address that does not exist has a puzzle: one move of Kalah, from a
// real game. It needs no script. The pits are buttons of a form that loads the same page
// again.

// puzzle is a position and the task in it.
type puzzle struct {
	position, task string
}

// The tasks. Exactly one move solves each.
const (
	findAgain   = "again"   // end in the own store and move again
	findCapture = "capture" // capture
)

// smallPuzzles are positions from real games. [loadPuzzles] checks that each has exactly one
// answer.
var smallPuzzles = []puzzle{
	{"0,2,0,3,3,2/0,3,2,0,5,0 14/14 S play 0 22", findAgain},
	{"3,4,4,0,4,0/1,0,1,11,2,2 10/6 S play 0 18", findAgain},
	{"6,0,3,2,3,0/0,2,3,6,3,0 12/8 S play 2 19", findAgain},
	{"1,2,0,0,6,1/9,0,6,0,0,1 7/15 S play 2 23", findCapture},
	{"2,10,2,0,0,3/1,4,1,0,3,1 9/12 S play 1 17", findCapture},
	{"2,2,10,0,0,1/3,2,4,0,0,1 12/11 S play 0 26", findCapture},
}

// solved is a puzzle with its answer.
type solved struct {
	puzzle
	pits   []int // South's, then North's
	stores []int
	pit    int // the answer, counted from 1
	won    int // the seeds that the answer adds to the store
}

// loadPuzzles solves the puzzles with the engine. It fails if a puzzle has no answer or
// several.
func loadPuzzles() ([]solved, error) {
	rules, _ := engine.System("kalah")
	game, err := engine.Compile(rules)
	if err != nil {
		return nil, fmt.Errorf("web: puzzles: %w", err)
	}
	list := make([]solved, len(smallPuzzles))
	for i, p := range smallPuzzles {
		if list[i], err = solve(game, p); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func solve(game *engine.Game, p puzzle) (solved, error) {
	at, err := game.Parse(p.position)
	if err != nil {
		return solved{}, fmt.Errorf("web: puzzle %s: %w", p.position, err)
	}
	s := solved{puzzle: p, pits: match.BoardOf(at).Pits, stores: at.Scores()}
	answers := 0
	for _, m := range game.LegalMoves(&at, nil) {
		after, trace := at, engine.Trace{}
		if err := game.Play(&after, nil, m, &trace); err != nil {
			return solved{}, fmt.Errorf("web: puzzle %s: %w", p.position, err)
		}
		found := after.Phase == engine.Play && after.Seat == at.Seat
		if p.task == findCapture {
			found = slices.ContainsFunc(trace.Events, func(e engine.Event) bool { return e.Kind == engine.EventCapture })
		}
		if found {
			answers++
			s.pit, s.won = int(m.Pit)+1, after.Score(0)-at.Score(0)
		}
	}
	if at.Seat != 0 || answers != 1 {
		return solved{}, fmt.Errorf("web: puzzle %s: seat %d has %d answers", p.position, at.Seat, answers)
	}
	return s, nil
}

// puzzleView is a puzzle on a page, with the result of an attempt.
type puzzleView struct {
	N            int
	Task         string
	Others, Mine []puzzlePit // left to right
	Stores       []int
	Tried        int // the pit that the reader chose; 0: none yet
	Right        bool
	Won          int
}

// seedsIn returns the numbers of seeds in a row, for its text.
func seedsIn(row []puzzlePit) []string {
	seeds := make([]string, len(row))
	for i, p := range row {
		seeds[i] = strconv.Itoa(p.Seeds)
	}
	return seeds
}

type puzzlePit struct {
	Pit, Seeds int
}

// puzzle returns the puzzle that the request answers. If it answers none, it returns a
// random one.
func (srv *Pages) puzzle(r *http.Request) *puzzleView {
	q := r.URL.Query()
	n, err := strconv.Atoi(q.Get("puzzle"))
	tried, _ := strconv.Atoi(q.Get("pit")) // a text that is no number chooses no pit
	if err != nil || n < 0 || n >= len(srv.puzzles) {
		n, tried = rand.IntN(len(srv.puzzles)), 0
	}
	s := srv.puzzles[n]
	side := len(s.pits) / 2
	if tried < 1 || tried > side || s.pits[tried-1] == 0 {
		tried = 0
	}
	v := &puzzleView{N: n, Task: s.task, Stores: s.stores, Tried: tried, Right: tried == s.pit, Won: s.won}
	for i := range side {
		v.Mine = append(v.Mine, puzzlePit{i + 1, s.pits[i]})
		v.Others = append(v.Others, puzzlePit{side - i, s.pits[2*side-1-i]})
	}
	return v
}

// Answer is a puzzle's position and the only pit that solves it. Pits has the seeds of
// the mover's pits, then those of the other side. Pit counts from 1.
type Answer struct {
	Pits []int
	Pit  int
}

// SmallPuzzles returns the answers of all puzzles. Only tests call it.
func (srv *Pages) SmallPuzzles() (answers []Answer) {
	for _, p := range srv.puzzles {
		answers = append(answers, Answer{p.pits, p.pit})
	}
	return answers
}
