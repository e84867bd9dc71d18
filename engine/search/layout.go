package search

import (
	"math/rand/v2"

	"mancala/engine"
)

// tries is how many lay-outs are looked at with so many nodes: there are endless ones,
// and who looks at more of them finds better ones. What comes after a lay-out of an
// Egyptian game is soon searched to its end, so this is what the levels differ in.
func tries(nodes uint64) int {
	if nodes == 0 {
		return 48 // no limit, or one of time
	}
	return int(min(max(2, nodes/100), 1<<14))
}

// layOut searches some lay-outs, first briefly, then those that did best for longer: half
// of them go each time, once to look at all costs a part of the budget. The answer of the
// other player, who may turn the board round, is part of the search.
// Which lay-outs are tried depends on the position and the number that a player was given.
func (s *Searcher) layOut(p *engine.Position, a *Answer) {
	random := rand.New(rand.NewPCG(uint64(p.Seat), s.number^uint64(s.rules.Total)))
	s.root = s.root[:0]
	for range tries(s.limits.Nodes) {
		s.root = append(s.root, child{move: s.game.RandomLayOut(random)})
	}
	s.open()
	s.startPath(p)
	for depth := min(2, s.limits.Depth); depth <= s.limits.Depth; depth++ {
		nodes := s.nodes
		over := s.look(p, depth, a, true)
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
	// Other lay-outs may be better: at most a lower bound has been proven.
	_, high := s.provable(p)
	a.Exact, a.High = false, int(high/seed)
}
