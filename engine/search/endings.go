package search

import (
	"mancala/engine"
	"mancala/engine/search/internal/ranking"
)

// endings is an endgame database: it holds the values of all boards with few seeds,
// for games in which positions come back. It is built by retrograde analysis, from
// fewer seeds to more. A move that wins a seed leads to a board that is already
// known. Moves that win no seed are iterated, one ply further each time, until
// nothing changes or no_progress would end the game.
//
// If a cycle leaves the margin as it is, a board starts at 0, as if the game ended
// there by a cycle, and the result is the value (J. Romein and H. Bal, Solving the
// game of Awari using parallel retrograde analysis, 2003). If each side keeps its own
// seeds, a cycle is counted once with its least value and once with its greatest. The
// results are then bounds; they are equal where no cycle matters.
type endings struct {
	game        *engine.Game
	pits        int
	limit       int32 // no_progress
	ownSeeds    bool  // after a cycle each side keeps its own seeds
	boards      ranking.Ranking
	known       int // largest number of seeds on the boards that are done
	low         []int8
	high        []int8   // the same array as low, unless ownSeeds
	stableAfter []uint16 // plies without a win that the value needs; the last of them may end the game
}

// quickSeeds is the size of the database in a search with a budget. Building it takes
// milliseconds.
const quickSeeds = 5

// newEndings returns nil for games that the database does not support, as those whose stores matter (see Searcher).
func newEndings(g *engine.Game, c cycles, storesMatter bool) *endings {
	r := g.Rules()
	pits := r.Sides * r.PitsPerSide()
	if !c.canCycle || c.overCaptures || storesMatter || r.Sides != 2 || r.Partners != 1 || pits > ranking.MaxPits || r.Claim > 0 || c.limit > 0 && c.limit < 10 {
		return nil
	}
	return &endings{game: g, pits: pits, limit: c.limit, ownSeeds: !c.keepsMargin}
}

// build computes the boards with at most the given number of seeds, or with as many as fit
// into memory bytes. It calls again from time to time and gives up when again returns false.
func (e *endings) build(seeds int, memory int64, again func() bool) {
	seeds = min(seeds, ranking.MaxSeeds)
	for seeds > e.known && ranking.Boards(e.pits, seeds)*32 > memory {
		seeds-- // 32 bytes a board: values, and successors during the build
	}
	if seeds <= e.known {
		return
	}
	old := *e
	e.boards = ranking.New(e.pits, seeds)
	e.low = make([]int8, e.boards.Count)
	if e.high = e.low; e.ownSeeds {
		e.high = make([]int8, e.boards.Count)
	}
	e.stableAfter = make([]uint16, e.boards.Count)
	for n := 1; n <= seeds; n++ {
		if !e.solveLayer(n, again) {
			*e = old
			return
		}
	}
	e.known = seeds
}

// forget drops a database that is larger than every search has.
func (e *endings) forget() {
	if e.known > quickSeeds {
		*e = endings{game: e.game, pits: e.pits, limit: e.limit, ownSeeds: e.ownSeeds}
	}
}

// index returns the number of p's board as the seat to move sees it.
func (e *endings) index(p *engine.Position) uint32 {
	at, left, row := uint32(0), e.boards.Seeds, e.pits/2
	from := int(p.Seat) * row
	for i := range e.pits {
		n := int(p.Slots[from])
		at += e.boards.Before[i][left][n]
		left -= n
		if from++; from == e.pits {
			from = 0
		}
	}
	return at
}

// find returns the bounds on p beyond the margin. The values hold only if enough
// plies are left before no_progress ends the game.
func (e *endings) find(p *engine.Position, left int) (low, high int, ok bool) {
	if left > e.known || p.Phase != engine.Play {
		return 0, 0, false
	}
	at := e.index(p)
	if e.limit > 0 && e.limit-p.Clock <= int32(e.stableAfter[at]) { // if both ends come at the same ply, no_progress comes first
		return 0, 0, false
	}
	return int(e.low[at]), int(e.high[at]), true
}

// narrowByEndings narrows the bounds on p with the database.
func (s *Searcher) narrowByEndings(p *engine.Position, low, high int32) (int32, int32) {
	left := (high - low) / (2 * seed)
	l, h, ok := s.endings.find(p, int(left))
	if !ok {
		return low, high
	}
	margin := low + left*seed
	return margin + int32(l)*seed, margin + int32(h)*seed
}

// maxExtendedLine bounds the line of a solved position, because the line may be a
// cycle.
const maxExtendedLine = 60

// extendLine adds moves to the line of a solved position as long as the database has
// exact values.
func (s *Searcher) extendLine(p engine.Position, a *Answer) {
	if s.endings == nil || s.endings.known == 0 {
		return
	}
	seen := map[uint64]bool{}
	for _, m := range a.Line {
		s.play(&p, m)
	}
	for p.Phase == engine.Play && len(a.Line) < maxExtendedLine && !seen[s.game.Key(&p)] {
		seen[s.game.Key(&p)] = true
		best, to := int32(-infinite), child{}
		for _, c := range s.expand(&p, &s.plies[maxPly], noBit) {
			q := s.plies[maxPly].boards[c.board]
			r := s.searchChild(&p, &q, 0, maxPly, -infinite, infinite)
			if !r.proven {
				return
			}
			if r.value > best {
				best, to = r.value, c
			}
		}
		a.Line = append(a.Line, to.move)
		s.play(&p, to.move)
	}
}
