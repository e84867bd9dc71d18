package engine

// Play makes move m in p. If the rules forbid m, it returns a [*MoveError] and leaves
// p, h and t unchanged. h, if not nil, remembers the positions of this game, so that
// repetition is found. t, if not nil, receives every lift, drop and capture in order.
// Without a trace Play does not allocate, except for a lay-out and when h grows.
func (g *Game) Play(p *Position, h *History, m Move, t *Trace) error {
	if p.Phase != Play {
		return g.prepare(p, h, m, t)
	}
	side := g.Side(p.Seat)
	if !g.obvious(p, side, m) {
		occupied := g.occupied(p)
		set, _ := g.candidates(p, occupied)
		switch {
		case m == Move{Kind: MovePass} && !g.canMove(p, occupied):
			h.begin(g, p)
			if g.blocks {
				g.threaten(p, side, false, t)
			}
			g.finishPly(p, h, noMover, false, false, t)
			return nil
		case !set.Has(m) || g.rightmost && !g.legal(p, occupied, false).Has(m):
			return g.refuse(p, m)
		case m.Kind == MoveGift:
			h.begin(g, p)
			g.give(p, side, m, t)
			g.finishPly(p, h, side, false, false, t)
			return nil
		}
	}
	occupied := uint64(0)
	if g.feedMust {
		occupied = g.occupied(p)
	}
	doubt := g.doubts(side, occupied)
	if doubt == (doubts{}) {
		return g.play(p, h, side, m, t)
	}
	before, mark := *p, t.mark()
	done, why := g.lift(p, side, m, doubt.feeding, t)
	if why != "" {
		*p = before
		t.cut(mark)
		return g.refuse(p, m)
	}
	h.begin(g, &before)
	g.finishLift(p, h, side, done, t)
	return nil
}

// play makes a lift that is known to be legal.
func (g *Game) play(p *Position, h *History, side int, m Move, t *Trace) error {
	h.begin(g, p)
	done, _ := g.lift(p, side, m, false, t)
	g.finishLift(p, h, side, done, t)
	return nil
}

// obvious reports whether m is a candidate whatever lies in the other pits.
func (g *Game) obvious(p *Position, side int, m Move) bool {
	return g.anyPit && p.Out == 0 && m.plain(g.choice) && int(m.Pit) < g.row &&
		p.Slots[side*g.row+int(m.Pit)] >= g.minLift
}

// lifted is the part of a lift that the rules of the turn need.
type lifted struct {
	won   bool  // at least one seed was sown into the store or captured
	again bool  // the same seat has another ply
	slam  bool  // the lift was a grand slam after which the opponent keeps the rest
	must  uint8 // as must.outcome
}

// lift sows and captures (RULES.md §3, steps 1 to 3). If the move turns out illegal,
// it returns the reason and p must be discarded. feeding is set if the opponent must
// get seeds.
func (g *Game) lift(p *Position, side int, m Move, feeding bool, t *Trace) (lifted, Reason) {
	store := g.pits + side
	before := p.Slots[store]
	s := g.sowing(side, m)
	if g.odd {
		g.oddSowing(p, &s, m)
	}
	if g.recordsSown {
		s.sown = new([maxWords]uint64)
	}
	g.sow(&p.Slots, &s, t)
	if s.fate >= fateEndless {
		return lifted{}, illegal[s.fate-fateEndless]
	}
	captured, slam, forbidden := g.capture(p, &s, t)
	if forbidden {
		return lifted{}, GrandSlammed
	}
	// The captures come first: the duty to feed is about the pits after them
	// (RULES.md §8.6).
	if feeding && g.occupied(p)&g.sidePits[1-side] == 0 {
		return lifted{}, MustFeed
	}
	done := lifted{
		won: p.Slots[store] != before || s.fresh,
		again: g.againStore && s.fate == fateStore ||
			g.againCapture && captured > 0 || // winning only the capturing seed (cross_empty) counts as a capture
			g.againHome && g.home(&s),
		slam: slam,
	}
	if g.mustCapture {
		p.Marks.House = s.must.houses
	}
	if g.mustCapture || g.endRowEmpty {
		done.must = s.must.outcome()
	}
	return done, ""
}

// finishLift ends a ply in which a pit was lifted.
func (g *Game) finishLift(p *Position, h *History, side int, done lifted, t *Trace) {
	if done.slam {
		g.giveAll(p, 1-side, t)
	}
	if done.must > 0 || g.blocks {
		g.finishMust(p, side, done.must, t)
	}
	g.finishPly(p, h, side, done.again, done.won, t)
	if done.slam {
		p.over(EndGrandSlam, t)
	}
}

// give puts one seed into the opponent's pit a (feed give). A gift never gives another
// ply. Every ply asks whether a gift is due, extra plies too (RULES.md §8.10).
func (g *Game) give(p *Position, side int, m Move, t *Trace) {
	from, to := uint8(side*g.row)+m.Pit, uint8((1-side)*g.row)
	p.Slots[from]--
	p.Slots[to]++
	t.add(EventGift, from, 1, to)
}

// finishPly decides the seat to move and applies the end rules (RULES.md §3, step 4).
func (g *Game) finishPly(p *Position, h *History, mover int, again, won bool, t *Trace) {
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
