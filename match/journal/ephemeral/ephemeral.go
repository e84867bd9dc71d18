// Package ephemeral is a journal that does not store the rows of some rooms.
//
// Such a room is in the rooms table like any other. So one instance owns it, and the others
// find the owner. Only its rows are dropped. After a takeover the new owner begins with an
// empty room at sequence 1, and the clients announce themselves again
// (deploy/decisions/0006).
package ephemeral

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
	rooms []string // the ephemeral ones
}

var (
	_ journal.Journal = (*Journal)(nil)
	_ journal.Taker   = (*Journal)(nil)
)

// New returns a journal that keeps all rooms as j does, except the given ephemeral rooms.
// These must exist: see [Journal.Open].
func New(j journal.Journal, rooms ...string) *Journal { return &Journal{j, rooms} }

// Open adds an ephemeral room to the rooms table if it is not there.
func (j *Journal) Open(ctx context.Context, id, kind string) error {
	err := j.Create(ctx, journal.Room{ID: id, Kind: kind})
	if errors.Is(err, journal.ErrConflict) {
		return nil
	}
	return err
}

// Take implements [journal.Taker].
func (j *Journal) Take(ctx context.Context, id, self string, kinds []string, most uint64) (journal.Taken, error) {
	return journal.Take(ctx, j.Journal, id, self, kinds, most)
}

// Append drops the row of an ephemeral room. It fences no former owner: a command that must
// take effect once needs a fence of its own.
func (j *Journal) Append(ctx context.Context, room string, row journal.Row, wake time.Time) error {
	if slices.Contains(j.rooms, room) {
		return nil
	}
	return j.Journal.Append(ctx, room, row, wake)
}

// Release gives an ephemeral room up without a wake time, because nothing is left that
// needs one.
func (j *Journal) Release(ctx context.Context, id, self string, epoch uint64, wake time.Time) error {
	if slices.Contains(j.rooms, id) {
		wake = time.Time{}
	}
	return j.Journal.Release(ctx, id, self, epoch, wake)
}
