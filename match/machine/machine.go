// Package machine is the contract between a room and what it runs.
//
// A room (package room) is one goroutine with an append-only journal; what the
// entries mean is the business of a [Machine]: a contest (package match), a
// tournament. This package holds what both must agree on and nothing else. It
// knows no game, no storage, no socket, and starts no goroutine.
package machine

import (
	"encoding/json"
	"errors"
	"time"
)

// Machine is a deterministic state machine: the same entries give the same
// state, on any instance, at any time. Only one goroutine uses a Machine.
type Machine interface {
	// Decide says what a command does and changes nothing. now is in
	// milliseconds and never before the last entry's time. The error is a
	// *refusal.Error if the command is refused, or [ErrNothing] if there is nothing
	// to write down. The command's body is lent: neither the entry nor the error
	// may hold on to any of it.
	Decide(c Command, now time.Time) (Entry, error)

	// Apply folds an entry into the state. An error means that this code
	// cannot understand the entry: the room is quarantined.
	Apply(e Entry) error

	// AppendPublic appends an entry's public form for an audience, a JSON
	// object, from the entry alone; nothing if that audience may know just its
	// number. It reads
	// nothing that Apply writes: a machine that has applied nothing gives the
	// same bytes, and unlike the other methods it may be called from any
	// goroutine at any time. Who watches is served without troubling the room.
	AppendPublic(b []byte, e Entry, a Audience) []byte

	// Snapshot gives all that an audience may see of the state, a JSON object.
	// Two machines with the same entries give the same bytes.
	Snapshot(a Audience) []byte

	// AppendPrivate appends what only one seat gets beside an entry or a
	// snapshot, a JSON object (its legal moves with their traces); nothing if
	// there is none.
	AppendPrivate(b []byte, seat Audience) []byte

	// Audience says which audience a player belongs to: a seat or [Watchers].
	Audience(player string) Audience

	// Players are those whose presence the room observes (who sits, who hosts),
	// by ID; everybody else's Audience is [Watchers]. The caller does not
	// change the slice; it may be the same one until an entry changes it.
	Players() []string

	// Wake is when time alone will do something (a flag, a grace, the next
	// round); the zero time if never. The room then sends a [KindWake] command.
	Wake() time.Time

	// Tasks are what must happen outside, derived from the state. A task stays
	// until an entry closes it.
	Tasks() []Task
}

// Open is a Machine without secrets: all audiences see the same of every entry,
// so that it is encoded once for all of them.
type Open interface {
	Machine
	// Open does nothing; it is the promise.
	Open()
}

// Teller is a Machine that tells those who ask what is too dear to be sent to all
// of them with every entry.
type Teller interface {
	Machine
	// Tell answers a question about the state as a JSON object, or refuses it
	// with a *refusal.Error. Whoever follows the room may be told the same.
	Tell(what string) ([]byte, error)
}

// Later is a Machine whose watchers may be shown what happens some time after it
// has happened.
type Later interface {
	Machine
	// Delay is by how much watchers lag behind with the entries that come after
	// this state. Once it is not zero it stays the same.
	Delay() time.Duration
}

// Restorer is a Machine of a room whose entries are not kept: the state can be
// taken from a snapshot for the [Host] instead, by who only shows it.
type Restorer interface {
	Machine
	Restore(snapshot []byte) error
}

// Lean is a Machine that can do with less memory while nothing happens to it.
type Lean interface {
	Machine
	// Trim lets go of what entries have left behind. The state stays as it is.
	Trim()
}

// Hasty is a Machine that is told sooner than after ten seconds that a player is
// gone who has been here.
type Hasty interface {
	Machine
	// Patience is how long such a player may be without a socket.
	Patience() time.Duration
}

// Staffed is a Machine among whose players are some that are no people: they have no
// sockets, and nobody misses them.
type Staffed interface {
	Machine
	IsBot(player string) bool
}

// Audience is a group that sees the same of every entry. Seats are numbered
// from 0 in turn order.
type Audience int8

const (
	Watchers Audience = -1
	Host     Audience = -2
)

// IsSeat says whether the audience is one seat.
func (a Audience) IsSeat() bool { return a >= 0 }

// Kinds of commands that the room itself sends; their By is empty except where
// said. Clients cannot send them.
const (
	KindWake   = "wake"   // the time that Wake gave has come
	KindGone   = "gone"   // By: this player has had no socket for ten seconds; see Hasty
	KindBack   = "back"   // By: this player has a socket again
	KindOutage = "outage" // Body {"from": ms}: nobody owned the room since then
	KindDone   = "done"   // Body {"task": id, ...}: a task has been carried out
)

// Internal says whether a kind is reserved for the room.
func Internal(kind string) bool {
	switch kind {
	case KindWake, KindGone, KindBack, KindOutage, KindDone:
		return true
	}
	return false
}

// Command is an intention. Nothing in it is trusted but By, Lag and the
// internal kinds, which this side of the socket sets.
type Command struct {
	ID   string          // chosen by the client; a repeat is answered as the first was
	Kind string          // "move", "resign", …
	By   string          // player ID; empty for the room itself
	Lag  time.Duration   // round trip measured by the server's own pings, 0 if unknown
	Body json.RawMessage `json:",omitempty"` // the kind's own fields, a JSON object or empty
}

// Entry is one decision: one row of the journal. It holds player IDs, never
// names, tokens or addresses, and all that its public form needs.
type Entry struct {
	Kind    string          `json:"k"`
	Version int             `json:"v,omitempty"` // of the kind; 0 is the first
	At      int64           `json:"at"`          // ms since 1970 UTC
	By      string          `json:"by,omitempty"`
	Command string          `json:"c,omitempty"` // ID of the command that it came from
	Body    json.RawMessage `json:"b,omitempty"`
}

// Time is when the entry was decided.
func (e Entry) Time() time.Time { return time.UnixMilli(e.At) }

// Task is something that must happen outside the room. Handlers are idempotent
// by ID and answer with a [KindDone] command.
type Task struct {
	ID   string // unique within the room, stable over replays
	Kind string // "rematch", "rate", "bot" …
	Body json.RawMessage
}

// ErrNothing is Decide's answer to a command that is in order but has no effect.
var ErrNothing = errors.New("machine: nothing to do")
