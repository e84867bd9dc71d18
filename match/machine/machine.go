// Package machine is the contract between a room and what it runs.
//
// A room (package room) is one goroutine with an append-only journal. A [Machine] decides
// what the entries mean: a contest (package match), a tournament. This package holds what
// both must agree on and nothing else. It knows no game, no storage and no socket, and it
// starts no goroutine.
package machine

import (
	"encoding/json"
	"errors"
	"time"
)

// Machine is a deterministic state machine: the same entries give the same state, on any
// instance, at any time. Only one goroutine uses a Machine.
type Machine interface {
	// Decide returns the effect of a command and changes nothing. now is in milliseconds
	// and never before the last entry's time. The error is a *refusal.Error if the command
	// is refused, or [ErrNothing] if there is nothing to write. The machine may use the
	// command's body only during the call: neither the entry nor the error may refer to it.
	Decide(c Command, now time.Time) (Entry, error)

	// Apply folds an entry into the state. An error means that this version of the code
	// cannot understand the entry: the room is quarantined.
	Apply(e Entry) error

	// AppendPublic appends an entry's public form for an audience, a JSON object. It appends
	// nothing if that audience may know only the entry's number. It uses the entry alone and
	// reads nothing that Apply writes. So a machine that has applied nothing gives the same
	// bytes, and unlike the other methods it may be called from any goroutine at any time:
	// watchers are served without work for the room.
	AppendPublic(b []byte, e Entry, a Audience) []byte

	// Snapshot returns everything that an audience may see of the state, a JSON object. Two
	// machines with the same entries give the same bytes.
	Snapshot(a Audience) []byte

	// AppendPrivate appends what only one seat gets with an entry or a snapshot, a JSON
	// object (its legal moves with their traces). It appends nothing if there is none.
	AppendPrivate(b []byte, seat Audience) []byte

	// Audience returns the audience that a player belongs to: a seat or [Watchers].
	Audience(player string) Audience

	// Players returns the IDs of the players whose presence the room observes: the seated
	// players and the host. The Audience of all others is [Watchers]. The caller must not
	// change the slice. It may be the same slice until an entry changes it.
	Players() []string

	// Wake returns when time alone will have an effect (a flag, a grace, the next round),
	// or the zero time if never. The room then sends a [KindWake] command.
	Wake() time.Time

	// Tasks returns what must happen outside the room, derived from the state. A task stays
	// until an entry closes it.
	Tasks() []Task
}

// NoSecrets is a Machine whose audiences all see the same form of every entry, so that it
// is encoded once for all of them.
type NoSecrets interface {
	Machine
	// NoSecrets does nothing; it marks the machine.
	NoSecrets()
}

// Staged is a Machine that goes through states, such as waiting, live and over. Followers
// learn with which entry the state changes.
type Staged interface {
	Machine
	// State returns the name of the state.
	State() string
}

// Checksummed is a Machine whose clients can check that they have the right state.
type Checksummed interface {
	Machine
	// Sum returns a checksum of what every client sees of the state, or nothing.
	Sum() string
}

// Answerer is a Machine that answers questions about its state, when the answer is too large
// to be sent to every audience with every entry.
type Answerer interface {
	Machine
	// Tell answers a question about the state with a JSON object, or refuses it with a
	// *refusal.Error. Every follower of the room may get the same answer.
	Tell(what string) ([]byte, error)
}

// Delayed is a Machine whose watchers may see the entries some time after the players.
type Delayed interface {
	Machine
	// Delay returns the delay of the entries that come after this state. Once it is not
	// zero it stays the same.
	Delay() time.Duration
}

// Restorer is a Machine of a room whose entries are not stored. An instance that only shows
// the room takes the state from a snapshot for the [Host].
type Restorer interface {
	Machine
	Restore(snapshot []byte) error
}

// Checkpointer is a Machine that can write down its whole state, so that a long room need
// not be replayed from its first entry.
type Checkpointer interface {
	Machine
	// Checkpoint returns the whole state and its version, a JSON object. A machine that
	// has loaded it is equal to one that has applied the entries.
	Checkpoint() ([]byte, error)
	// LoadCheckpoint sets the state of an empty machine. It returns an error if this
	// release does not read the version: the room is then replayed from its first entry,
	// by another machine.
	LoadCheckpoint(checkpoint []byte) error
}

// Trimmer is a Machine that can free memory while nothing happens in its room.
type Trimmer interface {
	Machine
	// Trim frees memory that earlier entries needed. The state stays the same.
	Trim()
}

// PresenceTimeout is a Machine that chooses when a disconnected player counts as gone. For
// other machines this is after ten seconds without a socket.
type PresenceTimeout interface {
	Machine
	// PresenceTimeout returns how long a player may be without a socket before they count
	// as gone.
	PresenceTimeout() time.Duration
}

// DefersArrivals is a Machine that need not learn at once that a player has a socket. A large round begins with
// thousands of players who come to their games, and most of them move soon.
type DefersArrivals interface {
	Machine
	// ArrivalDue returns until when [KindBack] of this player can wait, as long as no entry comes: the zero
	// time means any time. It returns false if the player's arrival may have an effect now.
	ArrivalDue(player string) (until time.Time, waits bool)
}

// Clocked is a Machine with clocks that some commands stop.
type Clocked interface {
	Machine
	// StopsClock reports whether a command of this kind ends its author's thinking time.
	StopsClock(kind string) bool
}

// HasBots is a Machine some of whose players are bots. Bots have no sockets, so their
// presence is not observed.
type HasBots interface {
	Machine
	IsBot(player string) bool
}

// Awaiting is a Machine that gives a player days to act, so that the player may be told
// while they are away.
type Awaiting interface {
	Machine
	// Awaits returns the player that the machine waits for, or the zero Awaited.
	Awaits() Awaited
}

// Awaited is a player who is on turn and has days for it.
type Awaited struct {
	Player string
	Turn   string    // a name that no other turn of the room has, the same after every replay
	Until  time.Time // when the turn ends by itself; zero if that is not known
}

// Audience is a group that sees the same form of every entry. Seats are numbered from 0 in
// turn order.
type Audience int8

const (
	Watchers Audience = -1
	Host     Audience = -2
)

// IsSeat reports whether the audience is one seat.
func (a Audience) IsSeat() bool { return a >= 0 }

// Kinds of commands that the room itself sends. Their By is empty unless the comment names
// a player. Clients cannot send them.
const (
	KindWake = "wake" // the time that Wake returned has come
	KindGone = "gone" // By: this player has had no socket for ten seconds; see PresenceTimeout
	KindBack = "back" // By: this player has a socket again
	// KindOutage has the body {"from": ms} if no instance has owned the room since that
	// time. It has the body {"lost": ms} if for that long since the last entry the whole
	// service was away or the last entry was being written, or if a command of By was under way
	// for that long.
	// The member "why" is one of the causes below.
	KindOutage = "outage"
	KindDone   = "done" // Body {"task": id, ...}: a task has been carried out
)

// Causes of a [KindOutage] command.
const (
	CauseOutage  = "outage"  // no instance ran the room, or the database was away
	CauseFreeze  = "freeze"  // the process of the room's instance was stopped
	CauseWrite   = "write"   // an entry was slow to write
	CauseMessage = "message" // a message between instances was lost
	CauseWait    = "wait"    // the player could not be reached, and is waited for
)

// Internal reports whether a kind is reserved for the room.
func Internal(kind string) bool {
	switch kind {
	case KindWake, KindGone, KindBack, KindOutage, KindDone:
		return true
	}
	return false
}

// Command is a request of a client, of the service or of the room. The service sets Server, By,
// Lag and the internal kinds; nothing else in it may be trusted.
type Command struct {
	ID   string          // chosen by the client; a repeated ID gets the first answer again
	Kind string          // "move", "resign", …
	By   string          // player ID; empty for the room itself, and for an order on nobody's behalf
	Lag  time.Duration   // round trip measured by the server's own pings, 0 if unknown
	Body json.RawMessage `json:",omitempty"` // the kind's own fields, a JSON object or empty

	// Server marks an order of the service itself, which no client can send. By is the person on
	// whose behalf it is sent, or empty. A room does not remember an order without an author, so
	// the machine must give [ErrNothing], or the same state, when it comes again.
	Server bool `json:",omitempty"`

	// Waited is how long the command has waited on its author's instance because messages
	// to the room's owner, or answers, were lost.
	Waited time.Duration `json:",omitempty"`
}

// Entry is one decision: one row of the journal. It holds player IDs, never names, tokens or
// addresses, and everything that its public form needs.
type Entry struct {
	Kind    string          `json:"k"`
	Version int             `json:"v,omitempty"` // of the kind; 0 is the first
	At      int64           `json:"at"`          // ms since 1970 UTC
	By      string          `json:"by,omitempty"`
	Command string          `json:"c,omitempty"` // ID of the command that led to the entry
	Body    json.RawMessage `json:"b,omitempty"`
}

// Time returns when the entry was decided.
func (e Entry) Time() time.Time { return time.UnixMilli(e.At) }

// Task is work that must happen outside the room. Its handler is idempotent by ID and
// answers with a [KindDone] command.
type Task struct {
	ID   string // unique within the room, the same after every replay
	Kind string // "rematch", "rate", "bot" …
	Body json.RawMessage
}

// ErrNothing is Decide's answer to a valid command that has no effect.
var ErrNothing = errors.New("machine: nothing to do")
