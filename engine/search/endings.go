package search

import (
	"mancala/engine"
	"mancala/engine/search/internal/ranking"
)

// endings holds the values of all boards with few seeds, for games in which positions
// come back. They are found backwards, from fewer seeds to more: a move that wins a
// seed leads to a board that is known already, and moves that win none are gone over
// again and again, one ply further each time, until nothing changes or no_progress
// would end the game.
//
// If a cycle leaves the margin as it is, a board is worth 0 at first, as if the game
// ended there by a cycle, and what is found is the value (J. Romein and H. Bal, Solving
// the game of Awari using parallel retrograde analysis, 2003). If each side keeps
// its own seeds, a cycle is taken to be worth the least that it can be and the most,
// and what is found are bounds, equal where no cycle matters.
type endings struct {
	game    *engine.Game
	pits    int
	limit   int32 // no_progress
	keeps   bool  // cycles: each side keeps its own
	boards  ranking.Ranking
	known   int // boards with so many seeds are done
	low     []int8
	high    []int8   // the same array as low, unless keeps
	settled []uint16 // plies without a seed won after which the value is as it stays, the last of which may end the game
}

// atOnce is how many seeds the endings are made for in any search that has a budget:
// a matter of milliseconds.
const atOnce = 5

// newEndings returns nil for games that it is not made for.
func newEndings(g *engine.Game, c cycles, mixStore bool) *endings {
	r := g.Rules()
	pits := r.Sides * r.PitsPerSide()
	if !c.possible || mixStore || r.Sides != 2 || r.Partners != 1 || pits > ranking.MaxPits || c.limit > 0 && c.limit < 10 {
		return nil
	}
	return &endings{game: g, pits: pits, limit: c.limit, keeps: !c.constant}
}

// build makes the values of boards with up to so many seeds, if they fit into memory;
// again is asked from time to time whether to go on.
func (e *endings) build(seeds int, memory int64, again func() bool) {
	seeds = min(seeds, ranking.MaxSeeds)
	for seeds > e.known && ranking.Boards(e.pits, seeds)*32 > memory {
		seeds-- // 32: values, and successors while they are made
	}
	if seeds <= e.known {
		return
	}
	old := *e
	e.boards = ranking.New(e.pits, seeds)
	e.low = make([]int8, e.boards.Count)
	if e.high = e.low; e.keeps {
		e.high = make([]int8, e.boards.Count)
	}
	e.settled = make([]uint16, e.boards.Count)
	for n := 1; n <= seeds; n++ {
		if !e.level(n, again) {
			*e = old
			return
		}
	}
	e.known = seeds
}

// index is the number of p's board as the seat to move sees it.
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

// find says what p is worth at least and at most, beyond the margin. The values hold
// if enough plies are left before no_progress.
func (e *endings) find(p *engine.Position, left int) (low, high int, ok bool) {
	if left > e.known || p.Phase != engine.Play {
		return 0, 0, false
	}
	at := e.index(p)
	if e.limit > 0 && e.limit-p.Clock <= int32(e.settled[at]) { // of two ends at the same ply that by no_progress comes first
		return 0, 0, false
	}
	return int(e.low[at]), int(e.high[at]), true
}

// known narrows what p is worth at least and at most by what the endings say.
func (s *Searcher) known(p *engine.Position, low, high int32) (int32, int32) {
	left := (high - low) / (2 * seed)
	l, h, ok := s.endings.find(p, int(left))
	if !ok {
		return low, high
	}
	margin := low + left*seed
	return margin + int32(l)*seed, margin + int32(h)*seed
}

// longLine bounds the line of a position that has been solved: it may go in a circle.
const longLine = 60

// extend goes on with the line of a solved position while the endings say how.
func (s *Searcher) extend(p engine.Position, a *Answer) {
	if s.endings == nil || s.endings.known == 0 {
		return
	}
	seen := map[uint64]bool{}
	for _, m := range a.Line {
		s.play(&p, m)
	}
	for p.Phase == engine.Play && len(a.Line) < longLine && !seen[s.game.Key(&p)] {
		seen[s.game.Key(&p)] = true
		best, to := int32(-infinite), child{}
		for _, c := range s.expand(&p, &s.plies[maxPly], noBit) {
			q := s.plies[maxPly].boards[c.board]
			r := s.follow(&p, &q, 0, maxPly, -infinite, infinite)
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
