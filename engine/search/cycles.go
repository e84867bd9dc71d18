package search

import "mancala/engine"

// cycles describes how a game treats positions that come back, and plies that win no
// seed. Both end the game with the same award of the remaining seeds
// (cycle_remaining).
//
// If that award leaves the margin as it is (nobody, split), it does not matter at
// which position of a cycle the game ends. A position that comes back on the line is
// worth the margin. A proof need not consider earlier plies, and holds whatever moves
// led to the position: a player who can get more than the margin never needs to return
// to a position, and a player for whom the margin is enough may return to one.
//
// If each side keeps its own seeds (own), it matters at which position the cycle is
// cut, and every position since the last seed won matters as well. Then the search
// plays cycles to the end that the rules give them. A proof after plies that won no
// seed holds for this line only.
type cycles struct {
	canRepeat    bool  // positions can come back, and the rules count them
	keepsMargin  bool  // cycle_remaining leaves the margin as it is
	limit        int32 // no_progress
	canCycle     bool  // positions can come back
	overCaptures bool  // also over captures, because the seeds stay in play
	byPath       bool  // in this search, a key includes the plies since the last seed won
	hasEarlier   bool  // in this search, positions before the root count
}

// maxSeedsWithPath is the largest number of seeds on a board for which keys include
// the path.
const maxSeedsWithPath = 9

func newCycles(r engine.Rules) cycles {
	c := cycles{keepsMargin: r.CycleRemaining != engine.RemainingOwn, limit: int32(r.NoProgress)}
	c.canCycle = !r.EndsByItself() || r.Feed == engine.FeedGive
	c.overCaptures = r.Captured != engine.CapturedWon
	c.canRepeat = c.canCycle && r.Repetition > 0
	return c
}

// since returns the number of plies after which positions before p cannot come back.
func (c *cycles) since(p *engine.Position) int32 {
	if c.overCaptures {
		return p.Ply
	}
	return p.Clock
}

// dependsOn returns the first ply that a proof in p depends on.
func (c *cycles) dependsOn(p *engine.Position, at int) int32 {
	ended := p.End == engine.EndRepetition || p.End == engine.EndNoProgress
	quiet := !c.keepsMargin && c.canCycle && c.since(p) > 0
	if ended && c.hasEarlier || !c.byPath && (ended || quiet) {
		return int32(at) - c.since(p)
	}
	return independent
}

// cycleStart looks for an earlier occurrence of p on the line since the last seed
// won. It returns its ply, and true if the search may end the line here.
func (s *Searcher) cycleStart(p *engine.Position, at int) (first int32, ok bool) {
	if !s.cycles.keepsMargin || !s.cycles.canCycle || p.Phase != engine.Play {
		return 0, false
	}
	for i := at - 1; i >= max(0, at-int(s.cycles.since(p))); i-- {
		if s.plies[i].key == s.plies[at].key {
			return int32(i), true
		}
	}
	return 0, false
}

// endsByRepetition reports whether p ends the game because it occurred often enough
// before the root. Repetition on the line itself was cut earlier.
func (s *Searcher) endsByRepetition(p *engine.Position, at int) bool {
	if len(s.earlier) == 0 || int(s.cycles.since(p)) < at {
		return false // a seed was won since the root
	}
	times, key := 1, s.game.Key(p)
	for _, k := range s.earlier {
		if k == key {
			times++
		}
	}
	return times >= s.rules.Repetition
}

// startPath decides whether keys include the path, and starts the path with the plies
// before the root.
func (s *Searcher) startPath(p *engine.Position) {
	low, high := s.provable(p)
	s.cycles.byPath = s.cycles.canCycle && !s.cycles.keepsMargin && high-low <= 2*maxSeedsWithPath*seed
	s.plies[0].path = uint64(p.Clock) * 0x9fb21c651e98df25
	if s.history.Len() > 0 {
		s.plies[0].path ^= uint64(s.table.now) << 56 // so that no other search finds these entries
	}
	s.plies[0].key = s.key(p)
}

// keyWithPath returns key, combined with the plies since the last seed won if byPath
// is set. If the rules count positions, the combination names the set of positions,
// in any order. Otherwise it names only their number.
func (s *Searcher) keyWithPath(p *engine.Position, key uint64, at int) uint64 {
	if !s.cycles.byPath {
		return key
	}
	here, before := &s.plies[at], &s.plies[at-1]
	switch {
	case s.cycles.since(p) == 0:
		here.path = 0
	case s.cycles.canRepeat:
		here.path = before.path + before.key*0xd6e8feb86659fd93
	default:
		here.path = before.path + 1
	}
	return key ^ (here.path^here.path>>29)*0x9e3779b97f4a7c15
}
