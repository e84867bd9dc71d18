package search

import (
	"slices"

	"mancala/engine"
)

// An evaluator estimates the value of a position without looking ahead: the seeds
// won, and a little for the seeds on one's own side, which one can move and will
// often keep.
type evaluator struct {
	Weights
	sides, row, pits int
	inHand           bool // until the game is over, the stores hold the seeds in hand
	keeps            bool // captured seeds stay on the board
	least            uint8
	depth            engine.CrossDepth
}

// Weights are the worths of what an evaluator sees in a position, in sixteenths of a seed. "mancala tune"
// compares others with them by self-play. The solver of the Kalah family has weights of its own.
type Weights struct {
	Own     int32 // a seed on one's own side, or in hand
	Claim   int32 // a claimed pit, for each seed on the board
	Hand    int32 // a seed in hand, beside Own
	Exposed int32 // a seed that a capture across would take
	Inner   int32 // an inner pit that can be lifted
}

// A Feature is a weight and its name.
type Feature struct {
	Name   string
	Weight *int32
}

// Features returns the weights that count in games by these rules.
func (w *Weights) Features(r engine.Rules) []Feature {
	list := []Feature{{"own", &w.Own}}
	if r.Claim > 0 {
		list = append(list, Feature{"claim", &w.Claim})
	}
	if r.Captured != engine.CapturedWon {
		list = append(list, Feature{"exposed", &w.Exposed}, Feature{"inner", &w.Inner})
	}
	if r.Reserve > 0 {
		list = append(list, Feature{"hand", &w.Hand})
	}
	return list
}

// WeightsOf returns the weights that a new [Searcher] has.
func WeightsOf(r engine.Rules) Weights {
	w := Weights{Own: 2}
	switch {
	case r.Rows == 2 || r.Sides == 4:
		w.Own = seed / 2 // a seed still on the board is a seed that was not captured
	case r.Store && r.Remaining != engine.RemainingNobody:
		w.Own = 3
	}
	if r.Claim > 0 {
		// In Toguz kumalak half of it plays better than none (0.86 ± 0.07 with 6,000 positions for each
		// move), it plays better than half of it (0.72 ± 0.08 with 3,000), and more does not.
		w.Claim = 4
	}
	// Where captured seeds stay on the board, "mancala tune NAME --nodes 500 --openings 150" found these. The
	// games that compare them with Own alone began from openings that the tuning had not seen.
	switch {
	case r.Reserve > 0:
		// In Bao they win 21 of 22 games with 500 positions for each move, and 46 of 68 with 3,000.
		w.Hand, w.Exposed, w.Inner = 8, -4, -4
	case r.Captured != engine.CapturedWon && slices.Contains(r.End, engine.EndRuleRowEmpty):
		// In bao-kujifunza they win 0.58 ± 0.06 of the points with 500 positions for each move, and
		// 0.63 ± 0.08 with 3,000. In Hus and Omweso no change of a weight was better than Own alone.
		w.Own, w.Exposed, w.Inner = 6, -4, 1
	}
	return w
}

func newEvaluator(r engine.Rules) evaluator {
	e := evaluator{
		Weights: WeightsOf(r), sides: r.Sides, row: r.PitsPerSide(), pits: r.Sides * r.PitsPerSide(),
		inHand: r.Reserve > 0, keeps: r.Captured != engine.CapturedWon, least: 1, depth: r.CrossDepth,
	}
	if r.Lift != engine.LiftAny {
		e.least = 2
	}
	return e
}

// margin returns the seeds that a team has won minus those of the other team. With
// four sides, team 0 is the side me, and the other team counts as the best of its
// sides.
func (e *evaluator) margin(p *engine.Position, team, me int) int32 {
	if e.inHand && p.Phase != engine.Over {
		return 0
	}
	stores := p.Slots[e.pits : e.pits+e.sides]
	m := int32(0)
	if e.sides == 2 {
		m = int32(stores[0]) - int32(stores[1])
	} else {
		best := int32(0)
		for side, n := range stores {
			if side != me {
				best = max(best, int32(n))
			}
		}
		m = int32(stores[me]) - best
	}
	if team == 1 {
		m = -m
	}
	return m * seed
}

// value returns an estimate of p for a team.
func (e *evaluator) value(p *engine.Position, team, me int) int32 {
	sown := int32(0) // seeds on the side of team 0 minus those of the others
	for side := range e.sides {
		n := int32(0)
		for _, k := range p.Slots[side*e.row : (side+1)*e.row] {
			n += int32(k)
		}
		if e.inHand && p.Phase != engine.Over {
			n += int32(p.Slots[e.pits+side])
		}
		switch {
		case e.sides == 2 && side == 0 || e.sides == 4 && side == me:
			sown += n * int32(e.sides-1)
		default:
			sown -= n
		}
	}
	sown = sown * e.Own / int32(e.sides-1)
	if team == 1 {
		sown = -sown
	}
	if e.Claim > 0 {
		sown += e.claims(p, team)
	}
	if e.keeps {
		sown += e.hold(p, team) - e.hold(p, 1-team)
	}
	return e.margin(p, team, me) + sown
}

// claims returns what the pits that a team has claimed are worth to it, less those of the other
// team. Part of the seeds that are still on the board will fall into them.
func (e *evaluator) claims(p *engine.Position, team int) int32 {
	board, claims := int32(0), int32(0)
	for _, n := range p.Slots[:e.pits] {
		board += int32(n)
	}
	if p.Marks.Claimed[1-team] > 0 {
		claims++
	}
	if p.Marks.Claimed[team] > 0 {
		claims--
	}
	return claims * board * e.Claim
}

// hold returns what the position of a side's seeds is worth to it where captured seeds stay on the board:
// those that a capture across would take, the inner pits that it can lift, its hand.
func (e *evaluator) hold(p *engine.Position, side int) int32 {
	pits := p.Slots[side*e.row : (side+1)*e.row]
	outer, inner := pits[:e.row/2], pits[e.row/2:]
	exposed, lifts := int32(0), int32(0)
	for i, n := range inner {
		if n == 0 {
			continue
		}
		if n >= e.least {
			lifts++
		}
		behind := outer[len(outer)-1-i]
		switch {
		case e.depth == engine.CrossDepthInner:
			exposed += int32(n)
		case e.depth == engine.CrossDepthAny || behind > 0:
			exposed += int32(n) + int32(behind)
		}
	}
	worth := exposed*e.Exposed + lifts*e.Inner
	if e.inHand {
		worth += int32(p.Slots[e.pits+side]) * e.Hand
	}
	return worth
}

// owned returns what a side has for good or on the board: in a game whose captured seeds stay there, all its
// seeds, otherwise those that it has won.
func (e *evaluator) owned(p *engine.Position, side int) int32 {
	n := int32(p.Slots[e.pits+side])
	if e.keeps {
		for _, k := range p.Slots[side*e.row : (side+1)*e.row] {
			n += int32(k)
		}
	}
	return n
}

// each returns an estimate of what every one of four sides will have won.
func (e *evaluator) each(p *engine.Position) (x scores) {
	for side := range x {
		x[side] = int32(p.Slots[e.pits+side]) * seed
		if p.Phase != engine.Over {
			for _, n := range p.Slots[side*e.row : (side+1)*e.row] {
				x[side] += int32(n) * e.Own
			}
		}
	}
	return x
}
