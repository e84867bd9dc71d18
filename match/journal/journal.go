// Package journal is the contract for what rooms write down: entries, who owns
// which room, and when a room wants to be woken.
//
// Data are bytes here: what an entry means is the room's business. An
// implementation lives in a package beside this one and passes journaltest.
package journal

import (
	"context"
	"errors"
	"time"
)

var (
	// ErrConflict means that the row, or the room, already exists or belongs to
	// another epoch: nothing of the caller's was written.
	ErrConflict = errors.New("journal: conflict")
	// ErrUnknown means that the outcome could not be learnt: the row may or may
	// not be there. The caller reads it to find out.
	ErrUnknown = errors.New("journal: outcome unknown")
	// ErrNoRoom means that there is no such room.
	ErrNoRoom = errors.New("journal: no such room")
	// ErrUnavailable means that the database cannot be reached or written now
	// and that nothing was written. It is worth trying again.
	ErrUnavailable = errors.New("journal: unavailable")
)

// Row is one entry as stored. (room, Seq) is unique for ever: the fence.
type Row struct {
	Seq   uint64 // 1 for the first, without holes
	Epoch uint64 // of the owner that wrote it
	Key   string // author and command ID; with Epoch it tells whether a row is ours
	Data  []byte
}

// Room is a room's line in the rooms table.
type Room struct {
	ID        string
	Kind      string    // which machine runs it: "match", "tournament"
	Owner     string    // instance; empty when nobody owns it
	Epoch     uint64    // rises with every change of owner
	Seq       uint64    // of the last row
	Wake      time.Time // when time alone will do something; zero if never
	OwnerSeen time.Time // the owner's last sign of life; zero without an owner
}

// Journal stores rooms. Its methods are safe from any goroutine. Times are the
// database's, in milliseconds.
type Journal interface {
	// Create adds a room that nobody owns, with its first rows. ErrConflict if
	// the ID is taken.
	Create(ctx context.Context, r Room, rows ...Row) error

	// Room returns a room's line, or ErrNoRoom.
	Room(ctx context.Context, id string) (Room, error)

	// Claim makes self the owner if the room's epoch is still seen and its owner
	// is nobody, dead or self, and raises the epoch. Otherwise ErrConflict.
	// The returned room tells the previous owner's last sign of life in
	// OwnerSeen (zero if the room was released cleanly).
	Claim(ctx context.Context, id, self string, seen uint64) (Room, error)

	// Release gives a room up and sets its wake time. A room that is no longer
	// ours is left alone, without an error.
	Release(ctx context.Context, id, self string, epoch uint64, wake time.Time) error

	// Append writes one row for its room. Implementations gather the rows of
	// many rooms into one statement (group commit); one fenced room never fails
	// another. When it returns nil the row is as durable as the configuration
	// promises. wake, if not zero, is stored as the room's wake time when it is
	// earlier than the stored one (a wake too early does no harm).
	Append(ctx context.Context, room string, row Row, wake time.Time) error

	// Read returns rows with Seq > after in order, at most limit (0: all).
	Read(ctx context.Context, room string, after uint64, limit int) ([]Row, error)

	// Due lists rooms whose wake time has come and that nobody alive owns, the
	// longest due first.
	Due(ctx context.Context, now time.Time, limit int) ([]Room, error)

	// Delete removes a room with its rows (a game that was never started).
	Delete(ctx context.Context, id string) error

	// Alive writes self's sign of life and returns the database's time.
	Alive(ctx context.Context, self string) (time.Time, error)
}
