package puzzles

import (
	"context"
	"slices"

	"mancala/engine"
	"mancala/engine/search"
)

const (
	memory     = 4 << 20 // bytes for the tables of a search
	perGame    = 3       // puzzles of one game
	unproven   = 4       // positions in a row without a proof, after which a game is left
	minChoices = 3       // moves among which the solution must be found
)

// Suits reports whether puzzles can be made of a game: two sides without partners take turns, and the page shows
// each move as a sowing.
func Suits(g *engine.Game) bool {
	r, shape := g.Rules(), g.Shape()
	return shape.Sides == 2 && shape.Partners == 1 && r.Opening == engine.OpeningFixed && r.Reserve == 0
}

// Miner looks for puzzles in one game, from its end to its beginning: the end is proved soonest, and what the
// search learns there helps before it.
type Miner struct {
	game      *engine.Game
	search    *search.Searcher
	positions []engine.Position // those that are left
	failed    int
	Found     []Puzzle
}

// NewMiner returns a miner of the positions of a game in which South is on turn.
func NewMiner(g *engine.Game, start engine.Position, moves []engine.Move) *Miner {
	m := &Miner{game: g, search: search.New(g, memory)}
	p := start
	for _, move := range moves {
		if p.Phase == engine.Play && p.Seat == 0 {
			m.positions = append(m.positions, p)
		}
		if g.Play(&p, nil, move, nil) != nil {
			break
		}
	}
	return m
}

// More reports whether positions are left to look at.
func (m *Miner) More() bool {
	return len(m.positions) > 0 && len(m.Found) < perGame && m.failed < unproven
}

// Step looks at one position, with a budget of nodes.
func (m *Miner) Step(ctx context.Context, nodes uint64) {
	p := m.positions[len(m.positions)-1]
	m.positions = m.positions[:len(m.positions)-1]
	if len(m.game.LegalMoves(&p, nil)) < minChoices {
		return
	}
	answer := m.search.Rate(ctx, p, nil, search.Limits{Nodes: nodes, Prove: true})
	if slices.ContainsFunc(answer.Moves, func(r search.Rated) bool { return !r.Exact }) || len(answer.Moves) < minChoices {
		m.failed++
		return
	}
	m.failed = 0
	if x, ok := unique(answer.Moves); ok {
		x.Theme = themeOf(m.game, p, answer.Moves[0].Move)
		x.Position = p.String()
		m.Found = append(m.Found, x)
	}
}

// unique returns the puzzle of proven moves, best first, if only the first gets its result.
func unique(moves []search.Rated) (x Puzzle, ok bool) {
	best, second := moves[0].Value, moves[1].Value
	x.Solution = moves[0].Move.String()
	switch {
	case best > 0 && second <= 0:
		x.Goal = Win
	case best == 0 && second < 0:
		x.Goal = Draw
	default:
		return x, false
	}
	return x, true
}

// themeOf returns what a move does, one of [Themes].
func themeOf(g *engine.Game, p engine.Position, m engine.Move) string {
	after, trace, lifts, captures := p, engine.Trace{}, 0, 0
	if g.Play(&after, nil, m, &trace) != nil {
		return "quiet"
	}
	for _, e := range trace.Events {
		switch e.Kind {
		case engine.EventLift:
			lifts++
		case engine.EventCapture, engine.EventSeize:
			captures++
		}
	}
	switch {
	case after.Phase == engine.Over:
		return "end"
	case after.Seat == p.Seat:
		return "again"
	case captures > 0:
		return "capture"
	case lifts > 1:
		return "relay"
	}
	return "quiet"
}
