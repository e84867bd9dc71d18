package match

import "time"

// A game without a clock ends 30 days after its last move. Otherwise the guests in it could
// never be deleted. A week before the end the game gets a deadline, which its players see.
// The side on turn loses if it does not move in time.

// IdleNotice is the time from the last entry of a game without a clock until the players
// are warned that the game will end.
const IdleNotice = 23 * 24 * time.Hour

const idleWeek = 7 * 24 * 60 * minute // ms from the warning to the end

// idleAt returns when the players of a game without a clock are warned that it will end. It
// returns 0 for all other games.
func (s *state) idleAt() int64 {
	if s.control.kind != noClock || !s.playing() || s.expires > 0 || s.due > 0 || s.out(s.onTurn()) {
		return 0
	}
	return s.at + IdleNotice.Milliseconds()
}

// warnIdle sets the deadline for the side on turn. The entry has the kind of a disconnected
// player's, which every release understands.
func (d *decision) warnIdle() {
	d.kind, d.seat = kindGone, d.onTurn()
	d.due = d.at + idleWeek
}
