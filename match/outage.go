package match

import "mancala/match/machine"

// hold is an outage that is over for us but perhaps not for the seat on turn:
// until it is back its clock stands, though not for ever.
//
// The time in which nobody could play because nobody owned the room is given
// back whole, however long it was: nobody loses on time because of us
// (ARCHITECTURE.md §3). What is bounded is the wait that follows for the side on move
// to connect again, 30 s.
type hold struct {
	since, until int64 // ms
	grace        int64 // what was left before the clock would have begun to run
}

func (h hold) on() bool { return h.until > 0 }

// runs is when a clock that is held begins to run if its seat is back at a time.
func (h hold) runs(at int64) int64 { return min(at, h.until) + h.grace }

// outage credits the time since the last sign of life: as if it had not been.
func (d *decision) outage(o order) error {
	if d.stage == pause {
		d.kind, d.seat = kindOutage, -1
		d.due += d.at - min(max(o.from, d.old.at), d.at)
		return nil
	}
	if o.has&hasFrom == 0 || d.control.kind == noClock || !d.playing() || d.out(d.onTurn()) {
		return machine.ErrNothing
	}
	d.kind, d.seat = kindOutage, -1
	from := min(max(o.from, d.old.at), d.at)
	lost := d.at - from
	for i := range d.gone {
		if d.gone[i] > 0 {
			d.gone[i] += lost // nobody could come back either
		}
	}
	if !d.control.clocked() {
		if d.run > 0 {
			d.run += lost
		}
		if d.due > 0 {
			d.due += lost
		}
		return nil
	}
	h := hold{since: d.at, until: d.at + longestHold, grace: d.hold.grace}
	switch seat := d.onTurn(); {
	case d.due > 0 && d.hold.on():
		d.due += d.at - d.hold.since // a second outage before the first was over
	case d.due > 0:
		d.due += lost
	case d.run > 0:
		d.clock[seat] = max(0, d.clock[seat]-max(0, from-d.run))
		h.grace = max(0, d.run-from)
		d.run = 0
	}
	d.hold = h
	return nil
}

// goOn ends a hold.
func (d *decision) goOn() {
	h := d.hold
	d.hold = hold{}
	if d.due > 0 {
		d.due += min(d.at, h.until) - h.since
	} else {
		d.run = h.runs(d.at)
	}
}
