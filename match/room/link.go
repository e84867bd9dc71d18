package room

import (
	"context"
	"encoding/json"
	"time"

	"mancala/match/machine"
	"mancala/match/refusal"
)

// Link carries messages between the registries of different instances. A registry
// without one is alone, and pays nothing for it.
type Link interface {
	// Tell sends a message to the registry of another instance. It does not wait,
	// and the message may be lost. Tell does not keep it: a command's body is lent.
	// A patient message may be sent up to [CollectFor] later, with those of other rooms.
	// Messages about one room keep their order.
	Tell(to string, m Message)
	// Healthy reports whether messages to this instance arrive.
	Healthy() bool
	// DeafSince returns since when no message to this instance has arrived, or zero if
	// it is healthy.
	DeafSince() time.Time

	// SilentSince returns since when the instance that fell silent last has been silent, or
	// zero if none is. Instances that ended long ago do not count.
	SilentSince() time.Time
}

// Message is what one registry tells another about a room. It may be lost, late or
// doubled, and nothing that matters rests on it: entries are in the journal, commands
// are repeated, and followers say again and again that they follow.
type Message struct {
	Kind  string `json:"k"`
	Room  string `json:"r"`
	Epoch uint64 `json:"e,omitempty"` // of the owner that says it
	Seq   uint64 `json:"n,omitempty"` // see the kinds
	Sum   uint32 `json:"h,omitempty"` // stand: checksum of the entries up to Seq; 0: not told

	Entry    json.RawMessage  `json:"b,omitempty"` // entry: as it is in the journal
	Players  []string         `json:"p,omitempty"` // follow: players of the roster with a socket there
	Watchers int              `json:"w,omitempty"` // follow: how many people without a seat
	Collects bool             `json:"z,omitempty"` // follow, stand: the sender reads messages that were collected
	Answers  bool             `json:"q,omitempty"` // follow: the sender answers ask
	Notes    []Note           `json:"t,omitempty"` // stand: all sticky notes; note, say: the one
	Snapshot json.RawMessage  `json:"s,omitempty"` // stand: the state, if the journal does not have it
	Now      int64            `json:"m,omitempty"` // stand: the owner's time in ms; 0: not told
	Call     uint64           `json:"c,omitempty"` // do, done, ask, here: which one
	Command  *machine.Command `json:"d,omitempty"` // do
	Repeat   bool             `json:"a,omitempty"` // done
	Code     refusal.Code     `json:"x,omitempty"` // done: refused
	Detail   json.RawMessage  `json:"y,omitempty"`

	// Patient is true of a renewal and of its answer. Most of what idle rooms say is renewals.
	// Those of all rooms that two instances share go into a few messages.
	Patient bool `json:"-"`
}

// CollectFor is how long a patient message may wait.
const CollectFor = 200 * time.Millisecond

// Kinds of messages. follow, leave, do, say, here and taken go to an owner. stand, entry, note, done,
// gone and ask come from one. dead is about no room.
const (
	tellFollow = "follow" // we follow, have reached Seq, and these people are here; repeated every few seconds
	tellLeave  = "leave"  // we follow no longer
	tellDo     = "do"     // a player's command
	tellSay    = "say"    // a player's note

	tellState = "stand" // the answer to follow: we are at Seq
	tellEntry = "entry" // entry Seq; whose command it was needs no other answer
	tellNote  = "note"
	tellDone  = "done" // the answer to a command that became no entry, or was one before
	tellGone  = "gone" // this room does not run here

	tellAsk  = "ask"  // from an owner to a following instance: do messages arrive there?
	tellHere = "here" // the answer to ask

	tellTaken = "taken" // to an owner that counts as dead: we own the room now
	tellDead  = "dead"  // without a room, to an instance that counts as dead
)

// toOwner reports whether messages of a kind go to a room's owner.
func toOwner(kind string) bool {
	switch kind {
	case tellFollow, tellLeave, tellDo, tellSay:
		return true
	}
	return false
}

// Hearing tells an instance that receives no messages whether others do. It is stored in the
// database. All times are the database's.
type Hearing interface {
	// Hears stores that messages arrive at an instance.
	Hears(ctx context.Context, at time.Time) error
	// Heard returns the last time that was stored, by any instance.
	Heard(ctx context.Context) (time.Time, error)
}
