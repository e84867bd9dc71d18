package match

import (
	"time"

	"mancala/match/machine"
	"mancala/match/refusal"
)

// TaskRematch is the kind and ID of the task that opens the room in which the same
// players play again. Its body is that of the command that creates the room (kind
// [KindCreate]). The answer is {"room": ID}.
const TaskRematch = "rematch"

// nextCreation returns the contest in which the same players play again, each one
// seat further on. Of two players, the second now begins.
func (s *state) nextCreation() Creation {
	n := len(s.seats)
	seats := make([]string, n)
	for i, p := range s.seats {
		seats[(i+1)%n] = p
	}
	return Creation{
		Settings: s.chosen(), Creator: s.creator, Seats: seats,
		Expires: time.Duration(s.unmoved) * time.Millisecond,
	}
}

// done closes a task.
func (d *decision) done(o order) error {
	switch o.task {
	case TaskRematch:
		return d.closeRematch(o)
	case TaskRate:
		return d.closeRating(o)
	case TaskReport:
		return d.closeReport()
	}
	return machine.ErrNothing
}

func (d *decision) closeRematch(o order) error {
	if !d.rematches || d.rematch != "" {
		return machine.ErrNothing
	}
	if o.room == "" || len(o.room) > maxName {
		return refusal.New(CodeBadCommand)
	}
	d.kind, d.seat = kindRematch, -1
	d.rematch = o.room
	return nil
}
