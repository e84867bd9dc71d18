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
	set := g.candidates(p, g.occupied(p))
	if set&moveBits != 0 {
		set = g.proven(p, set, false)
	}
	if set&moveBits == 0 {
		return passFlag | 1
	}
	return set
}

// LegalMoves appends the legal moves to dst, pit by pit.
func (g *Game) LegalMoves(p *Position, dst []Move) []Move { return g.Legal(p).Append(dst) }

// candidates are the moves that look legal before they are played: what lift,
// feed give and direction say. occupied is the set of slots with seeds.
func (g *Game) candidates(p *Position, occupied uint64) Moves {
	if p.Out>>p.Seat&1 != 0 {
		return 0
	}
	side := g.Side(p.Seat)
	shift := side * g.row
	row := occupied & g.sidePits[side] >> shift
	if g.rules.Feed == FeedGive && occupied&g.sidePits[1-side] == 0 {
		if two := g.plural(p) & g.sidePits[side] >> shift; two != 0 {
			if g.rules.Start == StartRightmost {
				two = 1 << (bits.Len64(two) - 1)
			}
			return Moves(two) | giftFlag
		}
	}
	single := false
	if g.rules.Lift != LiftAny {
		two := g.plural(p) & g.sidePits[side] >> shift
		single = two == 0 && g.rules.Lift == LiftTwoFirst
		if !single {
			row = two
		}
	}
	var ccw, cw uint64
	if g.rules.Direction != DirectionCW {
		ccw = row
	}
	if g.rules.Direction != DirectionCCW {
		cw = row
	}
	if single {
		ccw, cw = g.unblocked(p, side, 0, ccw), g.unblocked(p, side, 1, cw)
	}
	switch g.rules.Direction {
	case DirectionCCW:
		return Moves(ccw)
	case DirectionCW:
		return Moves(cw)
	}
	return Moves(ccw) | Moves(cw)<<cwShift | choiceFlag
}

// unblocked are those of the single seeds in row whose next pit in sowing
// direction is empty; one's own store counts as empty.
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

// proven plays the candidates that may turn out illegal (an endless sowing, a
// duty to feed, a forbidden grand slam) and keeps the legal ones; with start
// rightmost those of the rightmost pit that has any. With enough it stops at the
// first.
func (g *Game) proven(p *Position, set Moves, enough bool) Moves {
	if set&giftFlag != 0 {
		return set
	}
	side := g.Side(p.Seat)
	rightmost := g.rules.Start == StartRightmost
	if rightmost || g.relay || g.rules.GrandSlam == GrandSlamForbidden || g.mustFeed(p, side) {
		all := set & moveBits
		set &^= moveBits
		for all != 0 {
			bit := bits.TrailingZeros64(uint64(all))
			if rightmost {
				bit = rightmostBit(all)
			}
			all &^= 1 << bit
			if !g.playable(p, side, set.move(bit)) {
				continue
			}
			set |= 1 << bit
			if rightmost {
				all &= 1 << (bit % cwShift) << cwShift // the other direction of the same pit
			}
			if enough {
				break
			}
		}
	}
	return set
}

// rightmostBit is the move from the pit furthest to the right, ccw before cw.
func rightmostBit(all Moves) int {
	ccw, cw := uint64(all)&(1<<cwShift-1), uint64(all)>>cwShift
	if pit := bits.Len64(ccw|cw) - 1; ccw>>pit&1 == 0 {
		return pit + cwShift
	} else {
		return pit
	}
}

// playable plays a lift on a copy and says whether the rules allow it.
func (g *Game) playable(p *Position, side int, m Move) bool {
	if !g.refusable {
		return true
	}
	q := *p
	return g.lift(&q, side, m, nil, nil) == ""
}

// mustFeed says whether the opponent's side is empty and must get seeds.
func (g *Game) mustFeed(p *Position, side int) bool {
	return g.rules.Feed == FeedMust && g.occupied(p)&g.sidePits[1-side] == 0
}

// canMove says whether the seat on turn has any move but to pass.
func (g *Game) canMove(p *Position, occupied uint64) bool {
	set := g.candidates(p, occupied)
	if set&moveBits == 0 {
		return false
	}
	return !g.refusable || g.proven(p, set, true)&moveBits != 0
}

// Play makes move m in p. It returns a [*MoveError] and leaves p, h and t as they
// were when the rules forbid m. h, if not nil, remembers the positions of this
// game for repetition; without it no repetition is found. t, if not nil, gets
// every lift, drop and capture in order. Without a trace Play does not allocate,
// except for a lay-out and when h grows.
func (g *Game) Play(p *Position, h *History, m Move, t *Trace) error {
	if p.Phase != Play {
		return g.prepare(p, h, m, t)
	}
	if h != nil && g.canRepeat && len(h.seen) == 0 {
		h.add(g, p)
	}
	set := g.candidates(p, g.occupied(p))
	if !set.Has(m) {
		if m != (Move{Kind: MovePass}) || set&moveBits != 0 && g.proven(p, set, true)&moveBits != 0 {
			return g.refuse(p, m)
		}
		g.next(p, h, nobody, false, false, t)
		return nil
	}
	side := g.Side(p.Seat)
	if m.Kind == MoveGift {
		g.give(p, side, m, t)
		g.next(p, h, side, false, false, t)
		return nil
	}
	if g.rules.Start == StartRightmost && !g.proven(p, set, false).Has(m) {
		return g.refuse(p, m)
	}
	var ply ply
	if g.refusable {
		q := *p
		mark := t.mark()
		if why := g.lift(&q, side, m, t, &ply); why != "" {
			t.cut(mark)
			return g.refuse(p, m)
		}
		*p = q
	} else {
		g.lift(p, side, m, t, &ply)
	}
	if ply.slam {
		g.giveAll(p, 1-side, t)
		g.next(p, nil, side, ply.again, ply.won, t)
		p.over(EndGrandSlam)
		return nil
	}
	g.next(p, h, side, ply.again, ply.won, t)
	return nil
}

// ply is what the turn rules must know of a lift.
type ply struct {
	won   bool // some seed
	again bool // another ply for the same seat
	slam  bool // a grand slam after which the opponent keeps the rest
}

// lift sows and captures (§3, steps 1 to 3). If the move turns out illegal it
// returns the reason, and p is not to be used. out may be nil.
func (g *Game) lift(p *Position, side int, m Move, t *Trace, out *ply) Reason {
	feeding := g.mustFeed(p, side)
	store := g.pits + side
	before := p.Slots[store]
	cw := uint8(0)
	if m.Way == CW || m.Way == NoWay && g.rules.Direction == DirectionCW {
		cw = 1
	}
	s := g.sow(p, uint8(side), uint8(side*g.row)+m.Pit, cw, t)
	if s.fate == fateEndless {
		return EndlessSowing
	}
	captured, slam, forbidden := g.capture(p, &s, t)
	if forbidden {
		return GrandSlammed
	}
	if feeding && g.occupied(p)&g.sidePits[1-side] == 0 {
		return MustFeed
	}
	if out != nil {
		out.slam = slam
		out.won = p.Slots[store] != before
		out.again = g.againStore && s.fate == fateStore ||
			g.againCapture && captured > 0 ||
			g.againHome && g.home(&s)
	}
	return ""
}

// give puts one seed into the opponent's a (feed give).
func (g *Game) give(p *Position, side int, m Move, t *Trace) {
	from, to := uint8(side*g.row)+m.Pit, uint8((1-side)*g.row)
	p.Slots[from]--
	p.Slots[to]++
	t.add(EventGift, from, 1, to)
}

// next decides the seat to move and applies the end rules (§3, step 4).
func (g *Game) next(p *Position, h *History, mover int, again, won bool, t *Trace) {
	p.Ply++
	p.Clock++
	if won {
		p.Clock = 0
	}
	if !again {
		if p.Seat++; int(p.Seat) == g.seats {
			p.Seat = 0
		}
	}
	if p.Phase != Over {
		g.end(p, h, mover, t)
	}
}
