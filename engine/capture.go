package engine

import "math/bits"

// capture makes the captures that a sowing has earned and returns how many seeds it
// won. It returns forbidden if the capture would be a grand slam and the rules forbid
// those; the position is then unchanged by capture. It returns slam if the capture
// was a grand slam after which the opponent keeps the remaining seeds. Captures are
// never optional (RULES.md §7.1).
func (g *Game) capture(p *Position, s *sowing, t *Trace) (won int, slam, forbidden bool) {
	switch s.fate {
	case fateCount:
		return g.captureCount(p, s, t)
	case fateClaim:
		return g.claimLast(p, s, t), false, false
	case fateAcross:
		return g.captureAcross(p, s, t), false, false
	case fateEmpty:
		if g.crossCapture && g.crossPits[s.side]>>s.last&1 != 0 {
			return g.captureAcross(p, s, t), false, false
		}
	}
	if g.gapCapture {
		return g.captureBeyondGap(p, s, t), false, false
	}
	return 0, false, false
}

// captureCount captures the pit that the last seed brought to a capturing number.
// With count_chain it goes on back along the lap while the pits fit. It looks at one
// pit after the other: a pit that was already emptied, because it lies opposite a
// captured one, breaks the chain (RULES.md §8.9).
func (g *Game) captureCount(p *Position, s *sowing, t *Trace) (won int, slam, forbidden bool) {
	track := g.tracks[s.side][s.cw]
	var order [maxSlots]uint8
	taken, gone := order[:0], uint64(0)
	last := int(track.index[s.last])
	for back, left := 0, int(s.seeds); left > 0 && back < track.length; back++ {
		slot := track.slots[last+track.length-back]
		if g.secondRound {
			slot = g.dropped(track, s, int(s.seeds)-1-back)
		}
		if g.skipOrigin && slot == s.from {
			continue // not sown in this lap; the other reading is that it is empty and breaks the chain
		}
		left--
		n := p.Slots[slot]
		if g.countPits[s.side]>>slot&1 == 0 || gone>>slot&1 != 0 || !g.counts.has(n) {
			break
		}
		taken = append(taken, slot)
		gone |= 1 << slot
		if g.rules.CountOpposite {
			gone |= 1 << g.opposite[slot]
		}
		if !g.rules.CountChain {
			break
		}
	}

	if g.grandSlam && g.occupied(p)&g.sidePits[1-s.side]&^gone == 0 {
		switch g.rules.GrandSlam {
		case GrandSlamForbidden:
			return 0, false, true
		case GrandSlamNone:
			// The number and the side of the pit fit, so the sowing has ended all the
			// same (RULES.md §3, step 3.2). The other reading is that a relay goes
			// on.
			return 0, false, false
		case GrandSlamLeaveLast:
			taken = taken[1:]
		case GrandSlamLeaveFirst:
			// First means sown first. The other reading is the pit nearest to a,
			// which is a different pit when sowing is clockwise.
			taken = taken[:len(taken)-1]
		case GrandSlamOpponentKeeps:
			slam = true
		}
	}
	for _, slot := range taken {
		won += g.take(p, s.side, slot, t)
		if g.rules.CountOpposite {
			won += g.take(p, s.side, g.opposite[slot], t)
		}
	}
	return won, slam, false
}

// captureAcross captures what lies opposite the empty own pit in which the sowing ended
// (RULES.md §3, step 3.3, and RULES.md §7.2, RULES.md §7.3). With cross_run it goes on
// along the adjacent empty own pits (RULES.md §8.7).
func (g *Game) captureAcross(p *Position, s *sowing, t *Trace) (won int) {
	opposite := g.opposite[s.last]
	behind := g.behind[s.last]
	if !g.anyAcross(&p.Slots, s.last) || !g.crossable(s, opposite) {
		if p.Slots[opposite] == 0 && g.rules.CrossEmpty {
			// Only the capturing seed is won. The pit behind an empty inner pit is
			// not captured (RULES.md §8.8), and no run begins at an empty opposite
			// pit (RULES.md §8.7). The other readings are that both happen.
			return g.take(p, s.side, s.last, t)
		}
		return 0
	}
	if g.rules.CrossOwn {
		won += g.take(p, s.side, s.last, t)
	}
	won += g.take(p, s.side, opposite, t)
	if behind != NoSlot && g.rules.CrossDepth != CrossDepthInner && p.Slots[behind] > 0 {
		won += g.take(p, s.side, behind, t)
	}
	if !g.rules.CrossRun {
		return won
	}
	step := 1 - 2*int(s.cw)
	for slot := int(s.last) + step; slot >= 0 && g.sidePits[s.side]>>slot&1 != 0; slot += step {
		opposite := g.opposite[slot]
		if p.Slots[slot] > 0 || p.Slots[opposite] == 0 || g.rules.CrossNeeds == CrossNeedsPit && !s.wasSown(opposite) {
			break
		}
		won += g.take(p, s.side, opposite, t)
	}
	return won
}

// anyAcross reports whether there is something to capture across from a pit (cross_depth).
func (g *Game) anyAcross(slots *[maxSlots]uint8, slot uint8) bool {
	return slots[g.opposite[slot]] > 0 && (g.rules.CrossDepth != CrossDepthFull || slots[g.behind[slot]] > 0)
}

// crossable reports whether the pits that cross_needs names were sown in this ply.
func (g *Game) crossable(s *sowing, opposite uint8) bool {
	switch g.rules.CrossNeeds {
	case CrossNeedsPit:
		return s.wasSown(opposite)
	case CrossNeedsSide:
		return g.sownSlots(s)&g.sidePits[g.sideOf[opposite]] != 0
	}
	return true
}

// captureBeyondGap captures the pit after the next one if the next one is empty.
func (g *Game) captureBeyondGap(p *Position, s *sowing, t *Trace) int {
	track := g.tracks[s.side][s.cw]
	after := track.slots[track.index[s.last]+1:]
	if p.Slots[after[0]] > 0 {
		return 0
	}
	return g.take(p, s.side, after[1], t)
}

// take moves the seeds of a pit into a side's store and returns their number.
func (g *Game) take(p *Position, side, slot uint8, t *Trace) int {
	n := p.Slots[slot]
	if n == 0 {
		return 0
	}
	store := uint8(g.pits) + side
	p.Slots[slot] = 0
	p.Slots[store] += n
	t.add(EventCapture, slot, n, store)
	return int(n)
}

// home reports whether the sowing satisfies again home: it ended in an empty own pit
// and dropped no seed on another side.
func (g *Game) home(s *sowing) bool {
	own := g.sidePits[s.side]
	return s.fate == fateEmpty && own>>s.last&1 != 0 && bits.OnesCount64(g.sownSlots(s)&g.allPits&^own) == 0
}
