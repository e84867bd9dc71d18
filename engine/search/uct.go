package search

import (
	"context"
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"mancala/engine"
	"mancala/engine/search/internal/tablemem"
)

// uctNode is a position in a tree that grows where the best play of every side leads.
// Its value for each side is a chance to win in thousandths, averaged over its
// visits.
type uctNode struct {
	visits     uint32
	sums       [4]uint32
	firstChild uint32 // index of its first child; the children are adjacent
	children   uint8  // number of children; 0: not expanded yet, or the game is over
	bit        uint8  // place of the move that leads to it among the legal moves
}

const (
	certain     = 1000 // the chance of a certain win
	maxChildren = 64   // children of a position

	// leadScale is the lead, in parts of a seed, at which the curve of chances bends.
	// exploration is the weight of children that were visited rarely. Half and twice
	// of either did not play better.
	leadScale   = 16 * seed
	exploration = 0.3 * certain
)

// searchUCT looks for the best move of a game of four if every side plays for its own
// margin, as searchMaxN does. But it follows the moves that look best and visits the
// others less often (UCT, Kocsis and Szepesvári, 2006; with four sides: Sturtevant,
// 2008). It uses the evaluation instead of random play. With the same number of
// positions it plays better than searchMaxN (0.60 ± 0.12 with 20,000), and it
// improves further where searchMaxN does not. It needs a limit: it never ends by
// itself.
func (s *Searcher) searchUCT(ctx context.Context, p engine.Position, h *engine.History, limits Limits) Answer {
	s.begin(ctx, &p, h, limits)
	if s.uctTree == nil {
		s.uctTree = make([]uctNode, 0, max(s.memory, tablemem.MinBytes)/int64(unsafe.Sizeof(uctNode{})))
	}
	s.uctTree = append(s.uctTree[:0], uctNode{})
	mark := s.history.Len()
	for !s.spent() {
		s.simulate(p)
		s.history.Truncate(mark)
	}
	low, high := s.provable(&p)
	a := Answer{Low: int(low / seed), High: int(high / seed), Stop: s.stop}
	a.Moves = s.movesByVisits(&p)
	a.Line = s.mostVisitedLine(p)
	a.Depth = len(a.Line)
	a.Value = min(max(a.Moves[0].Value, float64(a.Low)), float64(a.High))
	a.Nodes, a.Time = s.nodes, s.clock()-s.began
	return a
}

// simulate follows the best play that is known from the root p to a leaf, expands the
// leaf, and adds the result to all positions on the way.
func (s *Searcher) simulate(p engine.Position) {
	at, path := uint32(0), append(s.uctPath[:0], 0)
	for s.uctTree[at].children > 0 {
		at = s.selectChild(&s.uctTree[at], s.game.Side(p.Seat))
		s.play(&p, s.game.Legal(&p).At(int(s.uctTree[at].bit)))
		path = append(path, at)
	}
	s.uctPath = path
	x := [4]uint32{}
	if p.Phase == engine.Over || len(path) > maxPly || len(s.uctTree)+maxChildren > cap(s.uctTree) {
		x = s.winChances(&p)
	} else {
		x = s.expandLeaf(&p, at)
	}
	for _, i := range path {
		t := &s.uctTree[i]
		t.visits++
		for side, n := range x {
			t.sums[side] += n
		}
	}
}

// selectChild returns the child that is good for a side or was visited rarely. It
// computes the same on every machine: it uses no logarithm, and every product is
// rounded before it is added.
func (s *Searcher) selectChild(t *uctNode, side int) uint32 {
	best, most := t.firstChild, -1.0
	long := float64(bits.Len32(t.visits))
	for i := t.firstChild; i < t.firstChild+uint32(t.children); i++ {
		n := float64(s.uctTree[i].visits)
		v := float64(s.uctTree[i].sums[side])/n + float64(exploration*math.Sqrt(long/n))
		if v > most {
			best, most = i, v
		}
	}
	return best
}

// expandLeaf adds the children of p, which is the leaf at, and returns the chances of
// the child that is best for the side to move.
func (s *Searcher) expandLeaf(p *engine.Position, at uint32) (best [4]uint32) {
	legal, side, mark := s.game.Legal(p), s.game.Side(p.Seat), s.history.Len()
	s.uctTree[at].firstChild, s.uctTree[at].children = uint32(len(s.uctTree)), uint8(legal.Len())
	for i := range legal.Len() {
		q := *p
		s.play(&q, legal.At(i))
		s.history.Truncate(mark)
		x := s.winChances(&q)
		if i == 0 || x[side] > best[side] {
			best = x
		}
		s.uctTree = append(s.uctTree, uctNode{visits: 1, sums: x, bit: uint8(i)})
	}
	return best
}

// winChances returns each side's chance to win in p, by its lead. At the end of the
// game almost only the winner counts.
func (s *Searcher) winChances(p *engine.Position) (c [4]uint32) {
	x := s.eval.each(p)
	for side := range c {
		lead := float64(x.margin(side))
		c[side] = uint32(certain/2 + float64(certain/2*lead)/math.Sqrt(lead*lead+leadScale*leadScale))
		switch {
		case p.Phase != engine.Over:
		case lead > 0:
			c[side] = certain - certain/10 + c[side]/10
		case lead < 0:
			c[side] /= 10
		}
	}
	return c
}

// chanceToLead returns the lead in seeds that a chance corresponds to.
func chanceToLead(chance float64) float64 {
	x := 2*chance/certain - 1
	return leadScale / seed * x / math.Sqrt(1-min(x*x, 0.999))
}

// movesByVisits returns the moves of the root, best first: the best is visited most.
func (s *Searcher) movesByVisits(p *engine.Position) (moves []Rated) {
	legal, root := s.game.Legal(p), s.uctTree[0]
	twigs := slices.Clone(s.uctTree[root.firstChild : root.firstChild+uint32(root.children)])
	slices.SortStableFunc(twigs, func(x, y uctNode) int { return int(y.visits) - int(x.visits) })
	most := float64(infinite)
	for _, t := range twigs {
		most = min(most, chanceToLead(float64(t.sums[s.me])/float64(t.visits))) // a move that was visited less is not better
		moves = append(moves, Rated{Move: legal.At(int(t.bit)), Value: most})
	}
	if len(moves) == 0 { // the budget was too small for one move
		moves = append(moves, Rated{Move: legal.At(0)})
	}
	return moves
}

// mostVisitedLine returns the line that was visited most.
func (s *Searcher) mostVisitedLine(p engine.Position) (line []engine.Move) {
	for at := uint32(0); s.uctTree[at].children > 0; {
		t := s.uctTree[at]
		at = t.firstChild
		for i := t.firstChild; i < t.firstChild+uint32(t.children); i++ {
			if s.uctTree[i].visits > s.uctTree[at].visits {
				at = i
			}
		}
		m := s.game.Legal(&p).At(int(s.uctTree[at].bit))
		line = append(line, m)
		s.play(&p, m)
	}
	if len(line) == 0 {
		line = append(line, s.game.Legal(&p).At(0))
	}
	return line
}
