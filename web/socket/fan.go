package socket

import (
	"slices"
	"sync"
	"time"

	"mancala/engine/tuning"
)

// Fan sends the same frames to many sockets in order, without delaying the sender. A
// room with thousands of watchers uses one. A goroutine goes through the sockets
// while there are frames to send, and then ends. Frames that come during a round are
// sent in the next round, as one write for each socket. So a room that is faster
// than a round is batched as needed, and a slower room has no delay: no timer is
// involved.
//
// Its methods are safe from any goroutine and return at once. They lock the fan, and
// one socket at a time.
type Fan struct {
	set *Set

	mu      sync.Mutex
	members map[*Socket]*member // nil while there are none, as in most rooms
	walk    []*member           // the members as a list; nil after a change, until it is rebuilt
	sending []Frame             // of the round that runs, or of the last one; they come before pending
	pending []Frame             // the first one has number next
	next    uint64
	due     bool // pending must be sent
	walking bool
	timed   bool // a timer will make pending due
}

const (
	laterBy = 500 * time.Millisecond // how late most sockets get a frame of [Fan.Later]
	firstBy = 100 * time.Millisecond // in which the first ones get it
)

// member is a socket's place in a fan. Its lock is held for at most one write. So a
// caller that adds or removes a socket knows which frames it was sent before.
type member struct {
	mu     sync.Mutex
	socket *Socket // nil after removal
	from   uint64  // number of the next frame for this socket
}

// NewFan returns a fan for sockets of the set.
func (set *Set) NewFan() *Fan {
	return &Fan{set: set}
}

// Add makes a socket get every frame that is sent from now on. It gets no earlier
// frame that is still on its way. Adding a socket again has the same effect. A
// reader that has lagged needs this: call Add, then send it the snapshot.
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

// Remove removes a socket. After it has returned, the fan sends the socket no more
// frames.
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

// Len returns the number of sockets.
func (f *Fan) Len() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.members)
}

// Send sends a frame to every socket that was added before. It skips sockets that
// lag or have closed; their handlers are told.
func (f *Fan) Send(frame Frame) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.members) == 0 {
		return // frames are numbered for members only, and there are none
	}
	if f.start() {
		f.pending = append(f.pending, frame)
	}
}

// start makes the pending frames due. It reports false if the set drains: then no socket is left. Called
// with mu held.
func (f *Fan) start() bool {
	if !f.walking && !f.set.spawn(f.rounds) {
		return false
	}
	f.walking, f.due = true, true
	return true
}

// Later is Send for a frame that few sockets need soon. These are the first ones: they get it one after the
// other within a tenth of a second, since what they do next should not come all at once. The others get it with
// the next frame of Send, or within half a second, and frames that come meanwhile share a write with it. Sockets
// that are not in the fan get nothing.
func (f *Fan) Later(frame Frame, first ...*Socket) {
	f.mu.Lock()
	if len(f.members) == 0 {
		f.mu.Unlock()
		return
	}
	f.pending = append(f.pending, frame)
	if !f.timed {
		f.timed = true
		time.AfterFunc(laterBy, f.late)
	}
	from := f.next - uint64(len(f.sending))
	frames := slices.Concat(f.sending, f.pending)
	members := make([]*member, 0, len(first))
	for _, s := range first {
		if m := f.members[s]; m != nil {
			members = append(members, m)
		}
	}
	f.mu.Unlock()
	if len(members) == 0 {
		return
	}
	pause := firstBy / time.Duration(len(members))
	f.set.spawn(func() {
		for i, m := range members {
			if i > 0 {
				time.Sleep(pause)
			}
			m.send(from, frames, nil)
		}
	})
}

// late sends what [Fan.Later] has put off.
func (f *Fan) late() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.timed = false
	if len(f.pending) > 0 {
		f.start()
	}
}

// send sends those of the frames that the socket was not sent yet. first is the number of the first one.
// joined is all frames, for a socket that was sent none; it may be nil.
func (m *member) send(first uint64, frames, joined []Frame) {
	m.mu.Lock()
	defer m.mu.Unlock()
	skip := m.from - min(first, m.from)
	if m.socket == nil || skip >= uint64(len(frames)) {
		return
	}
	m.from = first + uint64(len(frames))
	if skip > 0 || joined == nil { // the socket was added between two frames, or was sent some before others
		_ = m.socket.SendAll(frames[skip:]...)
		return
	}
	sendAll(m.socket, joined)
}

// breath is how many sockets are written to before other goroutines may go first. The writes of short frames
// take less than a millisecond.
const breath = 32

// rounds sends pending frames until none is left.
func (f *Fan) rounds() {
	for {
		f.mu.Lock()
		if !f.due {
			f.walking, f.sending = false, nil
			f.mu.Unlock()
			return
		}
		first, frames := f.next, f.pending
		f.pending, f.sending, f.due = nil, frames, false
		f.next += uint64(len(frames))
		if f.walk == nil {
			f.walk = make([]*member, 0, len(f.members))
			for _, m := range f.members {
				f.walk = append(f.walk, m)
			}
		}
		walk := f.walk
		f.mu.Unlock()

		batch := joined(frames)
		for i, m := range walk {
			if i%breath == breath-1 {
				tuning.Yield() // a tournament has thousands of followers, and moves of games go before them
			}
			m.send(first, frames, batch)
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

// joined packs frames into few writes. The number of system calls costs more than
// the number of bytes.
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
