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

// Alone says that there are no other instances.
func (reg *Registry) Alone() bool { return reg.link == nil }

// Hear takes what another registry has told us. It returns at once.
func (reg *Registry) Hear(from string, m Message) {
	r := reg.running(m.Room)
	switch m.Kind {
	case tellFollow, tellLeave, tellDo, tellSay:
		if r == nil || r.replica != nil {
			if m.Kind != tellLeave && !reg.opening(m.Room) {
				reg.link.Tell(from, Message{Kind: tellGone, Room: m.Room})
			}
			return
		}
		r.hearPeer(from, m)
	default:
		if r != nil && r.replica != nil {
			r.replica.hear(r, from, m)
		} else if m.Kind == tellEntry || m.Kind == tellNote {
			reg.link.Tell(from, Message{Kind: tellLeave, Room: m.Room}) // it has not heard that we left
		}
	}
}

// Missed says that messages of another instance have been lost: what we follow
// there may have gone on. With an empty name that goes for all.
func (reg *Registry) Missed(from string) {
	reg.eachRoom(func(r *Room) {
		if r.replica != nil {
			r.replica.renew(r, from)
		}
	})
}

// Lost says that another instance is no more: nobody is connected there, and what
// we follow there must be looked for.
func (reg *Registry) Lost(from string) {
	reg.eachRoom(func(r *Room) {
		if r.replica != nil {
			r.replica.lose(r, from)
		} else {
			r.hearPeer(from, Message{Kind: tellLeave})
		}
	})
}

// running gives a room that runs here, or nil.
func (reg *Registry) running(id string) *Room {
	if v, ok := reg.rooms.Load(id); ok {
		if s := v.(*slot); s.ready.HasFired() {
			return s.room
		}
	}
	return nil
}

// opening says whether a room is being opened here: who asks will ask again.
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
