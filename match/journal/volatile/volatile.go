// Package volatile is a journal some of whose rooms are not written down.
//
// Such a room is in the rooms table like any other, so that one instance owns it
// and others find that one; only its rows are dropped. Whoever takes it over
// begins with nothing, from sequence 1 again, and its people announce themselves
// anew (deploy/decisions/0006).
package volatile

import (
	"context"
	"errors"
	"slices"
	"time"

	"mancala/match/journal"
)

// Journal is a [journal.Journal] around another.
type Journal struct {
	journal.Journal
	rooms []string
}

var _ journal.Journal = (*Journal)(nil)

// New makes a journal that keeps all rooms but these as j does. They must be
// there: see [Journal.Open].
func New(j journal.Journal, rooms ...string) *Journal { return &Journal{j, rooms} }

// Open adds a volatile room to the rooms table, unless it is there already.
func (j *Journal) Open(ctx context.Context, id, kind string) error {
	err := j.Create(ctx, journal.Room{ID: id, Kind: kind})
	if errors.Is(err, journal.ErrConflict) {
		return nil
	}
	return err
}

// Append forgets a volatile room's row. It fences nothing: what must happen once
// has a fence of its own.
func (j *Journal) Append(ctx context.Context, room string, row journal.Row, wake time.Time) error {
	if slices.Contains(j.rooms, room) {
		return nil
	}
	return j.Journal.Append(ctx, room, row, wake)
}

// Release gives a volatile room up without a wake time: there is nothing left
// that could want one.
func (j *Journal) Release(ctx context.Context, id, self string, epoch uint64, wake time.Time) error {
	if slices.Contains(j.rooms, id) {
		wake = time.Time{}
	}
	return j.Journal.Release(ctx, id, self, epoch, wake)
}
