package match

import (
	"mancala/engine"
	"mancala/match/machine"
	"mancala/match/refusal"
)

// Who plays with a clock and stays away is waited for: the opponents see a
// countdown, and when it has run out they may claim the game or call it a draw.
// His clock runs meanwhile. Without a clock, or with days for a move, people are
// expected to come and go. The room waits ten seconds before it calls somebody
// gone, so that a blip costs nobody anything.
const (
	shortGame   = 10 * minute // base time up to which one is waited for the shorter time
	shortWait   = 60_000      // ms
	longerWait  = 120_000     // ms
	longestHold = 30_000      // ms
)

func (s *state) patience() int64 {
	if s.control.base <= shortGame {
		return shortWait
	}
	return longerWait
}

// countdown is the seat that is waited for and until when: of several the one
// that was gone first. -1: nobody is.
func (s *state) countdown() (seat int, until int64) { return s.goneFirst(-1) }

// goneFirst is countdown among those who are not of a side.
func (s *state) goneFirst(side int) (seat int, until int64) {
	seat = -1
	for i, t := range s.gone {
		if t > 0 && (side < 0 || s.side(i) != side) && (seat < 0 || t < until) {
			seat, until = i, t
		}
	}
	return seat, until
}

func (d *decision) goneAway() error {
	if d.seat < 0 || !d.control.clocked() || !d.playing() && d.stage != pause || d.gone[d.seat] > 0 || d.out(d.seat) {
		return machine.ErrNothing
	}
	d.kind = kindGone
	d.gone[d.seat] = d.at + d.patience()
	return nil
}

func (d *decision) cameBack() error {
	if d.seat < 0 {
		return machine.ErrNothing
	}
	d.kind = kindBack
	d.gone[d.seat] = 0
	if d.hold.on() && d.seat == d.onTurn() {
		d.goOn()
	}
	return nil // without a difference it is no entry
}

// claim ends the game against a seat that did not come back in time: won, or as
// a draw. Of four sides it can only be put out of the game.
func (d *decision) claim(o order) error {
	if o.what != "win" && o.what != "draw" {
		return refusal.New(CodeBadCommand)
	}
	if !d.playing() && d.stage != pause || d.out(d.seat) {
		return refusal.New(CodeNotLive)
	}
	if d.gone[d.seat] > 0 {
		d.gone[d.seat] = 0 // he claims, so he is here
	}
	seat, until := d.goneFirst(d.side(d.seat)) // a partner who is gone as well is no reason to wait
	if seat < 0 || d.at < until || o.what == "draw" && d.rules.rules.Sides > 2 {
		return refusal.New(CodeNoClaim)
	}
	if d.what = o.what; o.what == "draw" {
		d.finish(d.at, result{Reason: engine.ByAbandoned, Winners: d.remaining()})
		return nil
	}
	d.lose(seat, engine.ByAbandoned, d.at)
	return nil
}
