package room

import (
	"encoding/json"

	"mancala/match/machine"
	"mancala/match/refusal"
)

// Link carries what registries of different instances tell each other. A registry
// without one is alone, and pays nothing for this.
type Link interface {
	// Tell hands a message to the registry of another instance. It does not wait,
	// and the message may be lost. Nothing of it is read after Tell returns: a
	// command's body is lent.
	Tell(to string, m Message)
	// Healthy says whether what others tell us arrives.
	Healthy() bool
}

// Message is what one registry tells another about a room. Either may be lost, late
// or doubled, and nothing that matters rests on it: entries are in the journal,
// commands are repeated, who follows says so again and again.
type Message struct {
	Kind  string `json:"k"`
	Room  string `json:"r"`
	Epoch uint64 `json:"e,omitempty"` // of the owner who says it
	Seq   uint64 `json:"n,omitempty"` // see the kinds

	Entry    json.RawMessage  `json:"b,omitempty"` // entry: as it is in the journal
	Players  []string         `json:"p,omitempty"` // follow: those of the roster who have a socket there
	Watchers int              `json:"w,omitempty"` // follow: how many others
	Notes    []Note           `json:"t,omitempty"` // stand: all that stand; note, say: the one
	Snapshot json.RawMessage  `json:"s,omitempty"` // stand: the state, if the journal does not have it
	Call     uint64           `json:"c,omitempty"` // do, done: which one
	Command  *machine.Command `json:"d,omitempty"` // do
	Repeat   bool             `json:"a,omitempty"` // done
	Code     refusal.Code     `json:"x,omitempty"` // done: refused
	Detail   json.RawMessage  `json:"y,omitempty"`
}

// Kinds of messages. The first four go to an owner, the others come from one.
const (
	tellFollow = "follow" // we follow, have reached Seq, and these people are here; said again every few seconds
	tellLeave  = "leave"  // nobody follows here any more
	tellDo     = "do"     // a player's command
	tellSay    = "say"    // a player's note

	tellStand = "stand" // the answer to follow: we are at Seq
	tellEntry = "entry" // entry Seq; whose command it was needs no other answer
	tellNote  = "note"
	tellDone  = "done" // the answer to a command that became no entry, or has been one before
	tellGone  = "gone" // this room does not run here
)

// toOwner reports whether messages of a kind go to a room's owner.
func toOwner(kind string) bool {
	switch kind {
	case tellFollow, tellLeave, tellDo, tellSay:
		return true
	}
	return false
}
