package room

import (
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
	Tell(to string, m Message)
	// Healthy reports whether messages to this instance arrive.
	Healthy() bool
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
	Notes    []Note           `json:"t,omitempty"` // stand: all sticky notes; note, say: the one
	Snapshot json.RawMessage  `json:"s,omitempty"` // stand: the state, if the journal does not have it
	Call     uint64           `json:"c,omitempty"` // do, done: which one
	Command  *machine.Command `json:"d,omitempty"` // do
	Repeat   bool             `json:"a,omitempty"` // done
	Code     refusal.Code     `json:"x,omitempty"` // done: refused
	Detail   json.RawMessage  `json:"y,omitempty"`
}

// Kinds of messages. The first four go to an owner, the others come from one.
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

	tellTaken = "taken" // to an owner that counts as dead: we own the room now
)

// toOwner reports whether messages of a kind go to a room's owner.
func toOwner(kind string) bool {
	switch kind {
	case tellFollow, tellLeave, tellDo, tellSay:
		return true
	}
	return false
}

// Alone reports whether there are no other instances.
func (reg *Registry) Alone() bool { return reg.link == nil }

// Hear handles a message from the registry of another instance. It returns at once.
func (reg *Registry) Hear(from string, m Message) {
	switch r := reg.running(m.Room); {
	case r != nil:
		r.role.hear(from, m)
	case m.Kind == tellEntry || m.Kind == tellNote:
		reg.tellLeft(from, m.Room)
	case toOwner(m.Kind) && m.Kind != tellLeave && !reg.opening(m.Room):
		reg.link.Tell(from, Message{Kind: tellGone, Room: m.Room})
	}
}

// tellLeft tells an instance once more that we follow a room no longer.
func (reg *Registry) tellLeft(to, room string) {
	reg.link.Tell(to, Message{Kind: tellLeave, Room: room})
}

// Missed is called when messages of another instance have been lost: what we follow
// there may have gone on. An empty name stands for all instances.
func (reg *Registry) Missed(from string) {
	reg.eachRoom(func(r *Room) { r.role.missed(from) })
}

// Lost is called when another instance is dead: it has no clients any more, and its rooms
// that we follow need another owner.
func (reg *Registry) Lost(from string) {
	reg.eachRoom(func(r *Room) { r.role.lost(from) })
}

// Silent is called when nothing has come from another instance since then. Perhaps it
// has died, which the failure detector will find out; perhaps messages are lost. A room
// that we follow there may have another owner, and the players who are connected there
// must not lose time.
func (reg *Registry) Silent(from string, since time.Time) {
	reg.eachRoom(func(r *Room) { r.role.silent(from, since) })
}

// Audible is called when something comes again from an instance that was silent.
func (reg *Registry) Audible(from string) {
	reg.eachRoom(func(r *Room) { r.role.audible(from) })
}

// running returns a room that runs here, or nil.
func (reg *Registry) running(id string) *Room {
	if v, ok := reg.rooms.Load(id); ok {
		if s := v.(*slot); s.ready.HasFired() {
			return s.room
		}
	}
	return nil
}

// opening reports whether a room is being opened here. The instance that asks about it
// will ask again.
func (reg *Registry) opening(id string) bool {
	v, ok := reg.rooms.Load(id)
	return ok && !v.(*slot).ready.HasFired()
}

// eachRoom calls f with every room that runs here.
func (reg *Registry) eachRoom(f func(*Room)) {
	reg.rooms.Range(func(_, v any) bool {
		if s := v.(*slot); s.ready.HasFired() && s.err == nil {
			f(s.room)
		}
		return true
	})
}

// nudgeAll makes every room that runs look at what is due. A room that is being opened
// does so anyway when it begins.
func (reg *Registry) nudgeAll() {
	reg.rooms.Range(func(_, v any) bool {
		if s := v.(*slot); s.ready.HasFired() && s.err == nil {
			s.room.nudge()
		}
		return true
	})
}
