package room

import "mancala/match/refusal"

// Codes that the room itself answers with, whatever it runs.
const (
	CodeBusy        refusal.Code = "busy"        // the inbox is full; send it again
	CodeUnavailable refusal.Code = "unavailable" // the room is cut off and its clocks are paused; send the command again with the same ID
	CodeQuarantined refusal.Code = "quarantined" // this room can only be read
	CodeMoved       refusal.Code = "moved"       // this copy of the room has ended; follow it again
	CodeNoRoom      refusal.Code = "no-room"     // there is no such room
	CodeTaken       refusal.Code = "taken"       // there is such a room already
	CodeReserved    refusal.Code = "reserved"    // only the room itself sends this kind
	CodeBadCommand  refusal.Code = "bad-command" // no author, no ID, or something too long
	CodeTooNew      refusal.Code = "too-new"     // only instances of a newer release run rooms of this kind
	CodeBadNote     refusal.Code = "bad-note"    // too long, too many kinds, or not a player's
)

// Errors for callers and followers, comparable with errors.Is. All of them
// are [*refusal.Error] values, so that one path answers every refusal.
var (
	ErrBusy        = refusal.New(CodeBusy)
	ErrUnavailable = refusal.New(CodeUnavailable)
	ErrQuarantined = refusal.New(CodeQuarantined)
	ErrMoved       = refusal.New(CodeMoved)
	ErrNoRoom      = refusal.New(CodeNoRoom)
	ErrTaken       = refusal.New(CodeTaken)
	ErrReserved    = refusal.New(CodeReserved)
	ErrBadCommand  = refusal.New(CodeBadCommand)
	ErrTooNew      = refusal.New(CodeTooNew)
	ErrBadNote     = refusal.New(CodeBadNote)
)

// Reasons for which a room has ended, for [Follower.Gone]. What to do is the same:
// follow the room again and resume.
var (
	// ErrFenced means that another instance owns the room now.
	ErrFenced = refusal.New("fenced")
	// ErrDrained means that this instance is going away.
	ErrDrained = refusal.New("drained")
	// errAsleep ends a room without followers.
	errAsleep = refusal.New("asleep")
	// errElsewhere refuses to open a room that another instance owns, to callers
	// that want no replica.
	errElsewhere = refusal.New("elsewhere")
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
