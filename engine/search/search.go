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

// Limits bounds a search. Zero means no limit, except for Depth, which has a bound of
// its own.
type Limits struct {
	Nodes uint64 // positions to look at
	Time  time.Duration
	Depth int // plies to look ahead

	// Prove spends the budget on a proof of the value first, if there is a solver for
	// the game. The best estimate gets only the rest.
	Prove bool
}

// budget reports whether a limit ends the search by itself.
func (l Limits) budget() bool { return l.Nodes > 0 || l.Time > 0 }

// Stop is the reason why a search ended.
type Stop string

const (
	Solved    Stop = "solved" // a deeper search cannot find more: the value is exact, unless positions before the root decide it
	Deep      Stop = "depth"
	NodesOut  Stop = "nodes"
	TimeOut   Stop = "time"
	Cancelled Stop = "cancelled"
	NoMove    Stop = "no-move" // the game is over
)

// Answer is the result of a search. A value is the margin at the end of the game for
// the side to move: its seeds minus those of the other side (with four sides: of the
// best other side).
type Answer struct {
	Line  []engine.Move // best play, as far as it was searched
	Value float64       // the best estimate, or the value itself if Exact
	Low   int           // proven lower bound
	High  int           // proven upper bound
	Exact bool
	Depth int // plies searched
	Nodes uint64
	Time  time.Duration
	Stop  Stop
	Moves []Rated // value of each move, best first; only Rate makes all of them precise
}

// Rated is a move at the root and its value.
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

// A Searcher searches one game. It keeps what it has learned from one search to the
// next. Only one goroutine may use it at a time.
type Searcher struct {
	game    *engine.Game
	shape   engine.Shape
	rules   engine.Rules
	table   *table // made at the first use
	memory  int64
	eval    evaluator
	kalah   *kalah.Solver // for games of the Kalah family; else nil
	endings *endings      // for games with cycles; else nil

	clock        func() time.Duration
	number       uint64 // selects the lay-outs that are tried
	cycles       cycles
	storesMatter bool // the seeds in the stores matter beyond the margin
	run
}

// run is the state of one search.
type run struct {
	ctx           context.Context
	limits        Limits
	began         time.Duration // start of the search, by clock
	nodes         uint64
	nextCheck     uint64 // nodes at which context and time are checked next
	stop          Stop
	me            int // side at the root, for games of four
	root          []child
	onKalahBoards bool // package kalah looks ahead
	history       engine.History
	keepsHistory  bool     // the search updates history
	earlier       []uint64 // otherwise: keys of the positions before the root since the last seed won
	plies         [maxPly + 1]ply
	uctTree       []uctNode // for games of four
	uctPath       []uint32  // path from the root of uctTree
}

// New returns a Searcher whose tables take at most memory bytes, or the minimum that they
// need.
func New(g *engine.Game, memory int64) *Searcher {
	r := g.Rules()
	s := &Searcher{game: g, shape: g.Shape(), rules: r, eval: newEvaluator(r), cycles: newCycles(r), clock: wallTime}
	s.kalah, s.memory = kalah.New(r), memory
	s.storesMatter = r.Sides == 4 || r.Reserve > 0 || slices.Contains(r.End, engine.EndRuleMajority)
	s.endings = newEndings(g, s.cycles, s.storesMatter)
	return s
}

// Weigh replaces the weights of the evaluation. It is for comparing them, before the first search.
func (s *Searcher) Weigh(w Weights) { s.eval.Weights = w }

// Search looks for the best move of p. h is the history of the game before p, or nil
// for a fresh one. Search does not change it.
func (s *Searcher) Search(ctx context.Context, p engine.Position, h *engine.History, limits Limits) Answer {
	return s.search(ctx, p, h, limits, false)
}

// Rate is Search, but it values every move and not only the best one.
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
	a.Value = min(max(a.Value, float64(a.Low)), float64(a.High)) // a proof limits the estimate
	a.Nodes, a.Time = s.nodes, s.clock()-s.began
	return a
}

func (s *Searcher) begin(ctx context.Context, p *engine.Position, h *engine.History, limits Limits) {
	s.ctx, s.limits, s.began = ctx, limits, s.clock()
	s.nodes, s.nextCheck, s.stop = 0, 0, ""
	s.me = s.game.Side(p.Seat)
	s.history, s.earlier = engine.History{}, s.earlier[:0]
	if s.keepsHistory = s.cycles.canRepeat && !s.cycles.keepsMargin; h != nil && s.keepsHistory {
		s.history = h.Clone()
	} else if h != nil && s.cycles.canRepeat {
		s.earlier = append(s.earlier, h.Since(p)...)
	}
	s.cycles.hasEarlier = s.history.Len() > 0 || len(s.earlier) > 0
	if s.limits.Depth <= 0 || s.limits.Depth > maxPly {
		s.limits.Depth = maxPly
	}
}

// Forget empties the tables, so that the next search does not depend on earlier ones.
func (s *Searcher) Forget() {
	if s.table != nil {
		tablemem.Wipe(s.table.buckets)
		s.table.now = 0
	}
	if s.kalah != nil {
		s.kalah.Forget()
	}
	if s.endings != nil {
		s.endings.forget()
	}
}

// openTable makes the transposition table if there is none, and begins a new
// generation.
func (s *Searcher) openTable() {
	if s.table == nil {
		s.table = newTable(s.memory)
	}
	s.table.now++
}

// prepareEndings builds the database of endings. A search without a budget gets one
// that solves its position, if there are few enough seeds.
func (s *Searcher) prepareEndings(p *engine.Position) {
	if s.endings == nil {
		return
	}
	memory := max(s.memory/2, tablemem.MinBytes)
	s.endings.build(quickSeeds, memory, func() bool { return true }) // built once, outside the budget
	if !s.limits.budget() && s.limits.Depth == maxPly {
		low, high := s.provable(p)
		s.endings.build(int(high-low)/(2*seed), memory, func() bool { s.nextCheck = 0; return !s.spent() })
	}
}

// deepen searches one ply further each time, until the value is exact or a limit is
// reached.
func (s *Searcher) deepen(p *engine.Position, a *Answer, all bool) {
	if s.onKalahBoards = s.beginKalahLookAhead(p); !s.onKalahBoards {
		s.openTable()
		s.prepareEndings(p)
	}
	s.rootMoves(p)
	for depth := 1; ; depth++ {
		over := s.searchRoot(p, depth, a, all)
		switch {
		case s.stop != "":
			a.Stop = s.stop
		case over:
			a.Stop = Solved
			s.extendLine(*p, a)
		case depth == s.limits.Depth:
			a.Stop = Deep
		default:
			continue
		}
		return
	}
}

// spent reports whether the search must end. It checks the context and the time
// rarely.
func (s *Searcher) spent() bool {
	switch {
	case s.stop != "":
	case s.limits.Nodes > 0 && s.nodes >= s.limits.Nodes:
		s.stop = NodesOut
	case s.nodes >= s.nextCheck:
		s.nextCheck = s.nodes + 128
		if s.ctx.Err() != nil {
			s.stop = Cancelled
		} else if s.limits.Time > 0 && s.clock()-s.began >= s.limits.Time {
			s.stop = TimeOut
		}
	}
	return s.stop != ""
}

// team returns 0 if the side to move in p plays for a high margin, and 1 if it plays
// for a low one.
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
