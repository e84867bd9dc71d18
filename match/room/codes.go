package room

import "mancala/match/machine"

// Codes that the room itself answers with, whatever it runs.
const (
	CodeBusy        machine.Code = "busy"        // the inbox is full; send it again
	CodeUnavailable machine.Code = "unavailable" // the journal is away and the clocks stand; send it again with the same ID
	CodeQuarantined machine.Code = "quarantined" // this room can be read and nothing else
	CodeMoved       machine.Code = "moved"       // this copy of the room has ended; follow it again
	CodeNoRoom      machine.Code = "no-room"     // there is no such room
	CodeTaken       machine.Code = "taken"       // there is such a room already
	CodeReserved    machine.Code = "reserved"    // only the room itself sends this kind
	CodeBadCommand  machine.Code = "bad-command" // no author, no ID, or something too long
	CodeBadNote     machine.Code = "bad-note"    // too long, too many kinds, or not a player's
)

// What callers and followers are told, comparable with errors.Is. All of them
// are [*machine.Error] values, so that one path answers every refusal.
var (
	ErrBusy        error = &machine.Error{Code: CodeBusy}
	ErrUnavailable error = &machine.Error{Code: CodeUnavailable}
	ErrQuarantined error = &machine.Error{Code: CodeQuarantined}
	ErrMoved       error = &machine.Error{Code: CodeMoved}
	ErrNoRoom      error = &machine.Error{Code: CodeNoRoom}
	ErrTaken       error = &machine.Error{Code: CodeTaken}
	ErrReserved    error = &machine.Error{Code: CodeReserved}
	ErrBadCommand  error = &machine.Error{Code: CodeBadCommand}
	ErrBadNote     error = &machine.Error{Code: CodeBadNote}
)

// Why a room has ended, for [Follower.Gone]. To the people it is the same:
// resolve the room again and resume.
var (
	// ErrFenced means that another instance owns the room now.
	ErrFenced error = &machine.Error{Code: "fenced"}
	// ErrDrained means that this instance is going away.
	ErrDrained error = &machine.Error{Code: "drained"}
	// errAsleep ends a room that nobody follows.
	errAsleep error = &machine.Error{Code: "asleep"}
	// errElsewhere says that another instance owns a room, to those who do not
	// want to see it from here.
	errElsewhere error = &machine.Error{Code: "elsewhere"}
)

// Sizes and limits. A full queue is an answer, never a wait.
const (
	inboxSize    = 16       // requests waiting for one room
	fewPeople    = 16       // up to which a list is searched, and no map kept
	repeatsKept  = 32       // command IDs remembered for each author
	manyAuthors  = 4096     // beyond which the older half of them is forgotten
	maxCommandID = 64       // bytes
	maxAuthor    = 128      // bytes
	maxBody      = 64 << 10 // bytes of a command
)
