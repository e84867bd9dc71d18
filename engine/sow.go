package engine

// maxLaps is the bound of RULES.md §7.5: a sowing that has not ended after maxLaps laps,
// the first lap included, is endless.
const maxLaps = 1000

// fate is what happened to the last seed of a sowing (RULES.md §3, step 3).
type fate uint8

const (
	fateOccupied fate = iota // it fell into an occupied pit, and the sowing ended
	fateRelay                // it fell into an occupied pit, which is lifted for the next lap
	fateEmpty                // it fell into an empty pit
	fateStore                // it fell into the own store
	fateClaimed              // it fell into a claimed pit
	fateClaim                // it fell into a pit that is claimed by it
	fateAcross               // it fell into an occupied pit that captures across
	fateCount                // it fell into a pit that may be captured by count
	fateEndless              // the sowing is endless, so the move is illegal
	fateAgainst              // a lap against the direction captured nothing, so the move is illegal
	fateGivesUp              // a blank ply empties an inner row with its first seed, so the move is illegal
	fateNoHouse              // the sowing never came to the choice to sow the house, so the move is illegal
)

// illegal holds the reason of each fate from fateEndless on: such a move is illegal.
var illegal = [...]Reason{EndlessSowing, AgainstDirection, GivesUpRow, NoHouse}

// sowing is the part of a sowing that the rules after it need.
type sowing struct {
	side  uint8             // side of the mover
	from  uint8             // slot from which the lap is lifted; at the end, that of the last lap
	cw    uint8             // direction of the lap: 0 ccw, 1 cw
	fate  fate              // what happened to the last seed
	last  uint8             // slot of the last seed
	seeds uint8             // seeds of the last lap
	fresh bool              // the clock begins again although the mover has won no seed yet
	hand  uint8             // seeds captured and not yet sown; they make the next lap
	marks Marks             // before the ply
	back  bool              // the first lap goes against the direction
	must  must              // what games with must_capture need; must.lost also with end row-empty
	sown  *[maxWords]uint64 // nonzero bytes mark the slots that got a seed in this ply; nil unless Game.recordsSown
}

// sowing returns the sowing of m before its first lap: the side, the pit and the
// direction.
func (g *Game) sowing(side int, m Move) sowing {
	return sowing{side: uint8(side), from: uint8(side*g.row) + m.Pit, cw: g.way(m)}
}

// oddSowing completes the sowing of m in p for games whose laps are not plain.
func (g *Game) oddSowing(p *Position, s *sowing, m Move) {
	s.marks = p.Marks
	s.back = g.backPits != 0 && m.Way != NoWay
	if g.mustCapture {
		s.must = g.mustOf(p, int(s.side), m)
	}
}

// way returns the direction in which m is sown: 0 ccw, 1 cw.
func (g *Game) way(m Move) uint8 {
	if way := m.Way &^ SowHouse; way == CW || way == NoWay && g.cw {
		return 1
	}
	return 0
}

// sow lifts a pit and plays all laps (RULES.md §3, steps 1 to 3.4). It reads the
// side, the pit and the direction from s and sets the other fields.
func (g *Game) sow(slots *[maxSlots]uint8, s *sowing, t *Trace) {
	if g.odd {
		g.sowOdd(slots, s, t)
		return
	}
	track, from := g.tracks[s.side][s.cw], s.from
	for range maxLaps {
		seeds := slots[from]
		if s.sown != nil {
			track.mark(s.sown, from, seeds)
		}
		last := track.lap(slots, from)
		if t != nil {
			g.traceLap(track, from, seeds, t)
		}
		if fate := g.fate(slots[last], last, s.side); fate != fateRelay {
			s.from, s.seeds, s.last, s.fate = from, seeds, last, fate
			return
		}
		from = last
		if g.reverses {
			s.cw ^= 1
			track = g.tracks[s.side][s.cw]
		}
	}
	s.fate = fateEndless
}

// fate returns what happens to the last seed (RULES.md §3, step 3). The seed fell
// into slot, which now holds that number of seeds.
func (g *Game) fate(seeds, slot, side uint8) fate {
	switch {
	case int(slot) >= g.pits:
		return fateStore
	case g.countCapture && g.counts.has(seeds) && g.countPits[side]>>slot&1 != 0:
		return fateCount
	case seeds == 1:
		return fateEmpty
	case g.relay:
		return fateRelay
	}
	return fateOccupied
}

// lap lifts a slot, sows it along the track and returns the slot of the last seed. It
// works on eight slots at a time. A slot gets the difference of two prefixes of the
// track, plus one seed for every full round.
func (t *track) lap(slots *[maxSlots]uint8, from uint8) (last uint8) {
	seeds := uint64(slots[from])
	rest, rounds := t.split(int(seeds))
	start := int(t.index[from]) + 1
	upTo, before, after := &t.prefix[start-1], &t.prefix[start], &t.prefix[start+rest]
	for w := range t.words {
		lifted := before[w] - upTo[w] // 1 in the slot that was lifted
		add := after[w] - before[w] - seeds*lifted
		if rounds > 0 {
			add += rounds * (t.prefix[t.length][w] - t.skipped*lifted)
		}
		save(slots, t.low+w, load(slots, t.low+w)+add)
	}
	return t.slots[start+rest-1]
}

// split divides a sowing into full rounds of the ring and a rest of 1 to a round.
func (t *track) split(seeds int) (rest int, rounds uint64) {
	if seeds <= t.round {
		return seeds, 0
	}
	return (seeds-1)%t.round + 1, uint64((seeds - 1) / t.round)
}

// mark records which slots a lap sows.
func (t *track) mark(sown *[maxWords]uint64, from, seeds uint8) {
	rest, rounds := t.split(int(seeds))
	start := int(t.index[from]) + 1
	for w := range t.words {
		sown[t.low+w] |= t.prefix[start+rest][w] - t.prefix[start][w]
		if rounds > 0 {
			sown[t.low+w] |= t.prefix[t.length][w]
		}
	}
}

// traceLap records a lap seed by seed.
func (g *Game) traceLap(track *track, from, seeds uint8, t *Trace) {
	t.add(EventLift, from, seeds, 0)
	i := int(track.index[from])
	for seeds > 0 {
		if i++; i == track.length {
			i = 0
		}
		slot := track.slots[i]
		if g.skipOrigin && slot == from {
			continue
		}
		t.add(EventDrop, slot, 1, 0)
		seeds--
	}
}

// wasSown reports whether a slot got a seed in this ply.
func (s *sowing) wasSown(slot uint8) bool { return s.sown[slot>>3]>>(slot&7*8)&255 != 0 }

// sownSlots returns the set of slots that got a seed in this ply. Bits of stores have
// no meaning.
func (g *Game) sownSlots(s *sowing) uint64 {
	var set uint64
	for w := range g.words {
		set |= nonZero(s.sown[w]) << (8 * w)
	}
	return set
}
