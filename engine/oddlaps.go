package engine

// sowOdd is sow for rules whose laps are not plain: the first seed stays (keep_first),
// a second round goes elsewhere (second_round), pits are captured in passing
// (sow_counts), the next pit is lifted (relay next), an occupied pit captures
// (cross_at), a pit is claimed (claim), or an inner row that is empty ends the game
// within a turn (end row-empty). It sows seed by seed, so that the plain laps of all
// other games can be added up.
func (g *Game) sowOdd(slots *[maxSlots]uint8, s *sowing, t *Trace) {
	if g.mustCapture {
		g.sowMust(slots, s, t)
		return
	}
	track := g.tracks[s.side][s.cw]
	for range maxLaps {
		g.oddLap(slots, s, track, t)
		if g.claim > 0 && g.claims(slots, s) {
			return
		}
		s.fate = g.fate(slots[s.last], s.last, s.side)
		next := track.slots[track.index[s.last]+1]
		if s.back { // only a capture lets the sowing go on, from then on in the ordinary direction
			if s.fate != fateRelay || !g.capturesAcross(slots, s) {
				s.fate = fateAgainst
				return
			}
			s.cw ^= 1
			track = g.tracks[s.side][s.cw]
			s.back = false
		}
		if g.losesRow(slots, s) {
			return
		}
		switch {
		case g.relayNext && slots[next] > 0:
			s.from = next
		case s.fate != fateRelay:
			return
		case g.crossOccupied && g.capturesAcross(slots, s):
			if !g.sowsCaptured {
				s.fate = fateAcross
				return
			}
			if g.seize(slots, s, t); g.losesRow(slots, s) {
				g.winHand(slots, s, t)
				return
			}
		case slots[s.last] == 0: // captured in passing
			s.fate = fateOccupied
			return
		default:
			s.from = s.last
			if g.reverses {
				s.cw ^= 1
				track = g.tracks[s.side][s.cw]
			}
		}
	}
	s.fate = fateEndless
}

// oddLap lifts the slot s.from and sows it. It sets the last slot and the seeds of the
// lap in s.
func (g *Game) oddLap(slots *[maxSlots]uint8, s *sowing, track *track, t *Trace) {
	if s.seeds = s.hand; s.hand == 0 {
		s.seeds = slots[s.from]
		slots[s.from] = 0
		t.add(EventLift, s.from, s.seeds, 0)
	}
	g.dropLap(slots, s, track, t)
}

// dropLap sows the seeds of a lap that are in the hand.
func (g *Game) dropLap(slots *[maxSlots]uint8, s *sowing, track *track, t *Trace) {
	for i := range int(s.seeds) {
		slot := g.dropped(track, s, i)
		slots[slot]++
		t.add(EventDrop, slot, 1, 0)
		if s.sown != nil {
			s.sown[slot>>3] |= 1 << (slot & 7 * 8)
		}
		switch {
		case int(slot) >= g.pits:
		case g.claim > 0 && s.marks.claimed(slot):
			g.takeInPassing(slots, s, slot, 1-g.sideOf[slot], t)
		case g.sowCounts.has(slots[slot]):
			winner := s.side
			if g.rules.SowWinner == SowWinnerOwner {
				winner = g.sideOf[slot]
			}
			g.takeInPassing(slots, s, slot, winner, t)
		}
		s.last = slot
	}
	s.hand = 0
}

// capturesAcross reports whether the last pit, which was occupied, takes something
// across.
func (g *Game) capturesAcross(slots *[maxSlots]uint8, s *sowing) bool {
	return g.crossPits[s.side]>>s.last&1 != 0 && g.anyAcross(slots, s.last)
}

// seize takes the seeds across into the hand, from where they are sown in a lap of their
// own. The pit where that lap begins is s.from: with captured restart it stays where it
// was.
func (g *Game) seize(slots *[maxSlots]uint8, s *sowing, t *Trace) {
	s.fresh = true
	for _, slot := range [...]uint8{g.opposite[s.last], g.behind[s.last]} {
		if slot == NoSlot || slots[slot] == 0 || slot != g.opposite[s.last] && g.rules.CrossDepth == CrossDepthInner {
			continue
		}
		s.hand += slots[slot]
		t.add(EventSeize, slot, slots[slot], 0)
		slots[slot] = 0
		g.unhouse(slots, s, slot, t)
	}
	if g.rules.Captured == CapturedOnward {
		s.from = s.last
	}
}

// dropped returns the slot into which seed i of the lap falls.
func (g *Game) dropped(track *track, s *sowing, i int) uint8 {
	if g.secondRound && i >= track.round {
		i = (i - track.round) % g.row
		if s.cw != 0 {
			i = g.row - 1 - i
		}
		return (1-s.side)*uint8(g.row) + uint8(i)
	}
	start := int(track.index[s.from])
	if s.hand > 0 { // no pit was lifted, so none is passed over or keeps a seed
		return track.slots[start+1+i%track.length]
	}
	if g.keepFirst && s.seeds > 1 {
		return track.slots[start+i%track.round]
	}
	return track.slots[start+1+i%track.round]
}

// takeInPassing gives the seeds of a pit to a side.
func (g *Game) takeInPassing(slots *[maxSlots]uint8, s *sowing, slot, winner uint8, t *Trace) {
	s.fresh = s.fresh || winner != s.side
	n, store := slots[slot], uint8(g.pits)+winner
	slots[slot] = 0
	slots[store] += n
	t.add(EventCapture, slot, n, store)
}
