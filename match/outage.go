package match

import (
	"math"

	"mancala/match/machine"
)

// hold is an outage that has ended for the server but perhaps not for the seat on
// turn. The seat's clock is stopped until its player is back, for a limited time.
//
// The time in which no instance owned the room is given back in full, however long
// it was: no player loses on time because of the server (ARCHITECTURE.md §3). Only
// the wait that follows, in which the player on turn connects again, is limited to
// 30 s.
type hold struct {
	since, until int64 // ms
	grace        int64 // ms that were left before the clock would have begun to run
}

func (h hold) on() bool { return h.until > 0 }

// runs returns when a held clock begins to run if its seat is back at the given
// time.
func (h hold) runs(at int64) int64 { return min(at, h.until) + h.grace }

// outage credits the time since the last sign of life, as if it had not passed. An outage
// of a single player, who may not see the board, is credited only in that player's turn.
func (d *decision) outage(o order) error {
	if d.paused() {
		return machine.ErrNothing // nothing runs
	}
	if d.by != "" && (d.seat < 0 || !d.playing() || d.seat != d.onTurn() || !d.control.atBoard() || d.hold.on()) {
		return machine.ErrNothing
	}
	d.what = o.why
	if o.has&hasLost != 0 {
		return d.downtime(o.lost)
	}
	if d.stage == between {
		d.kind, d.seat = kindOutage, -1
		d.due += d.at - min(max(o.from, d.old.at), d.at)
		return nil
	}
	if o.has&hasFrom == 0 || !d.timed() || !d.playing() || d.out(d.onTurn()) {
		return machine.ErrNothing
	}
	d.kind, d.seat = kindOutage, -1
	from := min(max(o.from, d.old.at), d.at)
	lost := d.at - from
	for i := range d.gone {
		if d.gone[i] > 0 {
			d.gone[i] += lost // players could not come back during the outage either
		}
	}
	if !d.control.atBoard() {
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
		d.due += d.at - d.hold.since // a second outage before the hold of the first ended
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

// downtime credits a time in which the service was away while the room slept, in which the
// last entry was being written, or in which a command of the player on turn was under way. It
// moves every moment that the game waits for by that time. There is no hold: the service may
// have been back for days, and a slow write disconnects no player.
func (d *decision) downtime(lost int64) error {
	lost = min(lost, d.mostLost())
	paused := d.stage == between
	if lost <= 0 || !paused && (!d.timed() || !d.playing() || d.out(d.onTurn())) {
		return machine.ErrNothing
	}
	d.kind, d.seat = kindOutage, -1
	moments := []*int64{&d.run, &d.due, &d.hold.since, &d.hold.until}
	for i := range d.gone {
		moments = append(moments, &d.gone[i])
	}
	for _, m := range moments {
		if *m > 0 {
			*m += lost
		}
	}
	return nil
}

// mostLost returns how long a downtime may have been. Entries are written while a player's
// command is under way, such as an offer of the opponent. So that time is bounded by what the
// turn has taken, not by the last entry.
func (d *decision) mostLost() int64 {
	switch since := d.at - d.old.at; {
	case d.by == "":
		return since
	case d.run > 0:
		return max(since, d.at-d.run)
	default: // a deadline, which the command ends
		return math.MaxInt64
	}
}

// timed reports whether the seat on turn may lose time in an outage.
func (s *state) timed() bool { return s.control.kind != noClock || s.missesFirstPly() }

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
