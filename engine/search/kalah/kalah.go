// Package kalah searches games of the Kalah family on boards of two machine words: it
// proves the value of a position, or looks ahead within a budget.
//
// Package search decides when to use it, and holds everything that concerns other games.
// This package may not import package search. Files:
//
//	kalah.go      the rules of the family, and moves on two words
//	solve.go      proofs: MTD(f) with a table of bounds
//	answer.go     what a proof says about a position: line, value of every move
//	lookahead.go  alpha-beta to a depth, with estimates
//	table.go      the transposition tables of both
//	endgames.go   exact values of all boards with few seeds
package kalah

import (
	"slices"

	"mancala/engine"
	"mancala/engine/search/internal/value"
)

// Solver searches one rule set of the Kalah family: two rows of at most six pits, sown
// counter-clockwise and into the own store, without relays; the game ends when a side is
// empty. Such a game never comes back to a position.
//
// A board is two words, the pits of the mover and those of the opponent, with one byte
// for each pit. The stores are left out. The value of a board is the margin from now on:
// the seeds that the mover will still win minus those that the opponent will win. The
// stores do not change it. A board is always seen from the mover, so both seats share the
// tables.
//
// Every seed left ends in a store, so all values of a board have the parity of its seeds:
// only half of the values are possible.
type Solver struct {
	pits       int
	crossOwn   bool // options of RULES.md §4
	cross      bool
	crossEmpty bool
	emptier    bool
	again      bool

	sowing   [maxPits][MaxSeeds + 1]sowing
	proofs   *table // bounds on values; made when it is needed first
	endgames *endgames

	lookahead    *table // values found by looking ahead
	generation   uint8  // the search that writes into lookahead
	ownSeedWorth int32  // the worth of a seed on one's own side, in the evaluation
	lines        []line // best play from each ply of the look-ahead

	nodes     uint64
	limit     uint64 // nodes at which the budget is asked at the latest; 0: no limit
	nextCheck uint64 // nodes at which the budget is asked again
	spent     func(nodes uint64) bool
	stopped   bool
}

const (
	maxPits = 6

	// MaxSeeds is the largest number of seeds on a board: a value fits a signed byte.
	MaxSeeds = 120

	// MaxQuiet is the largest number of plies in a row that win no seed. Such a ply lifts
	// at most as many seeds as there are own pits ahead, and the last pit has none ahead.
	// So pit a can be lifted once in this way, pit b once and once again after a has sown
	// into it, and each further pit twice as often as the one before it: 31 times a side.
	MaxQuiet = 62
)

// infinite is greater than any value of a board, in seeds and in parts of a seed.
const infinite = value.Infinite

// sowing is what lifting a number of seeds from a pit adds to the board.
type sowing struct {
	own, other uint64
	gain       uint8 // seeds into the store
	last       uint8 // where the last one falls: own pits from 0, the store, the opponent's pits
}

// move is a move and the board after it, as the mover sees it.
type move struct {
	own, other uint64
	gain       int // seeds into the store
	again      bool
	over       bool // the game is over, and gain is the value of the board before the move
	pit        uint8
	order      int
}

// line is the best play that was found from a ply of the search.
type line []engine.Move

// New returns nil if the rules are not of the family.
func New(r engine.Rules) *Solver {
	board := r.Sides == 2 && r.Partners == 1 && r.Rows == 1 && r.Pits <= maxPits && r.Opening == engine.OpeningFixed
	lift := r.Direction == engine.DirectionCCW && r.Start == engine.StartAny && r.Lift == engine.LiftAny
	sow := r.Store && !r.SkipOrigin && r.Relay == engine.RelayNone && !r.KeepFirst && len(r.SowCounts) == 0
	capture := (r.Capture == engine.CaptureNone || r.Capture == engine.CaptureCross) && !r.CrossRun && r.CrossNeeds == engine.CrossNeedsNothing && r.Claim == 0
	turn := !slices.Contains(r.Again, engine.AgainCapture) && !slices.Contains(r.Again, engine.AgainHome)
	end := slices.Equal(r.End, []engine.EndRule{engine.EndRuleSideEmpty}) && r.EndAtMost < 0 && r.EndTotal == 0 &&
		(r.Remaining == engine.RemainingOwn || r.Remaining == engine.RemainingEmptier)
	if !(board && lift && sow && capture && turn && end) {
		return nil
	}
	k := &Solver{
		pits: r.Pits, cross: r.Capture == engine.CaptureCross, crossOwn: r.CrossOwn, crossEmpty: r.CrossEmpty,
		emptier: r.Remaining == engine.RemainingEmptier, again: slices.Contains(r.Again, engine.AgainStore),
	}
	for pit := range k.pits {
		for seeds := 1; seeds <= MaxSeeds; seeds++ {
			k.sowing[pit][seeds] = k.sow(pit, seeds)
		}
	}
	return k
}

// sow sows seed by seed.
func (k *Solver) sow(pit, seeds int) sowing {
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

// play sets m to the move of a pit that holds seeds, on a board of left seeds.
func (k *Solver) play(m *move, own, other uint64, left, pit int) {
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

// outOfBudget reports whether the search must stop. It asks the caller rarely.
func (k *Solver) outOfBudget() bool {
	k.nextCheck = k.nodes + 1024
	if k.limit > 0 {
		k.nextCheck = min(k.nextCheck, k.limit)
	}
	k.stopped = k.stopped || k.spent(k.nodes)
	return k.stopped
}

// Nodes returns the number of boards looked at since the search began.
func (k *Solver) Nodes() uint64 { return k.nodes }

// Stopped reports whether the budget ended the search.
func (k *Solver) Stopped() bool { return k.stopped }

// Forget empties the tables.
func (k *Solver) Forget() {
	if k.proofs != nil {
		k.proofs.wipe()
	}
	if k.lookahead != nil {
		k.lookahead.wipe()
		k.generation = 0
	}
	k.endgames = nil
}
