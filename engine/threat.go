package engine

import "math/bits"

// threaten removes and sets the block after a ply of a side (RULES.md §7.16).
func (g *Game) threaten(p *Position, side int, blank bool, t *Trace) {
	if at := p.Marks.Blocked; at != 0 && g.sidePits[side]>>(at-1)&1 == 0 {
		p.Marks.Blocked = 0
		t.add(EventUnblock, at-1, 0, 0)
	}
	if !blank || g.rules.Reserve > 0 && p.Slots[g.pits]|p.Slots[g.pits+1] != 0 {
		return
	}
	old := p.Marks.Blocked
	p.Marks.Blocked = 0
	slot, ok := g.threatened(p, side)
	if p.Marks.Blocked = old; !ok {
		return
	}
	if old != 0 {
		t.add(EventUnblock, old-1, 0, 0)
	}
	p.Marks.Blocked = slot + 1
	t.add(EventBlock, slot, 0, 0)
}

// threatened returns the opponent's pit that every capture of a side would take first, if that blocks it.
func (g *Game) threatened(p *Position, side int) (slot uint8, ok bool) {
	if answers, _ := g.threats(p, 1-side, ^uint64(0)); answers != 0 {
		return 0, false
	}
	_, taken := g.threats(p, side, ^uint64(0))
	if bits.OnesCount64(taken) != 1 {
		return 0, false
	}
	slot = uint8(bits.TrailingZeros64(taken))
	inner := g.crossPits[1-side]
	switch {
	case p.Marks.House[1-side] == slot+1 && p.Slots[slot] >= inForce,
		g.seedsIn(&p.Slots)&inner == taken,
		g.plural(p, 1-side)&inner == taken:
		return 0, false
	}
	return slot, true
}

// ownerOfEmptyRow returns the side that loses because its inner row is empty. If both are, the mover wins;
// on a position that was read, the opponent of the seat on turn.
func (g *Game) ownerOfEmptyRow(p *Position, board uint64, mover int) int {
	switch {
	case board&g.crossPits[0] != 0:
		return 1
	case board&g.crossPits[1] != 0:
		return 0
	case mover == noMover:
		return g.Side(p.Seat)
	}
	return 1 - mover
}

// finishMust ends the game after a ply with an outcome ([must.outcome]) in which a row became empty, and
// otherwise removes and sets the block.
func (g *Game) finishMust(p *Position, side int, outcome uint8, t *Trace) {
	switch {
	case outcome > 1:
		g.loseRow(p, int(outcome)-2, side, t)
	case g.blocks:
		g.threaten(p, side, outcome == 1, t)
	}
}

// loseRow ends the game in the middle of a turn.
func (g *Game) loseRow(p *Position, loser, mover int, t *Trace) {
	g.shareOfLoser(p, loser, mover, t)
	p.over(EndRowEmpty, t)
}

// giveHand gives the seeds in a side's hand to the other side.
func (g *Game) giveHand(p *Position, side int, t *Trace) {
	if n := p.Slots[g.pits+side]; g.rules.Reserve > 0 && n > 0 {
		g.sweep(p, g.pits+side, int(n), g.pits+1-side, t)
	}
}
