package engine

import "math/bits"

// End is the reason why a game is over, as a stable code (RULES.md §7.8).
type End string

const (
	EndGrandSlam  End = "grand-slam"
	EndBoardEmpty End = "board-empty"
	EndFewLeft    End = "few-left"
	EndLoneSeed   End = "lone-seed"
	EndMajority   End = "majority"
	EndSideEmpty  End = "side-empty"
	EndRowEmpty   End = "row-empty"
	EndSideAtMost End = "side-at-most"
	EndRepetition End = "repetition"
	EndNoProgress End = "no-progress"
	EndStuck      End = "stuck"
	EndAllStuck   End = "all-stuck"
)

// ends lists all reasons in the order of RULES.md §7.8.
var ends = []End{
	EndGrandSlam, EndBoardEmpty, EndFewLeft, EndLoneSeed, EndMajority, EndSideEmpty, EndRowEmpty, EndSideAtMost,
	EndRepetition, EndNoProgress, EndStuck, EndAllStuck,
}

// noMover stands for the mover when no ply emptied a side: a position was read, a
// lay-out was answered, or a seat passed. remaining emptier then shares as own does.
// The other reading is that the seat to move counts as the mover.
const noMover = -1

// end applies the end rules in the order of RULES.md §7.8 to a position whose seat to
// move has been decided. mover is the side that has just played, or noMover.
func (g *Game) end(p *Position, h *History, mover int, t *Trace) {
	set := g.occupied(p)
	board := set & g.allPits
	switch {
	case board == 0:
		p.over(EndBoardEmpty, t)
	case g.endTotal > 0 && g.onBoard(p) <= g.endTotal:
		g.share(p, g.rules.Remaining, mover, t)
		p.over(EndFewLeft, t)
	case g.endLone && board&(board-1) == 0 && p.Slots[bits.TrailingZeros64(board)] == 1:
		g.share(p, RemainingOwn, noMover, t)
		p.over(EndLoneSeed, t)
	case g.endMajority && g.majority(p):
		g.share(p, g.rules.Remaining, mover, t)
		p.over(EndMajority, t)
	case g.endSideEmpty && g.sideEmpty(board):
		g.shareOfLoser(p, bits.TrailingZeros64(board)/g.row^1, mover, t)
		p.over(EndSideEmpty, t)
	case g.endRowEmpty && g.rowEmpty(board):
		g.shareOfLoser(p, g.ownerOfEmptyRow(p, board, mover), mover, t)
		p.over(EndRowEmpty, t)
	case g.endAtMost >= 0 && g.sideAtMost(p):
		g.share(p, g.rules.Remaining, mover, t)
		p.over(EndSideAtMost, t)
	case h != nil && g.canRepeat && h.add(g, p) >= int(g.repetition):
		g.share(p, g.rules.CycleRemaining, mover, t)
		p.over(EndRepetition, t)
	case g.noProgress > 0 && p.Clock >= g.noProgress:
		g.share(p, g.rules.CycleRemaining, mover, t)
		p.over(EndNoProgress, t)
	default:
		g.endStuck(p, set, mover, t)
	}
}

// endStuck ends the game if the seat on turn has no move. With stuck pass it ends the
// game only if no seat has a move. A seat that has left a game of four passes, and
// does not end the game (RULES.md §7.9).
func (g *Game) endStuck(p *Position, set uint64, mover int, t *Trace) {
	if g.canMove(p, set) {
		return
	}
	if g.rules.Stuck == StuckEnd && p.Out>>p.Seat&1 == 0 {
		g.shareOfLoser(p, g.Side(p.Seat), mover, t)
		p.over(EndStuck, t)
		return
	}
	other := *p
	for s := range Seat(g.seats) {
		if other.Seat = s; s != p.Seat && g.canMove(&other, set) {
			return
		}
	}
	g.share(p, g.rules.Remaining, mover, t)
	p.over(EndAllStuck, t)
}

// over ends the game and removes the marks that an end position does not show.
func (p *Position) over(why End, t *Trace) {
	p.Phase = Over
	p.End = why
	if before := p.Marks; before != (Marks{}) {
		p.Marks.atEnd(&p.Slots)
		t.marksGone(before, p.Marks)
	}
}

func (g *Game) sideEmpty(board uint64) bool {
	for side := range g.sides {
		if board&g.sidePits[side] == 0 {
			return true
		}
	}
	return false
}

func (g *Game) sideAtMost(p *Position) bool {
	for side := range g.sides {
		if g.onSide(p, side) <= g.endAtMost {
			return true
		}
	}
	return false
}

// majority reports whether a side has won more than half of all seeds, stores
// included.
func (g *Game) majority(p *Position) bool {
	total, most := 0, 0
	for slot := range g.pits + g.sides {
		total += int(p.Slots[slot])
	}
	for side := range g.sides {
		most = max(most, int(p.Slots[g.pits+side]))
	}
	return 2*most > total
}

// onSide returns the number of seeds on a side.
func (g *Game) onSide(p *Position, side int) int {
	n := 0
	for _, seeds := range p.Slots[side*g.row : (side+1)*g.row] {
		n += int(seeds)
	}
	return n
}

// onBoard returns the number of seeds on the board.
func (g *Game) onBoard(p *Position) int {
	n := 0
	for _, seeds := range p.Slots[:g.pits] {
		n += int(seeds)
	}
	return n
}

// shareOfLoser is share after an end that one side has caused. With remaining rival the
// other of two sides wins everything.
func (g *Game) shareOfLoser(p *Position, loser, mover int, t *Trace) {
	if g.rules.Remaining == RemainingRival {
		g.giveAll(p, 1-loser, t)
		g.giveHand(p, loser, t)
		return
	}
	g.share(p, g.rules.Remaining, mover, t)
}

// share awards the seeds left on the board (RULES.md §7.4). With remaining nobody
// they stay where they are; otherwise the pits are emptied.
func (g *Game) share(p *Position, how Remaining, mover int, t *Trace) {
	if how == RemainingNobody {
		return
	}
	quota, to := 0, -1 // quota is each side's part of a split; to is the side that gets everything
	switch {
	case how == RemainingSplit:
		for side := range g.sides {
			quota += g.onSide(p, side)
		}
		quota /= g.sides
	case how == RemainingEmptier && mover != noMover && g.onSide(p, mover) == 0:
		// RULES.md §4 asks only for the mover's side to be empty, even by the mover's
		// own capture. The other reading, of RULES.md §7.4, is that each side then
		// keeps its own seeds.
		to = mover
	}
	given, receiver := 0, 0
	for slot := range g.pits {
		for p.Slots[slot] > 0 {
			n, store := int(p.Slots[slot]), g.pits+int(g.sideOf[slot])
			switch {
			case to >= 0:
				store = g.pits + to
			case how == RemainingSplit:
				if given == quota {
					receiver, given = receiver+1, 0
				}
				if receiver < g.sides && quota > 0 {
					n, store = min(n, quota-given), g.pits+receiver
					given += n
				} else {
					store = NoSlot
				}
			}
			g.sweep(p, slot, n, store, t)
		}
	}
}

func (g *Game) sweep(p *Position, slot, n, store int, t *Trace) {
	p.Slots[slot] -= uint8(n)
	if store != NoSlot {
		p.Slots[store] += uint8(n)
	}
	t.add(EventSweep, uint8(slot), uint8(n), uint8(store))
}

// giveAll gives every seed on the board to one side.
func (g *Game) giveAll(p *Position, side int, t *Trace) {
	for slot := range g.pits {
		if n := int(p.Slots[slot]); n > 0 {
			g.sweep(p, slot, n, g.pits+side, t)
		}
	}
}
