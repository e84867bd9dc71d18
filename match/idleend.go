package match

import "time"

// A game without a clock ends when nobody moves any more. Otherwise its guests could never
// be deleted. First its players are told, by a deadline a week ahead. The side on turn loses
// if it has not moved by then.

// IdleNotice is how long after the last entry the players of a game without a clock are told
// that it is going to end.
const IdleNotice = 23 * 24 * time.Hour

const idleWeek = 7 * 24 * 60 * minute // ms from the notice to the end

// idleAt returns when the players of a game without a clock are told that it is going to
// end, or 0.
func (s *state) idleAt() int64 {
	if s.control.kind != noClock || !s.playing() || s.expires > 0 || s.due > 0 || s.out(s.onTurn()) {
		return 0
	}
	return s.at + IdleNotice.Milliseconds()
}

// warnIdle sets the deadline for the side on turn. The entry is the one of a player who
// has gone, which every release understands.
func (d *decision) warnIdle() {
	d.kind, d.seat = kindGone, d.onTurn()
	d.due = d.at + idleWeek
}
