package match

// A game without a clock does not go on for ever: nobody would remember it, and its guests
// could never be deleted. When nobody has moved for 23 days the players are told, by a
// deadline a week ahead, and the side on turn loses when it has not moved by then.
const (
	idleNotice = 23 * 24 * 60 * minute // ms since the last entry
	idleWeek   = 7 * 24 * 60 * minute  // ms since the notice
)

// idleAt returns when the players of a game without a clock are told that it is going to
// end, or 0.
func (s *state) idleAt() int64 {
	if s.control.kind != noClock || !s.playing() || s.expires > 0 || s.due > 0 || s.out(s.onTurn()) {
		return 0
	}
	return s.at + idleNotice
}

// warnIdle sets the deadline for the side on turn. The entry is the one of a player who
// has gone, which every release understands.
func (d *decision) warnIdle() {
	d.kind, d.seat = kindGone, d.onTurn()
	d.due = d.at + idleWeek
}
