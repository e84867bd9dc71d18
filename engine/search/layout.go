package search

import (
	"math/rand/v2"

	"mancala/engine"
)

// layOutsToTry returns the number of lay-outs that a budget of nodes pays for. There
// are too many to try all, and a search that tries more finds better ones. In the
// Egyptian games the play after a lay-out is soon searched to its end, so the number
// of lay-outs is what distinguishes the levels.
func layOutsToTry(nodes uint64) int {
	if nodes == 0 {
		return 48 // no limit, or a limit of time
	}
	return int(min(max(2, nodes/100), 1<<14))
}

// layOut searches some lay-outs, all of them briefly first, then the best for longer.
// When one pass over all of them costs a part of the budget, the worse half is
// dropped. The search includes the answer of the other player, who may turn the board
// round. Which lay-outs are tried depends on the position and on the number given to
// the player.
func (s *Searcher) layOut(p *engine.Position, a *Answer) {
	random := rand.New(rand.NewPCG(uint64(p.Seat), s.number^uint64(s.rules.Total)))
	s.root = s.root[:0]
	for range layOutsToTry(s.limits.Nodes) {
		s.root = append(s.root, child{move: s.game.RandomLayOut(random)})
	}
	s.openTable()
	s.startPath(p)
	for depth := min(2, s.limits.Depth); depth <= s.limits.Depth; depth++ {
		nodes := s.nodes
		over := s.searchRoot(p, depth, a, true)
		if s.stop != "" {
			a.Stop = s.stop
			break
		}
		a.Stop = Deep
		if over || len(s.root) == 1 && depth > 8 {
			break
		}
		if s.nodes-nodes >= s.limits.Nodes/16 {
			s.root = s.root[:max(1, len(s.root)/2)]
		}
	}
	// Lay-outs that were not tried may be better, so only a lower bound is proven.
	_, high := s.provable(p)
	a.Exact, a.High = false, int(high/seed)
}
