package search

import (
	"slices"

	"mancala/engine"
)

// kalah solves games of the Kalah family: two rows of at most six pits, sown
// counter-clockwise and into the own store, without relays; the game ends when a side
// is empty. Such a game never comes back to a position.
//
// A board is two words, the pits of the mover and those of the opponent, a byte for
// each pit. The stores are left out: what the rest of the game is worth, the seeds
// that the mover will win from now on more than the opponent, does not depend on
// them. As the boards are the mover's, both seats share what is known.
//
// Every seed left ends in a store, so that all values of a board have the parity of
// the seeds on it: there are half as many values to tell apart.
type kalah struct {
	pits       int
	crossOwn   bool // options of RULES.md §4
	cross      bool
	crossEmpty bool
	emptier    bool
	again      bool

	sowing [maxKalahPits][maxKalahSeeds + 1]sowing
	table  *kalahTable // made when they are needed first
	few    *fewTable

	seen  *kalahTable // for looking ahead
	now   uint8       // the search that writes into it
	own   int32       // what a seed on one's own side is worth to the evaluation
	lines []ply

	nodes   uint64
	until   uint64      // nodes at which enough is asked
	enough  func() bool // says whether to give up
	stopped bool
}

const (
	maxKalahPits  = 6
	maxKalahSeeds = 120 // values of a board fit a byte with their sign

	// maxQuiet is how many plies in a row can win nothing. Such a ply lifts at most as
	// many seeds as there are own pits ahead, and none of them is in the last pit: pit a
	// can be lifted so once, b once and once again after a has sown into it, each
	// further pit twice as often as the one before it: 31 times a side.
	maxQuiet = 62
)

// sowing is what lifting so many seeds from a pit adds to the board.
type sowing struct {
	own, other uint64
	gain       uint8 // seeds into the store
	last       uint8 // where the last one falls: own pits from 0, the store, pits of the other
}

// kalahMove is a move and the board after it, as the mover sees it.
type kalahMove struct {
	own, other uint64
	gain       int // seeds into the store
	again      bool
	over       bool // gain is what the rest of the game is worth
	pit        uint8
	order      int
}

// newKalah returns nil if the rules are not of the family.
func newKalah(r engine.Rules) *kalah {
	board := r.Sides == 2 && r.Partners == 1 && r.Rows == 1 && r.Pits <= maxKalahPits && r.Opening == engine.OpeningFixed
	lift := r.Direction == engine.DirectionCCW && r.Start == engine.StartAny && r.Lift == engine.LiftAny
	sow := r.Store && !r.SkipOrigin && r.Relay == engine.RelayNone
	capture := r.Capture != engine.CaptureCount && !r.CrossRun && r.CrossNeeds == engine.CrossNeedsNothing
	turn := !slices.Contains(r.Again, engine.AgainCapture) && !slices.Contains(r.Again, engine.AgainHome)
	end := slices.Equal(r.End, []engine.EndRule{engine.EndRuleSideEmpty}) && r.EndAtMost < 0 &&
		(r.Remaining == engine.RemainingOwn || r.Remaining == engine.RemainingEmptier)
	if !(board && lift && sow && capture && turn && end) {
		return nil
	}
	k := &kalah{
		pits: r.Pits, cross: r.Capture == engine.CaptureCross, crossOwn: r.CrossOwn, crossEmpty: r.CrossEmpty,
		emptier: r.Remaining == engine.RemainingEmptier, again: slices.Contains(r.Again, engine.AgainStore),
	}
	for pit := range k.pits {
		for seeds := 1; seeds <= maxKalahSeeds; seeds++ {
			k.sowing[pit][seeds] = k.sow(pit, seeds)
		}
	}
	return k
}

// sow sows seed by seed.
func (k *kalah) sow(pit, seeds int) sowing {
	s := sowing{own: -uint64(seeds) << (8 * pit)}
	at := pit
	for range seeds {
		switch at = (at + 1) % (2*k.pits + 1); {
		case at < k.pits:
			s.own += 1 << (8 * at)
		case at == k.pits:
			s.gain++
		default:
			s.other += 1 << (8 * (at - k.pits - 1))
		}
	}
	s.last = uint8(at)
	return s
}

// play makes m the move of a pit that holds seeds, on a board of so many.
func (k *kalah) play(m *kalahMove, own, other uint64, left, pit int) {
	s := &k.sowing[pit][own>>(8*pit)&255]
	m.own, m.other, m.gain, m.pit = own+s.own, other+s.other, int(s.gain), uint8(pit)
	m.again, m.over = false, false
	last := int(s.last)
	switch {
	case last == k.pits:
		m.again = k.again
	case last < k.pits && k.cross && m.own>>(8*last)&255 == 1:
		facing := 8 * (k.pits - 1 - last)
		taken := m.other >> facing & 255
		m.other -= taken << facing
		m.gain += int(taken)
		if taken > 0 && k.crossOwn || k.crossEmpty {
			m.own -= 1 << (8 * last)
			m.gain++
		}
	}
	switch {
	case m.own == 0 && !k.emptier:
		m.gain, m.over = m.gain-(left-m.gain), true // the rest is the opponent's
	case m.own == 0 || m.other == 0:
		m.gain, m.over = left, true
	}
}
