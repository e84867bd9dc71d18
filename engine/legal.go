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
// the set of pits with seeds.
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
	set, singles := g.candidates(p, occupied)
	if set&moveBits == 0 || set&giftFlag != 0 {
		return set
	}
	doubt := g.doubts(g.Side(p.Seat), occupied)
	if singles {
		doubt.endless = false // a single seed goes into an empty pit, and ends there
	}
	if doubt == (doubts{}) && !g.rightmost {
		return set
	}
	return g.proven(p, set, doubt, enough)
}

// doubts are the reasons why a candidate may turn out illegal.
type doubts struct {
	endless bool // its sowing may never end (RULES.md §7.5)
	slam    bool // it may be a forbidden grand slam (RULES.md §8.6)
	feeding bool // the opponent's side is empty and must get seeds (RULES.md §8.6)
}

func (g *Game) doubts(side int, occupied uint64) doubts {
	return doubts{
		endless: g.relay,
		slam:    g.slamForbidden,
		feeding: g.feedMust && occupied&g.sidePits[1-side] == 0,
	}
}

// candidates are the moves that look legal before they are tried: what lift,
// feed give and direction say. singles is true if only single seeds may be
// lifted.
func (g *Game) candidates(p *Position, occupied uint64) (set Moves, singles bool) {
	if p.Out>>p.Seat&1 != 0 {
		return 0, false // who has left a game of four passes (RULES.md §7.9)
	}
	side := g.Side(p.Seat)
	shift := side * g.row
	row := occupied & g.sidePits[side] >> shift
	if g.feedGive && occupied&g.sidePits[1-side] == 0 {
		if two := g.plural(p, side) & g.sidePits[side] >> shift; two != 0 {
			if g.rightmost {
				two = 1 << (bits.Len64(two) - 1)
			}
			return Moves(two) | giftFlag, false
		}
	}
	ccw, cw := row, row
	if g.liftTwo {
		two := g.plural(p, side) & g.sidePits[side] >> shift
		// Only seeds are counted: pits of two or more that are all endless to sow
		// do not set the singles free (RULES.md §8.8).
		if singles = two == 0 && g.singles; singles {
			ccw, cw = g.unblocked(side, row, occupied)
		} else {
			ccw, cw = two, two
		}
	}
	switch {
	case g.choice:
		return Moves(ccw) | Moves(cw)<<cwShift | choiceFlag, singles
	case g.cw:
		return Moves(cw), singles
	}
	return Moves(ccw), singles
}

// unblocked are those of the single seeds in row whose next slot is empty, for
// each direction by itself. One's own store counts as empty, whatever it holds
// (RULES.md §3).
func (g *Game) unblocked(side int, row, occupied uint64) (ccw, cw uint64) {
	pits, first, last := occupied&g.allPits, side*g.row, side*g.row+g.row-1
	right, left := g.tracks[side][0], g.tracks[side][1]
	ahead := row>>1 | pits>>right.slots[right.index[last]+1]&1<<(g.row-1)
	behind := row<<1 | pits>>left.slots[left.index[first]+1]&1
	return row &^ ahead, row &^ behind
}

// proven tries the candidates, which may turn out illegal (an endless sowing, a
// duty to feed, a forbidden grand slam), and keeps the legal ones; with enough,
// at least one. With start rightmost it keeps those of the rightmost pit that
// has any: the rightmost of all legal pits, not the rightmost pit if it is legal
// (RULES.md §7.5 says so of endless sowings; of the others it is a reading).
func (g *Game) proven(p *Position, set Moves, doubt doubts, enough bool) Moves {
	side := g.Side(p.Seat)
	all := set & moveBits
	set &^= moveBits
	var sure Moves
	if doubt == (doubts{endless: true}) {
		sure = g.endSoon(p, side, all, enough)
		if !g.rightmost {
			set |= sure
			all &^= sure
			if enough && sure != 0 {
				return set
			}
		}
	}
	for all != 0 {
		bit := bits.TrailingZeros64(uint64(all))
		if g.rightmost {
			bit = rightmostBit(all)
		}
		all &^= 1 << bit
		if sure>>bit&1 == 0 && !g.playable(p, side, set.move(bit), doubt) {
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

// playable tries a candidate and says whether the rules allow it.
func (g *Game) playable(p *Position, side int, m Move, doubt doubts) bool {
	if !doubt.feeding && !doubt.slam { // then only its laps can be at fault
		slots, s := p.Slots, g.sowing(side, m)
		g.sow(&slots, &s, nil)
		return s.fate != fateEndless
	}
	q := *p
	_, why := g.lift(&q, side, m, doubt.feeding, nil)
	return why == ""
}

// endSoon are those of the moves whose sowing ends, in the own store or an empty
// pit, before its laps have come round to where they began; with first, at least
// one of them. Until then every lap falls on slots that no lap before it has
// touched, so that looking at them as they are is enough, and nothing need be
// sown to know that the move is not endless. (A capture by count may end it
// earlier still.)
func (g *Game) endSoon(p *Position, side int, moves Moves, first bool) (soon Moves) {
	for cw, shift := range [...]int{0, cwShift} {
		rest := uint64(moves) >> shift & (1<<cwShift - 1)
		if rest == 0 {
			continue
		}
		track := g.tracks[side][cw]
		if g.cw {
			track = g.tracks[side][1]
		}
		for ; rest != 0; rest &= rest - 1 {
			pit := bits.TrailingZeros64(rest)
			if g.endsSoon(p, track, side*g.row+pit) {
				soon |= 1 << (pit + shift)
				if first {
					return soon
				}
			}
		}
	}
	return soon
}

func (g *Game) endsSoon(p *Position, track *track, from int) bool {
	ahead, seeds := 0, int(p.Slots[from])
	ring := track.slots[track.index[from]:]
	for {
		if ahead += seeds; ahead >= track.round {
			// Just round, and the last seed is in the pit lifted, empty now?
			return ahead == track.length && track.round == track.length
		}
		last := ring[ahead]
		if int(last) >= g.pits {
			return true
		}
		if seeds = int(p.Slots[last]); seeds == 0 {
			return true
		}
		if g.turns {
			return false // the next lap goes back over this one
		}
		seeds++
	}
}
