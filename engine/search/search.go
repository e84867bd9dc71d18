package search

import (
	"context"
	"slices"
	"time"

	"mancala/engine"
	"mancala/engine/search/internal/tablemem"
	"mancala/engine/search/internal/value"
	"mancala/engine/search/kalah"
)

// Limits are what a search may spend. Zero means no limit, but for Depth, which has
// a bound of its own.
type Limits struct {
	Nodes uint64 // positions looked at
	Time  time.Duration
	Depth int // plies ahead

	// Prove spends the budget on a proof of the value first, where there is a solver for
	// the game, and only the rest on the best guess.
	Prove bool
}

// budget says whether a search must come to an end by itself.
func (l Limits) budget() bool { return l.Nodes > 0 || l.Time > 0 }

// Stop is why a search ended.
type Stop string

const (
	Solved    Stop = "solved" // nothing more can be found: the value is exact, unless what was before decides
	Deep      Stop = "depth"
	NodesOut  Stop = "nodes"
	TimeOut   Stop = "time"
	Cancelled Stop = "cancelled"
	NoMove    Stop = "no-move" // the game is over
)

// Answer is what a search has found out. Values are seeds that the side to move
// will have won more than the other at the end (with four sides: than the best of
// the others).
type Answer struct {
	Line  []engine.Move // best play, as far as it was looked at
	Value float64       // the best estimate; the value itself if Exact
	Low   int           // proven: the value is at least this
	High  int           // proven: and at most this
	Exact bool
	Depth int // plies looked ahead
	Nodes uint64
	Time  time.Duration
	Stop  Stop
	Moves []Rated // what each move is worth, best first; exactly so only after Rate
}

// Rated is a move at the root and what it is worth.
type Rated struct {
	Move  engine.Move
	Value float64
	Exact bool
}

// The measures that all searches share; see package value.
const (
	seed     = value.Seed
	maxPly   = value.MaxPly
	infinite = value.Infinite
)

// A Searcher searches one game. It keeps what it has learned from one search to
// the next; a goroutine uses it alone.
type Searcher struct {
	game    *engine.Game
	shape   engine.Shape
	rules   engine.Rules
	table   *table // made when it is needed first
	memory  int64
	eval    evaluator
	kalah   *kalah.Solver // for games of the Kalah family; else nil
	endings *endings      // for games with cycles; else nil

	clock    func() time.Duration
	number   uint64 // which lay-outs are tried
	cycles   cycles
	mixStore bool // what is in the stores matters beyond the margin
	run
}

// run is one search.
type run struct {
	ctx           context.Context
	limits        Limits
	began         time.Duration // by clock
	nodes         uint64
	checked       uint64 // nodes at which context and time will be looked at
	stop          Stop
	me            int // the side at the root, for games of four
	root          []child
	onKalahBoards bool // the look ahead is kalah's
	history       engine.History
	remembers     bool     // history is kept
	before        []uint64 // else: the positions before the root since the last seed won
	plies         [maxPly + 1]ply
	tree          []twig   // for games of four
	path          []uint32 // in it
}

// New returns a Searcher whose tables take at most so many bytes, or a few more if
// that is too little.
func New(g *engine.Game, memory int64) *Searcher {
	r := g.Rules()
	s := &Searcher{game: g, shape: g.Shape(), rules: r, eval: newEvaluator(g), cycles: newCycles(r), clock: wallTime}
	s.kalah, s.memory = kalah.New(r), memory
	s.mixStore = r.Sides == 4 || slices.Contains(r.End, engine.EndRuleMajority)
	s.endings = newEndings(g, s.cycles, s.mixStore)
	return s
}

// Search looks for the best move of p. h is what went before p, or nil for a fresh
// history; it is not changed.
func (s *Searcher) Search(ctx context.Context, p engine.Position, h *engine.History, limits Limits) Answer {
	return s.search(ctx, p, h, limits, false)
}

// Rate is Search that finds out what every move is worth, not just the best one.
func (s *Searcher) Rate(ctx context.Context, p engine.Position, h *engine.History, limits Limits) Answer {
	return s.search(ctx, p, h, limits, true)
}

func (s *Searcher) search(ctx context.Context, p engine.Position, h *engine.History, limits Limits, all bool) Answer {
	s.begin(ctx, &p, h, limits)
	a := Answer{}
	low, high := s.provable(&p)
	a.Low, a.High = int(low/seed), int(high/seed)
	a.Value = float64(s.eval.margin(&p, s.team(&p), s.me)) / seed
	switch p.Phase {
	case engine.Over:
		a.Low, a.Exact, a.Stop = int(a.Value), true, NoMove
		a.High = a.Low
	case engine.Setup:
		s.layOut(&p, &a)
	default:
		if !s.solveKalah(&p, &a, all) {
			s.deepen(&p, &a, all)
		}
	}
	a.Value = min(max(a.Value, float64(a.Low)), float64(a.High)) // an estimate is not better than a proof
	a.Nodes, a.Time = s.nodes, s.clock()-s.began
	return a
}

func (s *Searcher) begin(ctx context.Context, p *engine.Position, h *engine.History, limits Limits) {
	s.ctx, s.limits, s.began = ctx, limits, s.clock()
	s.nodes, s.checked, s.stop = 0, 0, ""
	s.me = s.game.Side(p.Seat)
	s.history, s.before = engine.History{}, s.before[:0]
	if s.remembers = s.cycles.repeat && !s.cycles.constant; h != nil && s.remembers {
		s.history = h.Clone()
	} else if h != nil && s.cycles.repeat {
		s.before = append(s.before, h.Since(p)...)
	}
	s.cycles.preceded = s.history.Len() > 0 || len(s.before) > 0
	if s.limits.Depth <= 0 || s.limits.Depth > maxPly {
		s.limits.Depth = maxPly
	}
}

// Forget empties the tables, so that the next search is the same whatever was
// searched before.
func (s *Searcher) Forget() {
	if s.table != nil {
		tablemem.Wipe(s.table.buckets)
		s.table.now = 0
	}
	if s.kalah != nil {
		s.kalah.Forget()
	}
}

// open makes the table.
func (s *Searcher) open() {
	if s.table == nil {
		s.table = newTable(s.memory)
	}
	s.table.now++
}

// prepare makes the table of endings. Whoever has no budget gets one with which his
// position is solved, if there are few enough seeds.
func (s *Searcher) prepare(p *engine.Position) {
	if s.endings == nil {
		return
	}
	memory := max(s.memory/2, tablemem.MinBytes)
	s.endings.build(atOnce, memory, func() bool { return true }) // once: the budget is not for that
	if !s.limits.budget() && s.limits.Depth == maxPly {
		low, high := s.provable(p)
		s.endings.build(int(high-low)/(2*seed), memory, func() bool { s.checked = 0; return !s.spent() })
	}
}

// deepen looks one ply further each time, until the value is exact or a limit is
// reached.
func (s *Searcher) deepen(p *engine.Position, a *Answer, all bool) {
	if s.onKalahBoards = s.beginKalahLookAhead(p); !s.onKalahBoards {
		s.open()
		s.prepare(p)
	}
	s.rootMoves(p)
	for depth := 1; ; depth++ {
		over := s.look(p, depth, a, all)
		switch {
		case s.stop != "":
			a.Stop = s.stop
		case over:
			a.Stop = Solved
			s.extend(*p, a)
		case depth == s.limits.Depth:
			a.Stop = Deep
		default:
			continue
		}
		return
	}
}

// spent says whether the search must end. Context and time are looked at rarely.
func (s *Searcher) spent() bool {
	switch {
	case s.stop != "":
	case s.limits.Nodes > 0 && s.nodes >= s.limits.Nodes:
		s.stop = NodesOut
	case s.nodes >= s.checked:
		s.checked = s.nodes + 128
		if s.ctx.Err() != nil {
			s.stop = Cancelled
		} else if s.limits.Time > 0 && s.clock()-s.began >= s.limits.Time {
			s.stop = TimeOut
		}
	}
	return s.stop != ""
}

// team is 0 for who plays for a high margin, and 1 for who plays against it.
func (s *Searcher) team(p *engine.Position) int {
	side := s.game.Side(p.Seat)
	if s.shape.Sides == 4 && side != s.me {
		return 1
	}
	if s.shape.Sides == 4 {
		return 0
	}
	return side
}
