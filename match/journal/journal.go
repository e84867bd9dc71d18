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

const (
	// DeadAfter is how long an instance lives without a sign of life. After that
	// others may claim its rooms.
	DeadAfter = 5 * time.Second
	// GoneAfter is how long, if the journal knows besides that its process has
	// ended.
	GoneAfter = time.Second
	// DeadListedFor is how long the dead are listed as such.
	DeadListedFor = time.Minute
)

var (
	// ErrConflict means that the row, or the room, already exists or belongs to
	// another epoch: nothing of the caller's was written.
	ErrConflict = errors.New("journal: conflict")
	// ErrUnknown means that the outcome could not be learnt: the row may or may
	// not be there, or may still be on its way. The caller reads it to find
	// out, and if it is not there appends the same row again: should the first
	// attempt arrive late, one of the two conflicts and the row that is there
	// is the caller's.
	ErrUnknown = errors.New("journal: outcome unknown")
	// ErrNoRoom means that there is no such room.
	ErrNoRoom = errors.New("journal: no such room")
	// ErrUnavailable means that the database cannot be reached or written now
	// and that nothing was written. It is worth trying again.
	ErrUnavailable = errors.New("journal: unavailable")
	// ErrInvalid means that no journal would take this: an ID that [ValidID]
	// refuses, or first rows that are not numbered 1, 2, 3, … It is a mistake
	// of the caller's.
	ErrInvalid = errors.New("journal: invalid")
)

// ValidID says whether id may name a room, a kind or an instance: 1 to 64 bytes
// of printable ASCII without the space. Looking up anything else is in order
// and finds nothing.
func ValidID(id string) bool {
	if len(id) == 0 || len(id) > 64 {
		return false
	}
	for i := range len(id) {
		if id[i] <= ' ' || id[i] > '~' {
			return false
		}
	}
	return true
}

// Row is one entry as stored. (room, Seq) is unique for ever: the fence. Key
// and Data are any bytes; whoever hands a row over, to the journal or from it,
// shares Data, and neither side changes it afterwards.
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
	Epoch     uint64    // rises with every change of owner; 0 until the first
	Seq       uint64    // of the last row
	Wake      time.Time // when time alone will do something; zero if never
	OwnerSeen time.Time // the owner's last sign of life; zero without an owner
	OwnerDead bool      // the owner does not count as alive, so that the room may be claimed
}

// Journal stores rooms. Its methods are safe from any goroutine. Times are the
// database's, in milliseconds. Every error is one of this package's, wrapped;
// if ctx ended it wraps ctx's error as well.
type Journal interface {
	// Create adds a room that nobody owns, with its first rows. Of r it takes
	// ID, Kind and Wake. ErrConflict if the ID is taken.
	Create(ctx context.Context, r Room, rows ...Row) error

	// Room returns a room's line, or ErrNoRoom.
	Room(ctx context.Context, id string) (Room, error)

	// Seqs returns the number of the last row of each of these rooms. What is no
	// room is left out.
	Seqs(ctx context.Context, ids []string) (map[string]uint64, error)

	// Claim makes self the owner if the room's epoch is still seen and its owner
	// is nobody, dead (see [DeadAfter] and [GoneAfter]) or self, and raises the epoch. Otherwise
	// ErrConflict, or ErrNoRoom. The returned room tells the previous owner's
	// last sign of life in OwnerSeen (zero if the room was released cleanly).
	// A claim is itself a sign of life of self.
	Claim(ctx context.Context, id, self string, seen uint64) (Room, error)

	// Release gives a room up and sets its wake time, or clears it if wake is
	// zero. A room that is no longer ours is left alone, without an error.
	Release(ctx context.Context, id, self string, epoch uint64, wake time.Time) error

	// Append writes one row for its room. ErrConflict unless somebody owns the
	// room, row.Epoch is its epoch and row.Seq the next number. Implementations
	// gather the rows of many rooms into one statement (group commit); one
	// fenced room never fails another. When it returns nil the row is as
	// durable as the configuration promises. wake, if not zero, is stored as
	// the room's wake time when that is later or none (a wake too early does no
	// harm). If ctx ends while the row is on its way the answer is ErrUnknown.
	// In any case row.Data is the caller's again: what is still needed of it has
	// been copied.
	Append(ctx context.Context, room string, row Row, wake time.Time) error

	// Read returns rows with Seq > after in order, at most limit (0: all), or
	// ErrNoRoom. It sees every row whose Append had returned nil before.
	Read(ctx context.Context, room string, after uint64, limit int) ([]Row, error)

	// Due lists rooms whose wake time has come and that nobody alive owns, at most
	// limit (0: all): first those that nobody owns, since a dead owner's may have a
	// wake time that is too early; of both the longest due first.
	Due(ctx context.Context, now time.Time, limit int) ([]Room, error)

	// Alive writes self's sign of life and returns the database's time.
	Alive(ctx context.Context, self string) (time.Time, error)

	// Dead lists the instances that have died in the last [DeadListedFor].
	Dead(ctx context.Context) ([]string, error)
}

// Batch is what was written, or not, in one statement.
type Batch struct {
	Rows   int
	Bytes  int
	Waited time.Duration // the first row, until the statement began
	Took   time.Duration // the statement
	Err    error         // nil if it was written
}
