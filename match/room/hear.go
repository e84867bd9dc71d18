package room

import "time"

// Alone reports whether there are no other instances.
func (reg *Registry) Alone() bool { return reg.link == nil }

// Hear takes in a message from the registry of another instance. It returns at once.
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

// Lost is called when another instance is dead: nobody is connected there, and its rooms
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
