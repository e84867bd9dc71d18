package journal

import (
	"context"
	"errors"
	"slices"
)

// Taken is what [Take] found.
type Taken struct {
	Room Room  // the room's line, after the claim if there was one
	Mine bool  // the room had no owner, and has been claimed
	Rows []Row // all rows of the room; nil if they must be read with [Journal.Read]
}

// Taker is a journal that carries out [Take] in one round trip.
type Taker interface {
	Take(ctx context.Context, id, self string, kinds []string, most uint64) (Taken, error)
}

// Take returns a room's line. If the room has no owner it also makes self the owner, as
// [Journal.Claim] does. It claims only rooms of these kinds with no more than most rows. A journal
// that is a [Taker] returns the rows, too, of rooms that Take claims and of those that have a
// living owner. The errors are those of [Journal.Room], [Journal.Claim] and [Journal.Read].
// After ErrUnknown self may be the owner.
func Take(ctx context.Context, j Journal, id, self string, kinds []string, most uint64) (t Taken, err error) {
	if j, ok := j.(Taker); ok {
		return j.Take(ctx, id, self, kinds, most)
	}
	if t.Room, err = j.Room(ctx, id); err != nil {
		return t, err
	}
	if t.Room.Owner != "" || t.Room.Seq > most || !slices.Contains(kinds, t.Room.Kind) {
		return t, nil
	}
	switch claimed, err := j.Claim(ctx, id, self, t.Room.Epoch); {
	case err == nil:
		t.Room, t.Mine = claimed, true
	case !errors.Is(err, ErrConflict):
		return Taken{}, err
	}
	return t, nil
}
