package engine

// claims decides the fate of a last seed that fell into a claimed pit, or that claims one
// (RULES.md §3, step 3). It returns false for all others.
func (g *Game) claims(slots *[maxSlots]uint8, s *sowing) bool {
	switch {
	case s.marks.claimed(s.last):
		s.fate = fateClaimed
	case int(slots[s.last]) == g.claim && g.mayClaim(&s.marks, s.side, s.last):
		s.fate = fateClaim
	default:
		return false
	}
	return true
}

// mayClaim reports whether a side may claim a pit (claim_ban). Each side claims once.
func (g *Game) mayClaim(m *Marks, side, slot uint8) bool {
	other := 1 - side
	return g.claimPits&g.sidePits[other]>>slot&1 != 0 && m.Claimed[other] == 0 && (g.claimTwins || !g.twins(m.Claimed[side], slot+1))
}

// twins reports whether two marked pits have the same letter. Each is its slot plus 1, or 0 for
// no pit.
func (g *Game) twins(a, b uint8) bool {
	return a != 0 && b != 0 && int(a-1)%g.row == int(b-1)%g.row
}

// claimLast claims the pit of the last seed and wins what lies in it.
func (g *Game) claimLast(p *Position, s *sowing, t *Trace) (won int) {
	won = g.take(p, s.side, s.last, t)
	p.Marks.claim(int(1-s.side), s.last)
	t.add(EventClaim, s.last, 0, uint8(g.pits)+s.side)
	return won
}

// claim marks a side's pit as claimed.
func (m *Marks) claim(side int, slot uint8) { m.Claimed[side] = slot + 1 }
