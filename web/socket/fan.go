package socket

import (
	"slices"
	"sync"
)

// Fan sends the same frames to many sockets, in order, without keeping the
// sender: its spectators, when a room has thousands. A goroutine walks round
// them while there is something to send and ends when there is not. What comes
// during a round goes out with the next as one write for each socket, so a room
// that is faster than a round is batched by as much as it has to be, and one
// that is slower not at all: there is no timer to wait for.
//
// Its methods are safe from any goroutine and return at once. They take no lock
// but their own and, in turn, that of a socket.
type Fan struct {
	set *Set

	mu      sync.Mutex
	members map[*Socket]*member // nil while there are none, as in nearly every room
	walk    []*member           // members in a row, rebuilt after a change: nil
	pending []Frame             // numbered from next on
	next    uint64
	walking bool
}

// member is a socket's place in a fan. Its lock is held for one write at most,
// so that whoever adds or removes a socket knows what it was sent before.
type member struct {
	mu     sync.Mutex
	socket *Socket // nil once it is removed
	from   uint64  // number of the first frame that is for it
}

// NewFan returns a fan for sockets of the set.
func (set *Set) NewFan() *Fan {
	return &Fan{set: set}
}

// Add makes a socket get every frame that is sent from now on, and none that
// was sent before and is still on its way. Adding it again does the same, which
// is what a reader needs that has lagged: Add, then send it the snapshot.
func (f *Fan) Add(s *Socket) {
	f.mu.Lock()
	from := f.next + uint64(len(f.pending))
	m := f.members[s]
	if m == nil {
		if f.members == nil {
			f.members = map[*Socket]*member{}
		}
		f.members[s] = &member{socket: s, from: from}
		f.walk = nil
	}
	f.mu.Unlock()
	if m != nil {
		m.mu.Lock()
		m.from = max(m.from, from)
		m.mu.Unlock()
	}
}

// Remove ends that. No frame of the fan follows once it has returned.
func (f *Fan) Remove(s *Socket) {
	f.mu.Lock()
	m := f.members[s]
	if delete(f.members, s); len(f.members) == 0 {
		f.members = nil
	}
	f.walk = nil
	f.mu.Unlock()
	if m != nil {
		m.mu.Lock()
		m.socket = nil
		m.mu.Unlock()
	}
}

// Len returns how many sockets there are.
func (f *Fan) Len() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.members)
}

// Send sends a frame to every socket that was added before. Those that lag or
// have gone are passed over; their handlers know.
func (f *Fan) Send(frame Frame) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.members) == 0 {
		return // numbering is for members only, and there are none
	}
	if !f.walking && !f.set.spawn(f.rounds) {
		return // the set drains: nobody is left to send to
	}
	f.walking = true
	f.pending = append(f.pending, frame)
}

// rounds walks until nothing is left to send.
func (f *Fan) rounds() {
	for {
		f.mu.Lock()
		first, frames := f.next, f.pending
		f.pending = nil
		f.next += uint64(len(frames))
		if len(frames) == 0 {
			f.walking = false
			f.mu.Unlock()
			return
		}
		if f.walk == nil {
			f.walk = make([]*member, 0, len(f.members))
			for _, m := range f.members {
				f.walk = append(f.walk, m)
			}
		}
		walk := f.walk
		f.mu.Unlock()

		batch := joined(frames)
		for _, m := range walk {
			m.mu.Lock()
			switch skip := m.from - min(first, m.from); {
			case m.socket == nil || skip >= uint64(len(frames)):
			case skip == 0:
				sendAll(m.socket, batch)
			default: // came between two frames of this batch
				sendAll(m.socket, frames[skip:])
			}
			m.mu.Unlock()
		}
	}
}

func sendAll(s *Socket, frames []Frame) {
	for _, f := range frames {
		if s.Send(f) != nil {
			return
		}
	}
}

// joined packs frames into few writes. The kernel cares how often it is called
// far more than with how much.
func joined(frames []Frame) []Frame {
	if len(frames) == 1 {
		return frames
	}
	var all []Frame
	for len(frames) > 0 {
		b := slices.Clip(frames[0].b)
		frames = frames[1:]
		for len(frames) > 0 && len(b)+frames[0].Len() <= coalesce {
			b = append(b, frames[0].b...)
			frames = frames[1:]
		}
		all = append(all, Frame{b})
	}
	return all
}
