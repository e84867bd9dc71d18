package search

import "mancala/engine"

// cycles is how a game treats positions that come back, and plies without a seed
// won. Both end the game with the same sharing out (cycle_remaining).
//
// If that leaves the margin as it is (nobody, split), it does not matter at which
// position of a cycle the game ends: a position that comes back on the line is worth
// the margin, and what is proven without looking back at earlier plies is true
// however the position was reached. (Playing for more than the margin, one never
// needs to come back; playing for no less, one does not mind.)
//
// If each side keeps its own seeds (own), the place where the cycle is cut matters,
// and with it everything since the last seed won. Then the search plays cycles out
// to the end that the rules give them, and what it proves after quiet plies holds
// for this line only.
type cycles struct {
	repeat   bool  // positions can come back, and the rules notice
	constant bool  // cycle_remaining leaves the margin as it is
	limit    int32 // no_progress
	possible bool  // positions can come back at all
	byPath   bool  // in this search, positions are remembered with the way to them
	preceded bool  // in this search, positions before the root count
}

// fewSeeds is how many there may be for remembering the way to a position.
const fewSeeds = 9

func newCycles(r engine.Rules) cycles {
	c := cycles{constant: r.CycleRemaining != engine.RemainingOwn, limit: int32(r.NoProgress)}
	c.possible = !r.EndsByItself() || r.Feed == engine.FeedGive
	c.repeat = c.possible && r.Repetition > 0
	return c
}

// dependsOn is the first ply that everything proven in p depends on.
func (c *cycles) dependsOn(p *engine.Position, at int) int32 {
	ended := p.End == engine.EndRepetition || p.End == engine.EndNoProgress
	quiet := !c.constant && c.possible && p.Clock > 0
	if ended && c.preceded || !c.byPath && (ended || quiet) {
		return int32(at) - p.Clock
	}
	return free
}

// cycled says whether p has been on the line before, since the last seed won, and
// the game may as well end here.
func (s *Searcher) cycled(p *engine.Position, at int) (first int32, ok bool) {
	if !s.cycles.constant || !s.cycles.possible || p.Phase != engine.Play {
		return 0, false
	}
	for i := at - 1; i >= max(0, at-int(p.Clock)); i-- {
		if s.plies[i].key == s.plies[at].key {
			return int32(i), true
		}
	}
	return 0, false
}

// repeated says whether p ends the game, because it has been in it often enough before
// the root. (What is on the line itself has been cut before.)
func (s *Searcher) repeated(p *engine.Position, at int) bool {
	if len(s.before) == 0 || int(p.Clock) < at {
		return false // a seed has been won since the root
	}
	times, key := 1, s.game.Key(p)
	for _, k := range s.before {
		if k == key {
			times++
		}
	}
	return times >= s.rules.Repetition
}

// startPath decides whether the way to a position is remembered with it, and starts
// with what was before the root.
func (s *Searcher) startPath(p *engine.Position) {
	low, high := s.provable(p)
	s.cycles.byPath = s.cycles.possible && !s.cycles.constant && high-low <= 2*fewSeeds*seed
	s.plies[0].path = uint64(p.Clock) * 0x9fb21c651e98df25
	if s.history.Len() > 0 {
		s.plies[0].path ^= uint64(s.table.now) << 56 // nobody else's
	}
	s.plies[0].key = s.key(p)
}

// onPath is key together with the plies since the last seed won: which positions
// they were, if positions are counted, in whatever order, and else how many.
func (s *Searcher) onPath(p *engine.Position, key uint64, at int) uint64 {
	if !s.cycles.byPath {
		return key
	}
	here, before := &s.plies[at], &s.plies[at-1]
	switch {
	case p.Clock == 0:
		here.path = 0
	case s.cycles.repeat:
		here.path = before.path + before.key*0xd6e8feb86659fd93
	default:
		here.path = before.path + 1
	}
	return key ^ (here.path^here.path>>29)*0x9e3779b97f4a7c15
}
