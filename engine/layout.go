package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// prepare makes the plies before play: the lay-out and the choice of a side (RULES.md §3,
// RULES.md §8.9, RULES.md §8.10).
func (g *Game) prepare(p *Position, h *History, m Move, t *Trace) error {
	switch {
	case p.Phase == Over:
		return g.refuse(p, m)
	case p.Phase == Setup && m == Move{Kind: MoveLayOut, Lay: m.Lay}:
		if why := g.wrongLayout(m.Lay); why != "" {
			return &MoveError{Move: m, Reason: NotALayout, Detail: why}
		}
		for slot := range len(m.Lay) {
			p.Slots[slot] = m.Lay[slot]
			t.add(EventLay, uint8(slot), m.Lay[slot], 0)
		}
		p.Seat ^= 1
		p.Phase = Swapping
		if g.rules.Swap == SwapNone {
			p.Phase = Play
		}
	case p.Phase == Swapping && (m == Move{Kind: MoveKeep} || m == Move{Kind: MoveSwap}):
		if m.Kind == MoveSwap {
			p.turn()
			t.add(EventTurn, 0, 0, 0)
			if g.rules.Swap == SwapLosesFirst {
				p.Seat ^= 1
			}
		}
		p.Phase = Play
	default:
		return g.refuse(p, m)
	}
	p.Ply++
	p.Clock = 0
	// The end rules apply only from play on: a lay-out that leaves a side empty is
	// answered first. The other reading of "after every ply" is that the game is over
	// at once.
	if p.Phase == Play {
		g.end(p, h, noMover, t)
	}
	return nil
}

// turn exchanges the rows of two sides: the board is turned round, and the seats
// stay.
func (p *Position) turn() {
	row := int(p.Shape.Pits)
	for i := range row {
		p.Slots[i], p.Slots[row+i] = p.Slots[row+i], p.Slots[i]
	}
}

// wrongLayout returns what is wrong with a lay-out, or an empty string if it is
// valid.
func (g *Game) wrongLayout(lay string) string {
	if len(lay) != g.pits {
		return fmt.Sprintf("must say the seeds of %d pits on each side", g.row)
	}
	total, even := 0, true
	for slot := range len(lay) {
		total += int(lay[slot])
		even = even && lay[slot] == lay[0]
	}
	if total != g.rules.Total {
		return fmt.Sprintf("has %d seeds instead of %d", total, g.rules.Total)
	}
	if g.rules.Opening == OpeningFree {
		if even {
			return "is even: some pits must differ"
		}
		return ""
	}
	for slot := range len(lay) {
		if i := slot % g.row; (i == 0 || i == g.row-1) && lay[slot] > 0 {
			return "fills a corner pit"
		}
		if (lay[slot] > 0) != (lay[g.opposite[slot]] > 0) {
			return "fills a pit but not the one opposite"
		}
	}
	return ""
}

// refuse returns the error for m, which is not legal in p.
func (g *Game) refuse(p *Position, m Move) *MoveError {
	return &MoveError{Move: m, Reason: g.reason(p, m), Legal: g.LegalMoves(p, nil)}
}

func (g *Game) reason(p *Position, m Move) Reason {
	lift := m.Kind == MoveLift
	switch {
	case p.Phase == Over:
		return GameOver
	case p.Phase != Play || m.Kind >= MoveLayOut:
		return WrongPhase
	case m.Kind == MovePass:
		return NoPass
	case lift && m.Way&SowHouse != 0 && g.housePits == 0:
		return BadMove // there is no house to sow on
	case int(m.Pit) >= g.row:
		return NotYourPit
	case p.Out>>p.Seat&1 != 0:
		return MustPass
	}
	side := g.Side(p.Seat)
	if g.mustCapture && lift {
		return g.mustReason(p, side, m)
	}
	seeds := p.Slots[side*g.row+int(m.Pit)]
	set, _ := g.candidates(p, g.occupied(p))
	switch {
	case seeds == 0:
		return EmptyPit
	case set&giftFlag != 0 && lift:
		return MustGive
	case !lift:
		return NoGift
	case g.rules.Direction == DirectionChoice && m.Way == NoWay:
		return NeedsDirection
	case g.rules.Direction != DirectionChoice && m.Way != NoWay && (m.Way != set.back() || g.backPits>>m.Pit&1 == 0):
		return NoDirection
	case !set.Has(m) && g.rules.Lift == LiftTwoFirst && g.plural(p, side)&g.sidePits[side] == 0:
		return BlockedSingle
	case !set.Has(m):
		return MustLiftTwo
	}
	q := *p
	if _, why := g.lift(&q, side, m, g.doubts(side, g.occupied(p)).feeding, nil); why != "" {
		return why
	}
	return NotRightmost
}

// RandomLayOut returns a lay-out that the rules allow, drawn with random.
func (g *Game) RandomLayOut(random *rand.Rand) Move {
	r := g.rules
	row := r.PitsPerSide()
	pits := make([]int, 2*row)
	left := r.Total
	if r.Opening == OpeningPaired {
		inner := random.Perm(row - 2)[:1+random.IntN(min(row-2, left/2))]
		for _, i := range inner {
			pits[1+i], pits[2*row-2-i] = 1, 1 // a pit and the pit opposite
			left -= 2
		}
		for ; left > 0; left-- {
			i := 1 + inner[random.IntN(len(inner))]
			if random.IntN(2) == 0 {
				i = 2*row - 1 - i
			}
			pits[i]++
		}
		return LayOut(pits)
	}
	for ; left > 0; left-- {
		pits[random.IntN(len(pits))]++
	}
	if !slices.ContainsFunc(pits, func(n int) bool { return n != pits[0] }) {
		pits[0], pits[1] = pits[0]-1, pits[1]+1 // an even lay-out is not allowed
	}
	return LayOut(pits)
}
