// Package journal is the contract for what rooms store: their entries, the owner of
// each room, and the time at which a room must wake.
//
// Data are bytes here: only the room knows what an entry means. An implementation
// lives in a package beside this one and passes journaltest.
package journal

import (
	"cmp"
	"context"
	"errors"
	"time"
)

const (
	// DeadAfter is the time after which an instance without a sign of life counts as
	// dead. Others may then claim its rooms.
	DeadAfter = 5 * time.Second
	// GoneAfter is that time if the journal also knows that the instance's process
	// has ended.
	GoneAfter = time.Second
	// DeadListedFor is how long Dead lists an instance.
	DeadListedFor = time.Minute
)

// Forms of rooms, in the order of the releases that brought them. An instance tells the newest
// one that it reads, and a room is written in a form only once every instance reads it.
const (
	FormFolded      = 1 // rooms in one packed row
	FormTournaments = 2 // tournaments and their games: entries of version 1
	FormRules       = 3 // recent rules, and tournaments from a report file: entries of version 2
	FormRoundEnds   = 4 // tournaments whose rounds have an end: entries of version 3
	FormExactEnds   = 5 // tournaments whose first round ends at an exact time: entries of version 4

	NewestForm = FormExactEnds
)

// FormOf returns the form of rooms that an instance reads if it reads entries of a version from 1 on.
func FormOf(version int) int { return version + 1 }

var (
	// ErrConflict means that the row, or the room, already exists or belongs to
	// another epoch. The call wrote nothing.
	ErrConflict = errors.New("journal: conflict")
	// ErrUnknown means that the outcome is not known: the row may or may not be
	// stored, or may still arrive. The caller reads the room to find out. If the row
	// is not there, the caller appends the same row again. If the first attempt
	// arrives late, one of the two conflicts, and the stored row is the caller's.
	ErrUnknown = errors.New("journal: outcome unknown")
	// ErrNoRoom means that the room does not exist.
	ErrNoRoom = errors.New("journal: no such room")
	// ErrUnavailable means that the database cannot be reached or written now. The
	// call wrote nothing and may be repeated.
	ErrUnavailable = errors.New("journal: unavailable")
	// ErrInvalid means that every journal refuses this: an ID that [ValidID] refuses,
	// or first rows that are not numbered 1, 2, 3, … It is a mistake of the caller.
	ErrInvalid = errors.New("journal: invalid")
)

// ValidID reports whether id may name a room, a kind or an instance: 1 to 64 bytes of
// printable ASCII without the space. A search for any other ID is allowed and finds
// nothing.
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

// ValidNew reports whether r may be created.
func ValidNew(r Room) bool {
	return ValidID(r.ID) && ValidID(r.Kind) && (r.Owner == "" || ValidID(r.Owner))
}

// FirstEpoch returns the epoch of a room that is created with the owner of r, or without one.
func FirstEpoch(r Room) uint64 {
	if r.Owner == "" {
		return 0
	}
	return 1
}

// Row is one stored entry. (room, Seq) is unique while the room exists, which is the
// fence. Key and Data are any bytes. The Data of a row that was read, or was given to [Journal.Create],
// must not be changed: others share it. After [Journal.Append] the caller may use Data again.
type Row struct {
	Seq   uint64 // 1 for the first row, without gaps
	Epoch uint64 // epoch of the owner that wrote the row
	Key   string // author and command ID; Key and Epoch together tell an owner whether a row is its own
	Data  []byte
}

// Checkpoint is the state of a room as of one of its rows, so that a reader needs only the
// rows after it. It saves time and nothing else: all rows stay. The rules for Data are those
// of a [Row].
type Checkpoint struct {
	Seq  uint64 // number of the last row that is in the state; 0 if there is no checkpoint
	Data []byte
}

// Room is a room's line in the rooms table.
type Room struct {
	ID        string
	Kind      string    // the kind of machine: "match", "tournament"
	Owner     string    // the owning instance; empty without an owner
	Epoch     uint64    // rises with every change of owner; 0 before the first
	Seq       uint64    // number of the last row
	Wake      time.Time // when time alone has an effect; zero if never
	OwnerSeen time.Time // the owner's last sign of life; zero without an owner
	OwnerDead bool      // the owner counts as dead, so the room may be claimed
}

// Journal stores rooms. Its methods are safe from any goroutine. Times are the
// database's, in milliseconds. Every error wraps one of this package's errors. If ctx
// ended, it wraps the error of ctx too.
type Journal interface {
	// Create adds a room with its first rows. It uses ID, Kind, Wake and Owner of r. A room
	// with an owner has epoch 1, as after a claim. It returns ErrConflict if the ID is taken.
	Create(ctx context.Context, r Room, rows ...Row) error

	// Room returns a room's line, or ErrNoRoom.
	Room(ctx context.Context, id string) (Room, error)

	// Seqs returns the number of the last row of each of these rooms. It leaves out
	// IDs of rooms that do not exist.
	Seqs(ctx context.Context, ids []string) (map[string]uint64, error)

	// Claim makes self the owner and raises the epoch. It succeeds if the room's
	// epoch is still seen and its owner is empty, dead (see [DeadAfter] and
	// [GoneAfter]) or self. Otherwise it returns ErrConflict, or ErrNoRoom. OwnerSeen
	// of the returned room is the previous owner's last sign of life, or zero if the
	// room was released. A claim is also a sign of life of self.
	Claim(ctx context.Context, id, self string, seen uint64) (Room, error)

	// Release gives a room up and sets its wake time, or clears it if wake is zero.
	// If self no longer owns the room, it changes nothing and returns no error.
	Release(ctx context.Context, id, self string, epoch uint64, wake time.Time) error

	// Append writes one row. It returns ErrConflict unless the room has an owner,
	// row.Epoch is its epoch and row.Seq is the next number. An implementation
	// gathers the rows of many rooms into one statement (group commit); a fenced room
	// never makes another room fail. When Append returns nil, the row is as durable
	// as the configuration promises.
	//
	// A wake that is not zero becomes the room's wake time, unless the stored wake time is
	// earlier: a wake time that is too early does no harm. If ctx ends while the row is
	// on its way, the result is ErrUnknown. In every case row.Data belongs to the
	// caller again when Append returns: the journal has copied what it still needs.
	Append(ctx context.Context, room string, row Row, wake time.Time) error

	// Read returns the rows with Seq > after in order, at most limit (0: all), or
	// ErrNoRoom. It sees every row whose Append returned nil before. Each row that it
	// returns is as durable as if its Append had returned nil, even if another instance wrote
	// it and does not know the outcome.
	Read(ctx context.Context, room string, after uint64, limit int) ([]Row, error)

	// PutCheckpoint stores a checkpoint in place of the room's last one. It returns
	// ErrConflict unless the room has an owner, epoch is its epoch, the room has row
	// c.Seq, and no stored checkpoint has a higher number.
	PutCheckpoint(ctx context.Context, room string, epoch uint64, c Checkpoint) error

	// Checkpoint returns the room's last checkpoint. Its Seq is 0 if there is none or if
	// the room does not exist.
	Checkpoint(ctx context.Context, room string) (Checkpoint, error)

	// Due lists rooms whose wake time has come and that no living instance owns, at
	// most limit (0: all). Rooms without an owner come first, because a dead owner's
	// room may have a wake time that is too early. Within both groups the longest due
	// room comes first.
	Due(ctx context.Context, now time.Time, limit int) ([]Room, error)

	// Confirm returns nil if commits succeed. Where they wait for another server, it waits with
	// one that changes nothing, which it shares with other callers. Elsewhere it does nothing: a
	// sign of life tells as much.
	Confirm(ctx context.Context) error

	// Alive writes a sign of life of self and returns the database's time. It waits for no
	// other server.
	Alive(ctx context.Context, self string) (time.Time, error)

	// Dead lists the instances that died within the last [DeadListedFor].
	Dead(ctx context.Context) ([]string, error)

	// AllRead reports whether every instance that may be running reads a form of rooms. An
	// instance that no longer gives signs of life counts for an hour, since its process may
	// be stopped and run again.
	AllRead(ctx context.Context, form int) (bool, error)

	// Fold stores the rows of a room in less space and removes its checkpoint. It may do
	// nothing, and does nothing unless the room sleeps for good: it has no owner and no
	// wake time. Read returns the same rows before, during and after it. A folded room may be claimed again; its next
	// rows follow the folded ones. Fold of a room that does not exist does nothing.
	Fold(ctx context.Context, room string) error

	// Unfolded returns some rooms for which Fold may have work, at most limit. Call it
	// and Fold in turn: it goes on where it ended, and returns none at the end of a round.
	// The next call begins another round.
	Unfolded(ctx context.Context, limit int) ([]string, error)

	// Delete removes a room that sleeps for good, with its rows and its checkpoint. It returns ErrConflict
	// if the room has an owner or a wake time, and nil if there is no such room. The ID
	// may be used again.
	Delete(ctx context.Context, room string) error
}

// Batch describes one statement that wrote rows or failed to.
type Batch struct {
	Rows   int
	Bytes  int
	Waited time.Duration // from the first row until the statement began
	Took   time.Duration // duration of the statement
	Err    error         // nil if the rows were written
}

// ToMS returns a time as a number for a database: Unix time in ms, or 0 for the zero time,
// which means never.
func ToMS(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return cmp.Or(t.UnixMilli(), 1)
}

// FromMS returns the time of which [ToMS] has made ms.
func FromMS(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}
