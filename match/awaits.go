package match

import (
	"fmt"
	"time"

	"mancala/match/machine"
)

// Awaits implements [machine.Awaiting]. A player is told about their turn in a game with
// days for a move. Where the others are all bots, the player on turn is told nothing: bots
// answer at once, while the player looks at the game.
func (m *Match) Awaits() (a machine.Awaited) {
	if m.control.kind != days || !m.playing() || m.paused() {
		return a
	}
	seat := m.onTurn()
	if m.out(seat) || m.bot(seat) || !m.meetsPeople(seat) {
		return a
	}
	// The player's own plies do not count: extra plies belong to the same turn. A takeback does
	// not undo the count.
	others := 0
	for other, n := range m.made {
		if other != seat {
			others += int(n)
		}
	}
	a.Player, a.Turn = m.seats[seat], fmt.Sprintf("%d.%d.%d.%d", len(m.rounds), m.stage, seat, others)
	switch {
	case m.hold.on():
	case m.due > 0:
		a.Until = time.UnixMilli(m.due)
	case m.run > 0:
		a.Until = time.UnixMilli(m.flagAt())
	}
	return a
}

// meetsPeople reports whether a person sits at another seat.
func (s *state) meetsPeople(seat int) bool {
	for other := range s.seats {
		if other != seat && !s.bot(other) {
			return true
		}
	}
	return false
}
