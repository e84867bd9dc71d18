package engine

import "math/bits"

// Legal is the set of moves that the seat on turn may make: those that [Game.Play]
// accepts. It is empty when the game is over, and for a lay-out, since it would
// be endless.
func (g *Game) Legal(p *Position) Moves {
	switch p.Phase {
	case Over, Setup:
		return 0
	case Swapping:
		return sidesFlag | 3
	}
	occupied := g.occupied(p)
	if set := g.plainMoves(p, occupied); set != 0 {
		return set
	}
	set := g.legal(p, occupied, false)
	if set&moveBits == 0 {
		return passFlag | 1
	}
	return set
}

// LegalMoves appends the legal moves to dst, pit by pit.
func (g *Game) LegalMoves(p *Position, dst []Move) []Move { return g.Legal(p).Append(dst) }

// canMove says whether the seat on turn has any move but to pass. occupied is
// the set of slots with seeds.
func (g *Game) canMove(p *Position, occupied uint64) bool {
	return g.plainMoves(p, occupied) != 0 || g.legal(p, occupied, true)&moveBits != 0
}

// plainMoves are the legal moves of the many games in which every own pit with
// seeds may be lifted; none in others.
func (g *Game) plainMoves(p *Position, occupied uint64) Moves {
	if !g.plain || p.Out != 0 {
		return 0
	}
	return Moves(occupied >> (g.Side(p.Seat) * g.row) & g.sidePits[0])
}

// legal are the moves of the seat on turn, without a pass; with enough, at least
// one of them if there is any.
func (g *Game) legal(p *Position, occupied uint64, enough bool) Moves {
	set := g.candidates(p, occupied)
	feeding := g.mustFeed(g.Side(p.Seat), occupied)
	if set&moveBits == 0 || set&giftFlag != 0 || !(g.risky || feeding || g.rightmost) {
		return set
	}
	return g.proven(p, set, feeding, enough)
}

// candidates are the moves that look legal before they are tried: what lift,
// feed give and direction say.
func (g *Game) candidates(p *Position, occupied uint64) Moves {
	if p.Out>>p.Seat&1 != 0 {
		return 0 // who has left a game of four passes (§7.9)
	}
	side := g.Side(p.Seat)
	shift := side * g.row
	row := occupied & g.sidePits[side] >> shift
	if g.feedGive && occupied&g.sidePits[1-side] == 0 {
		if two := g.plural(p, side) & g.sidePits[side] >> shift; two != 0 {
			if g.rightmost {
				two = 1 << (bits.Len64(two) - 1)
			}
			return Moves(two) | giftFlag
		}
	}
	single := false
	if g.liftTwo {
		two := g.plural(p, side) & g.sidePits[side] >> shift
		// Only seeds are counted: pits of two or more that are all endless to sow
		// do not set the singles free (§8.8).
		single = two == 0 && g.singles
		if !single {
			row = two
		}
	}
	ccw, cw := row, row
	if single {
		ccw, cw = g.unblocked(p, side, 0, row), g.unblocked(p, side, 1, row)
	}
	switch {
	case g.choice:
		return Moves(ccw) | Moves(cw)<<cwShift | choiceFlag
	case g.cw:
		return Moves(cw)
	}
	return Moves(ccw)
}

// unblocked are those of the single seeds in row whose next slot in sowing
// direction is empty. One's own store counts as empty, whatever it holds (§3).
func (g *Game) unblocked(p *Position, side int, cw uint8, row uint64) uint64 {
	track := g.tracks[side][cw]
	for rest := row; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest)
		next := track.slots[track.index[side*g.row+i]+1]
		if int(next) < g.pits && p.Slots[next] > 0 {
			row &^= 1 << i
		}
	}
	return row
}

// proven tries the candidates, which may turn out illegal (an endless sowing, a
// duty to feed, a forbidden grand slam), and keeps the legal ones; with enough,
// at least one. With start rightmost it keeps those of the rightmost pit that
// has any: the rightmost of all legal pits, not the rightmost pit if it is legal
// (§7.5 says so of endless sowings; of the others it is a reading).
func (g *Game) proven(p *Position, set Moves, feeding, enough bool) Moves {
	side := g.Side(p.Seat)
	all := set & moveBits
	set &^= moveBits
	if enough {
		for rest := all; rest != 0; rest &= rest - 1 {
			if g.safe(p, side, set.move(bits.TrailingZeros64(uint64(rest))), feeding) {
				return set | rest&-rest
			}
		}
	}
	for all != 0 {
		bit := bits.TrailingZeros64(uint64(all))
		if g.rightmost {
			bit = rightmostBit(all)
		}
		all &^= 1 << bit
		if !g.playable(p, side, set.move(bit), feeding) {
			continue
		}
		set |= 1 << bit
		if enough {
			break
		}
		if g.rightmost {
			all &= 1 << (bit % cwShift) << cwShift // the other direction of the same pit
		}
	}
	return set
}

// rightmostBit is the move from the pit furthest to the right, ccw before cw.
func rightmostBit(all Moves) int {
	ccw, cw := uint64(all)&(1<<cwShift-1), uint64(all)>>cwShift
	pit := bits.Len64(ccw|cw) - 1
	if ccw>>pit&1 == 0 {
		pit += cwShift
	}
	return pit
}

// playable says whether the rules allow a candidate.
func (g *Game) playable(p *Position, side int, m Move, feeding bool) bool {
	if g.safe(p, side, m, feeding) {
		return true
	}
	if !feeding && !g.slamForbidden { // then only its laps can be at fault
		slots, s := p.Slots, g.sowing(side, m)
		g.sow(&slots, &s, nil)
		return s.fate != fateEndless
	}
	q := *p
	_, why := g.lift(&q, side, m, feeding, nil)
	return why == ""
}

// safe says whether a candidate is known to be legal without trying it.
func (g *Game) safe(p *Position, side int, m Move, feeding bool) bool {
	return !feeding && (!g.risky || !g.slamForbidden && g.endsAtOnce(p, side, m))
}

// endsAtOnce says whether a sowing ends with its first lap, in the own store or an
// empty pit; such a lap need not be played to know that it is not endless.
func (g *Game) endsAtOnce(p *Position, side int, m Move) bool {
	track := g.tracks[side][g.way(m)]
	from := side*g.row + int(m.Pit)
	seeds := int(p.Slots[from])
	if seeds >= track.round {
		return false // the last pit may have been sown before, in this lap
	}
	last := track.slots[int(track.index[from])+seeds]
	return int(last) >= g.pits || p.Slots[last] == 0
}

// mustFeed says whether the opponent's side is empty and must get seeds (§8.6).
func (g *Game) mustFeed(side int, occupied uint64) bool {
	return g.feedMust && occupied&g.sidePits[1-side] == 0
}
