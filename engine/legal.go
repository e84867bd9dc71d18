package engine

import "math/bits"

// Legal returns the moves that the seat on turn may make: those that [Game.Play]
// accepts. The set is empty when the game is over. It is also empty when a lay-out is
// due, because there are too many to list.
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

// canMove reports whether the seat on turn has any move but to pass. occupied is the
// set of pits with seeds.
func (g *Game) canMove(p *Position, occupied uint64) bool {
	return g.plainMoves(p, occupied) != 0 || g.legal(p, occupied, true)&moveBits != 0
}

// plainMoves returns the legal moves of the many games in which every own pit with
// seeds may be lifted. It returns no moves for other games.
func (g *Game) plainMoves(p *Position, occupied uint64) Moves {
	if !g.plain || p.Out != 0 {
		return 0
	}
	return Moves(occupied >> (g.Side(p.Seat) * g.row) & g.sidePits[0])
}

// legal returns the moves of the seat on turn, without a pass. With oneIsEnough it
// may stop after the first legal move.
func (g *Game) legal(p *Position, occupied uint64, oneIsEnough bool) Moves {
	set, singles := g.candidates(p, occupied)
	if set&moveBits == 0 || set&giftFlag != 0 {
		return set
	}
	doubt := g.doubts(g.Side(p.Seat), occupied)
	if singles && !g.relayNext && g.backPits == 0 {
		doubt.endless = false // a single seed falls into an empty pit, so its sowing ends
	}
	if doubt == (doubts{}) && !g.rightmost {
		return set
	}
	return g.verify(p, set, doubt, oneIsEnough)
}

// doubts are the reasons why a candidate may turn out illegal.
type doubts struct {
	endless bool // the sowing may never end (RULES.md §7.5)
	slam    bool // the capture may be a forbidden grand slam (RULES.md §8.6)
	feeding bool // the opponent's side is empty and must get seeds (RULES.md §8.6)
}

func (g *Game) doubts(side int, occupied uint64) doubts {
	return doubts{
		endless: g.laps,
		slam:    g.slamForbidden,
		feeding: g.feedMust && occupied&g.sidePits[1-side] == 0,
	}
}

// candidates returns the moves that lift, feed give and direction allow, before any
// is tried. It returns singles if only single seeds may be lifted.
func (g *Game) candidates(p *Position, occupied uint64) (set Moves, singles bool) {
	if p.Out>>p.Seat&1 != 0 {
		return 0, false // a player who has left a game of four passes (RULES.md §7.9)
	}
	side := g.Side(p.Seat)
	if g.mustCapture {
		return g.capturesOrBlank(p, side), false
	}
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
		// Only the number of seeds counts. Pits of two or more whose sowing is
		// endless do not allow single seeds to be lifted (RULES.md §8.8).
		if singles = two == 0 && g.singles; singles {
			ccw, cw = g.unblocked(side, row, occupied)
		} else {
			ccw, cw = two, two
		}
	}
	switch {
	case g.choice:
		return Moves(ccw) | Moves(cw)<<cwShift | choiceFlag, singles
	case g.backPits != 0 && g.cw:
		return Moves(cw) | Moves(ccw&g.backPits)<<cwShift | backFlag | backCCW, singles
	case g.backPits != 0:
		return Moves(ccw) | Moves(cw&g.backPits)<<cwShift | backFlag | leftFirst, singles
	case g.cw:
		return Moves(cw), singles
	}
	return Moves(ccw), singles
}

// unblocked returns the single seeds in row whose next slot is empty, for each
// direction. The mover's own store counts as empty, whatever it holds (RULES.md §3).
func (g *Game) unblocked(side int, row, occupied uint64) (ccw, cw uint64) {
	pits, first, last := occupied&g.allPits, side*g.row, side*g.row+g.row-1
	right, left := g.tracks[side][0], g.tracks[side][1]
	ahead := row>>1 | pits>>right.slots[right.index[last]+1]&1<<(g.row-1)
	behind := row<<1 | pits>>left.slots[left.index[first]+1]&1
	return row &^ ahead, row &^ behind
}

// verify tries the candidates and keeps the legal ones. A candidate is illegal if its
// sowing is endless, if it does not feed the opponent when it must, or if it is a
// forbidden grand slam. With oneIsEnough it stops after the first legal move.
//
// With start rightmost it keeps the moves of one pit: the rightmost pit that has a legal
// move, and not the rightmost pit with seeds. RULES.md §7.5 states this for endless
// sowings; for the other reasons it is the reading chosen here.
func (g *Game) verify(p *Position, set Moves, doubt doubts, oneIsEnough bool) Moves {
	side := g.Side(p.Seat)
	all := set & moveBits
	set &^= moveBits
	var sure Moves
	if doubt == (doubts{endless: true}) && !g.odd {
		sure = g.surelyEnding(p, side, all, oneIsEnough)
		if !g.rightmost {
			set |= sure
			all &^= sure
			if oneIsEnough && sure != 0 {
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
		if oneIsEnough {
			break
		}
		if g.rightmost {
			all &= 1 << (bit % cwShift) << cwShift // the other direction of the same pit
		}
	}
	return set
}

// rightmostBit returns the move from the pit furthest to the right, ccw before cw.
func rightmostBit(all Moves) int {
	ccw, cw := uint64(all)&(1<<cwShift-1), uint64(all)>>cwShift
	pit := bits.Len64(ccw|cw) - 1
	if ccw>>pit&1 == 0 {
		pit += cwShift
	}
	return pit
}

// playable tries a candidate and reports whether the rules allow it.
func (g *Game) playable(p *Position, side int, m Move, doubt doubts) bool {
	if !doubt.feeding && !doubt.slam { // then only an endless sowing can make it illegal
		slots, s := p.Slots, g.sowing(side, m)
		if g.odd {
			g.oddSowing(p, &s, m)
		}
		g.sow(&slots, &s, nil)
		return s.fate < fateEndless
	}
	q := *p
	_, why := g.lift(&q, side, m, doubt.feeding, nil)
	return why == ""
}

// surelyEnding returns those of the moves whose sowing ends, in the own store or in an
// empty pit, before its laps have gone once round the ring. With oneIsEnough it stops at
// one of them.
//
// Until then every lap falls on slots that no earlier lap has touched. So it is
// enough to look at the slots as they are: the move is known to end, and no seed has
// to be sown. (A capture by count may end the sowing even earlier.)
func (g *Game) surelyEnding(p *Position, side int, moves Moves, oneIsEnough bool) (ending Moves) {
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
			if g.surelyEnds(p, track, side*g.row+pit) {
				ending |= 1 << (pit + shift)
				if oneIsEnough {
					return ending
				}
			}
		}
	}
	return ending
}

func (g *Game) surelyEnds(p *Position, track *track, from int) bool {
	ahead, seeds := 0, int(p.Slots[from])
	ring := track.slots[track.index[from]:]
	for {
		if ahead += seeds; ahead >= track.round {
			// The sowing went at least once round. It surely ends only if the last
			// seed falls into the pit that was lifted, which is empty now.
			return ahead == track.length && track.round == track.length
		}
		last := ring[ahead]
		if int(last) >= g.pits {
			return true
		}
		if seeds = int(p.Slots[last]); seeds == 0 {
			return true
		}
		if g.reverses {
			return false // the next lap goes back over this one
		}
		seeds++
	}
}
