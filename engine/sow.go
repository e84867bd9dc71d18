package engine

// maxLaps is the bound of §7.5: a sowing that has not ended after so many laps
// is endless.
const maxLaps = 1000

// fate is what became of the last seed of a sowing (§3, step 3).
type fate uint8

const (
	fateOccupied fate = iota // it fell on others, and nothing follows
	fateEmpty                // into an empty pit
	fateStore                // into the own store
	fateCount                // into a pit that may be captured by count
	fateEndless              // there is no last seed: the move is illegal
)

// sowing is what the rules that follow must know of a sowing.
type sowing struct {
	fate  fate
	side  uint8            // of the mover
	last  uint8            // slot of the last seed
	from  uint8            // slot that the last lap was lifted from
	seeds uint8            // of the last lap
	cw    uint8            // direction of the last lap: 0 ccw, 1 cw
	sown  [maxWords]uint64 // bytes not 0: slots that got a seed in this ply; only if Game.marks
}

// sow lifts a pit and plays all laps (§3, steps 1 to 3.4).
func (g *Game) sow(p *Position, side, from, cw uint8, t *Trace) (s sowing) {
	s.side, s.from, s.cw = side, from, cw
	store := uint8(g.pits) + side
	for range maxLaps {
		g.lap(p, &s, t)
		switch n := p.Slots[s.last]; {
		case s.last == store:
			s.fate = fateStore
			return s
		case g.countCapture && g.counts[n>>6]>>(n&63)&1 != 0 && g.countable(side, s.last):
			s.fate = fateCount
			return s
		case n == 1:
			s.fate = fateEmpty
			return s
		case !g.relay:
			s.fate = fateOccupied
			return s
		}
		s.from = s.last
		if g.turns {
			s.cw ^= 1
		}
	}
	s.fate = fateEndless
	return s
}

// lap lifts s.from and sows it to the last seed, eight slots at a time: full
// rounds of the ring first, then the rest as the difference of two prefixes of
// the track.
func (g *Game) lap(p *Position, s *sowing, t *Trace) {
	track := g.tracks[s.side][s.cw]
	n := int(p.Slots[s.from])
	s.seeds = uint8(n)
	round := track.length // seeds in a full round
	if g.rules.SkipOrigin {
		round--
	}
	full, rest := uint64(0), n // rest is 1 to round
	if n > round {
		full, rest = uint64((n-1)/round), (n-1)%round+1
	}
	start := int(track.index[s.from]) + 1
	before := track.prefix[start*g.words:][:g.words]
	after := track.prefix[(start+rest)*g.words:][:g.words]
	lift := uint64(n) << (s.from & 7 * 8)
	if g.rules.SkipOrigin {
		lift += full << (s.from & 7 * 8)
	}
	for w := range after {
		add := after[w] - before[w]
		if full > 0 {
			add += full * track.full[w]
		}
		if g.marks {
			s.sown[w] |= add
		}
		x := load(&p.Slots, w) + add
		if w == int(s.from>>3) {
			x -= lift
		}
		save(&p.Slots, w, x)
	}
	s.last = track.slots[start+rest-1]
	if t != nil {
		g.traceLap(track, s, t)
	}
}

// traceLap records what lap did, seed by seed.
func (g *Game) traceLap(track *track, s *sowing, t *Trace) {
	t.add(EventLift, s.from, s.seeds, 0)
	i := int(track.index[s.from])
	for n := s.seeds; n > 0; {
		i = (i + 1) % track.length
		slot := track.slots[i]
		if g.rules.SkipOrigin && slot == s.from {
			continue
		}
		t.add(EventDrop, slot, 1, 0)
		n--
	}
}

// countable says whether seeds in a slot may be captured by count at all.
func (g *Game) countable(side, slot uint8) bool {
	return int(slot) < g.pits && (g.rules.CountSide == CountSideAny || g.sideOf[slot] != side)
}

// wasSown says whether a slot got a seed in this ply.
func (s *sowing) wasSown(slot uint8) bool { return s.sown[slot>>3]>>(slot&7*8)&255 != 0 }

// sownSlots is the set of slots that got a seed in this ply.
func (g *Game) sownSlots(s *sowing) uint64 {
	var set uint64
	for w := range g.words {
		set |= nonZero(s.sown[w]) << (8 * w)
	}
	return set
}
