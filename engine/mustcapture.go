package engine

import "math/bits"

// must is what a sowing under must_capture needs beyond other sowings (RULES.md §7.15, RULES.md §7.17).
type must struct {
	houses [2]uint8 // as Marks.House; a house that is emptied is none
	block  uint8    // the own pit that is blocked, as Marks.Blocked; 0 if none
	enters bool     // the mover has a seed in hand, so the ply is an entry, and an own house of six is in force
	sow    onward   // whether the move sows the house on
	blank  bool     // the ply captures nothing
	lost   uint8    // with end row-empty: 1 + the side whose inner row became empty within the turn; 0 if none
}

// onward is whether a move sows the own house on where the sowing comes to it.
type onward uint8

const (
	endsThere onward = iota
	sowsOn
	sownOn // and the sowing has come to it
)

// inForce is the number of seeds with which a house has its power.
const inForce = 6

func (g *Game) mustOf(p *Position, side int, m Move) must {
	s := must{houses: p.Marks.House, enters: g.enters(p, side)}
	if m.Way&SowHouse != 0 {
		s.sow = sowsOn
	}
	if p.Marks.Blocked != 0 && g.sidePits[side]>>(p.Marks.Blocked-1)&1 != 0 {
		s.block = p.Marks.Blocked
	}
	return s
}

// enters reports whether the next ply of a side is an entry.
func (g *Game) enters(p *Position, side int) bool {
	return g.rules.Reserve > 0 && p.Slots[g.pits+side] > 0
}

// outcome returns 1 for a blank lift, 2 + the side for the loss of an inner row, and 0 otherwise.
func (s *must) outcome() uint8 {
	switch {
	case s.lost != 0:
		return s.lost + 1
	case s.blank && !s.enters:
		return 1
	}
	return 0
}

// sowMust is sow for games with must_capture. Whether the ply captures or is blank is decided by its
// first lap, or by the seed that is entered.
func (g *Game) sowMust(slots *[maxSlots]uint8, s *sowing, t *Trace) {
	laps, first, taxed := maxLaps, true, false
	if s.must.enters {
		laps-- // the seed entered counts as a lap
		first = false
		taxed = g.enter(slots, s, t)
		if s.must.lost != 0 {
			return
		}
	}
	blankLift := first || s.must.blank
	for range laps {
		track := g.tracks[s.side][s.cw]
		givesUp := blankLift && g.givesUp(slots, s, track, taxed)
		blankLift = false
		g.mustLap(slots, s, track, taxed, t)
		taxed = false
		crosses := slots[s.last] > 1 && g.capturesAcross(slots, s)
		if first {
			s.must.blank = !crosses || int(s.seeds) >= g.row
			first = false
		}
		if s.must.blank && givesUp {
			s.fate = fateGivesUp
			return
		}
		if g.losesRow(slots, s) {
			return
		}
		switch {
		case crosses && !s.must.blank:
			if g.captureOn(slots, s, t); s.must.lost != 0 {
				return
			}
		case slots[s.last] == 1:
			s.fate = fateEmpty
			g.endAtHouse(s)
			return
		case s.must.block == s.last+1, g.houseStops(slots, s):
			s.fate = fateOccupied
			g.endAtHouse(s)
			return
		default:
			s.from = s.last
		}
	}
	s.fate = fateEndless
}

// endAtHouse refuses a move that would sow the house and never came to it.
func (g *Game) endAtHouse(s *sowing) {
	if s.must.sow == sowsOn {
		s.fate = fateNoHouse
	}
}

// enter puts one seed from the hand into a pit. It captures, or makes the ply blank. It returns whether
// only two seeds of the pit are lifted then, because it is a house in force.
func (g *Game) enter(slots *[maxSlots]uint8, s *sowing, t *Trace) (taxed bool) {
	store := uint8(g.pits) + s.side
	taxed = s.from+1 == s.must.houses[s.side] && slots[s.from] >= inForce
	slots[store]--
	slots[s.from]++
	t.add(EventEnter, s.from, 1, store)
	s.last, s.fresh = s.from, true
	if g.capturesAcross(slots, s) {
		g.captureOn(slots, s, t)
		return false
	}
	s.must.blank = true
	return taxed
}

// mustLap lifts the pit s.from, or two seeds of it if it is taxed, and sows it. With captured seeds in the
// hand it sows those.
func (g *Game) mustLap(slots *[maxSlots]uint8, s *sowing, track *track, taxed bool, t *Trace) {
	if s.seeds = s.hand; s.hand == 0 {
		if s.seeds = slots[s.from]; taxed {
			s.seeds = 2
		}
		slots[s.from] -= s.seeds
		t.add(EventLift, s.from, s.seeds, 0)
		g.unhouse(slots, s, s.from, t)
	}
	g.dropLap(slots, s, track, t)
}

// unhouse makes a house that was emptied an ordinary pit for good.
func (g *Game) unhouse(slots *[maxSlots]uint8, s *sowing, slot uint8, t *Trace) {
	if owner := g.sideOf[slot]; slots[slot] == 0 && s.must.houses[owner] == slot+1 {
		s.must.houses[owner] = 0
		t.add(EventUnhouse, slot, 0, 0)
	}
}

// givesUp reports whether an inner row is empty after the first seed of the lap that comes next.
func (g *Game) givesUp(slots *[maxSlots]uint8, s *sowing, track *track, taxed bool) bool {
	set := g.seedsIn(slots)
	first := track.slots[track.index[s.from]+1]
	if g.keepFirst && slots[s.from] > 1 {
		first = s.from
	}
	if !taxed {
		set &^= 1 << s.from
	}
	return g.rowEmpty(set | 1<<first)
}

// seedsIn returns the set of pits with at least one seed.
func (g *Game) seedsIn(slots *[maxSlots]uint8) uint64 {
	var set uint64
	for w := range g.words {
		set |= nonZero(load(slots, w)) << (8 * w)
	}
	return set & g.allPits
}

// rowEmpty reports whether an inner row has no seeds.
func (g *Game) rowEmpty(set uint64) bool { return set&g.crossPits[0] == 0 || set&g.crossPits[1] == 0 }

// losesRow reports whether the game ends now because an inner row is empty, and notes whose.
func (g *Game) losesRow(slots *[maxSlots]uint8, s *sowing) bool {
	if !g.endRowEmpty {
		return false
	}
	set := g.seedsIn(slots)
	if !g.rowEmpty(set) {
		return false
	}
	s.must.lost = 2 - s.side // the opponent, also if both rows are empty
	if set&g.crossPits[1-s.side] != 0 {
		s.must.lost = 1 + s.side
	}
	s.fate = fateOccupied
	g.endAtHouse(s)
	return true
}

// captureOn takes the seeds across into the hand and decides from where and which way they are sown. If
// that ends the game, they go to the mover's store.
func (g *Game) captureOn(slots *[maxSlots]uint8, s *sowing, t *Trace) {
	g.seize(slots, s, t)
	if g.fromHead {
		inner := s.last - uint8(int(s.side)*g.row+g.rules.Pits)
		switch {
		case inner < 2:
			s.cw = 0
		case int(inner) >= g.rules.Pits-2:
			s.cw = 1
		}
		s.from = uint8(int(s.side) * g.row) // the pit before the left head, clockwise
		if s.cw == 0 {
			s.from += uint8(g.rules.Pits) - 1
		}
	}
	if g.losesRow(slots, s) {
		g.winHand(slots, s, t)
	}
}

// winHand puts captured seeds that are not sown, because the game has ended, into the mover's store.
func (g *Game) winHand(slots *[maxSlots]uint8, s *sowing, t *Trace) {
	store := uint8(g.pits) + s.side
	slots[store] += s.hand
	t.add(EventSweep, NoSlot, s.hand, store)
	s.hand = 0
}

// houseStops reports whether the sowing ends at the own house, which is in force (RULES.md §7.17 c).
func (g *Game) houseStops(slots *[maxSlots]uint8, s *sowing) bool {
	if !s.must.enters || s.must.houses[s.side] != s.last+1 || slots[s.last] < inForce {
		return false
	}
	if s.must.blank {
		return true
	}
	if s.must.sow == sowsOn {
		s.must.sow = sownOn
	}
	return s.must.sow == endsThere
}

// capturesOrBlank returns the plies that capture first, or all blank ones if there are none, before any
// is tried.
func (g *Game) capturesOrBlank(p *Position, side int) Moves {
	var flags Moves = leftFirst
	if g.choice {
		flags |= choiceFlag
	}
	enters := g.enters(p, side)
	if enters {
		flags |= Moves(g.rules.Pits) << entryShift
	}
	set, _ := g.threats(p, side, ^uint64(0))
	if set == 0 {
		return g.bothWays(g.blank(p, side, enters)) | flags
	}
	if at := p.Marks.Blocked; at != 0 && g.sidePits[side]>>(at-1)&1 == 0 {
		if taking, _ := g.threats(p, side, 1<<(at-1)); taking != 0 {
			set = taking
		}
	}
	if enters && p.Marks.House[side] != 0 {
		set |= set >> g.rules.Pits // the same entries, sowing the house on
	}
	return set | flags
}

// bothWays returns the lifts of these pits in the directions that the rules allow.
func (g *Game) bothWays(pits uint64) Moves {
	if g.choice {
		return Moves(pits) | Moves(pits)<<cwShift
	}
	return Moves(pits)
}

// threats returns the plies of a side that capture first, of those that take one of these pits across,
// and the set of inner pits that they take.
func (g *Game) threats(p *Position, side int, take uint64) (set Moves, taken uint64) {
	try := func(end uint8, move int) {
		if across := g.opposite[end]; take>>across&1 != 0 && g.anyAcross(&p.Slots, end) {
			set |= 1 << move
			taken |= 1 << across
		}
	}
	if g.enters(p, side) {
		for pit := g.rules.Pits; pit < g.row; pit++ {
			slot := uint8(side*g.row + pit)
			if p.Slots[slot] == 0 {
				continue
			}
			if !g.choice || !g.fromHead || pit < g.row-2 { // in the left flank they are sown cw
				try(slot, pit)
			}
			if g.choice && (!g.fromHead || pit >= g.rules.Pits+2) {
				try(slot, pit+cwShift)
			}
		}
		return set, taken
	}
	for pit := range g.row {
		slot := uint8(side*g.row + pit)
		seeds := int(p.Slots[slot])
		if seeds < int(g.minLift) || seeds >= g.row || p.Marks.Blocked == slot+1 {
			continue
		}
		if g.keepFirst && seeds > 1 {
			seeds--
		}
		for cw := range 2 {
			if !g.choice && g.cw != (cw == 1) {
				continue
			}
			track := g.tracks[side][cw]
			end := track.slots[int(track.index[slot])+seeds]
			if p.Slots[end] > 0 && g.crossPits[side]>>end&1 != 0 {
				move := pit
				if g.choice {
					move += cw * cwShift
				}
				try(end, move)
			}
		}
	}
	return set, taken
}

// blank returns the pits that a side may enter a seed into, or lift, if it captures nothing.
func (g *Game) blank(p *Position, side int, enters bool) uint64 {
	two := g.plural(p, side) & g.sidePits[side]
	any := g.seedsIn(&p.Slots) & g.sidePits[side]
	inner := g.crossPits[side]
	var free uint64 = ^uint64(0)
	if p.Marks.Blocked != 0 {
		free = ^(1 << (p.Marks.Blocked - 1))
	}
	shift := side * g.row
	if enters {
		pits := any & inner
		if house := p.Marks.House[side]; house == 0 {
			if pits&two != 0 {
				pits &= two
			}
		} else if p.Slots[house-1] >= inForce && bits.OnesCount64(pits) > 1 {
			pits &^= 1 << (house - 1)
		}
		return pits & free >> shift
	}
	pits := any & free
	if g.liftTwo {
		pits &= two
	}
	if pits&inner != 0 {
		pits &= inner
	}
	return pits >> shift
}

// mustReason returns why a lift or an entry is not legal.
func (g *Game) mustReason(p *Position, side int, m Move) Reason {
	slot := uint8(side*g.row) + m.Pit
	if g.choice && m.Way&^SowHouse == NoWay {
		// A tap on a pit names no direction. If the pit cannot be played at all, that is the reason.
		for _, way := range [...]Way{CCW, CW} {
			if m.Way = way; g.Legal(p).Has(m) {
				return NeedsDirection
			}
		}
	}
	set := g.capturesOrBlank(p, side)
	threats, _ := g.threats(p, side, ^uint64(0))
	enters := set.entry() > 0
	plain := m
	plain.Way &^= SowHouse
	switch {
	case p.Slots[slot] == 0 && enters:
		return EnterInner // players may think that a seed in hand goes into any pit
	case p.Slots[slot] == 0:
		return EmptyPit
	case !g.choice && m.Way&^SowHouse != NoWay:
		return NoDirection
	case m.Way&SowHouse != 0 && (!enters || !set.Has(m) && g.Legal(p).Has(plain)):
		return NoHouse
	case enters && int(m.Pit) < g.rules.Pits:
		return EnterInner
	case !enters && p.Slots[slot] < g.minLift:
		return MustLiftTwo
	case p.Marks.Blocked == slot+1 && !set.Has(plain):
		return BlockedPit
	case set.Has(m):
		q := *p
		if _, why := g.lift(&q, side, m, false, nil); why != "" {
			return why
		}
	case threats == 0 && enters:
		return EnterElsewhere
	case threats == 0:
		return InnerFirst
	}
	if bit, ok := set.bit(plain); ok && threats>>bit&1 != 0 {
		return MustTakeBlocked
	}
	if g.capturesOnlyInwards(p, side, m) {
		return Inwards
	}
	return MustCapture
}

// capturesOnlyInwards reports whether an entry would capture in the other direction.
func (g *Game) capturesOnlyInwards(p *Position, side int, m Move) bool {
	m.Way &^= SowHouse
	if !g.enters(p, side) || !g.choice {
		return false
	}
	m.Way = CCW + CW - m.Way
	return g.Legal(p).Has(m)
}
