package socket

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"
)

// ErrClosed is returned by Send on a socket that is closing or closed.
var ErrClosed = errors.New("socket: closed")

// ErrLagging is returned by Send for a reader that is too far behind. The frame
// was dropped, as is every other until [Handler.Drained] says that a snapshot
// can be sent instead.
var ErrLagging = errors.New("socket: the reader lags behind")

// Handler is the layer above one socket.
type Handler interface {
	// Opened is the first call, made in the goroutine that reads.
	Opened(*Socket)
	// Receive takes one text message, which is the handler's until it returns.
	// Calls come one after the other; while one runs nothing more is read and
	// no round trip can be measured, so it should hand over and return.
	Receive(msg []byte)
	// Drained says that a reader to whom frames were refused with
	// [ErrLagging] has read everything before them and needs a snapshot. It
	// may be called while Receive runs, and once even after Closed.
	Drained()
	// Closed says that the socket is gone, with the code of whoever closed
	// it first. Nothing is received after it, and it comes exactly once.
	Closed(Code)
}

// Socket is one client. Its methods are safe from any goroutine.
//
// Of a socket that is one of many nothing is near the processor, and each line of
// memory that a message has to fetch costs as much as a hundred steps: what every
// write needs is in the first 64 bytes, what every read needs in the second.
type Socket struct {
	conn *Conn    // the lowest layer, which knows whether the way is free
	out  net.Conn // conn, or the TLS connection over it

	mu       sync.Mutex // guards what is below it here, and the order of frames
	queue    []Frame    // behind what conn still has to write
	closing  bool       // a close frame is written or queued; nothing follows it
	lagging  bool
	answered bool // nothing more is expected from the peer
	closed   bool
	code     Code // of whoever closed first

	ws      *websocket.Conn // reads frames, answers pings and closes
	handler Handler
	set     *Set
	limit   *rate.Limiter // of the bytes that come, of which every message costs at least messageBytes
	rtt     atomic.Int64  // nanoseconds, 0 is unknown
	unpaid  int           // bytes that have come since; this and what follows are the reading goroutine's
	owed    int32         // bytes that are counted, but limit has not been asked for
	flooded bool
	early   bool // head is not empty

	slot int8         // when it is pinged, see Set
	head []byte       // what net/http had read beyond the handshake
	addr netip.Prefix // what it is counted under

	queued int         // bytes in queue; this and what follows is guarded by mu
	lagged time.Time   // when it last began to lag
	abort  *time.Timer // ends a closing handshake that the peer doesn't
	pingID uint64      // of the unanswered ping, 0 is none
	pingAt time.Time
}

// Send sends a frame, and never waits for the peer. After an error the frame
// is not sent: with [ErrLagging] the handler will hear when to send a snapshot
// instead, any other means that Closed has been or will be called.
func (s *Socket) Send(f Frame) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, err := s.accepts()
	switch {
	case err != nil:
		return err
	case !now:
		return s.enqueue(f)
	}
	return s.write(f.b)
}

// SendText is Send of a text frame that only this socket gets. A reader who keeps
// up costs no frame: it is put together where the next one will be.
func (s *Socket) SendText(parts ...[]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, err := s.accepts()
	switch {
	case err != nil:
		return err
	case !now:
		return s.enqueue(Text(parts...))
	}
	b := scratch.Get().(*[]byte)
	defer scratch.Put(b)
	*b = appendText((*b)[:0], parts)
	return s.write(*b)
}

// scratch lends buffers for a message that comes in or goes out, so that sockets
// on which nothing happens hold none.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

// accepts reports whether the next frame may be written at once; if not, it is
// to be queued, or an error says why it is not sent. It is called with mu held.
func (s *Socket) accepts() (now bool, err error) {
	switch {
	case s.closing:
		return false, ErrClosed
	case s.lagging:
		return false, ErrLagging
	}
	return s.free(), nil
}

// free reports whether a frame may be written now. It is called with mu held.
// If it is false because conn is busy, drained comes after mu is released.
func (s *Socket) free() bool { return len(s.queue) == 0 && !s.conn.busy() }

func (s *Socket) write(b []byte) error {
	if _, err := s.out.Write(b); err != nil {
		s.breakOff()
		return ErrClosed
	}
	return nil
}

// enqueue holds a frame until the peer has read what is before it. What does
// not fit makes the reader a lagging one: everything that waits is dropped,
// since the snapshot it will get instead says it all. One frame may always
// wait, however long, or a long snapshot could never be sent.
func (s *Socket) enqueue(f Frame) error {
	if s.queued == 0 || s.queued+f.Len() <= s.set.config.Backlog {
		s.queue = append(s.queue, f)
		s.queued += f.Len()
		return nil
	}
	s.queue, s.queued = nil, 0
	s.set.stats.lagged.Add(1)
	now := time.Now()
	again := !s.lagged.IsZero() && now.Sub(s.lagged) < s.set.config.Forgive
	s.lagged = now
	if again {
		s.closeLocked(SlowReader, "")
		return ErrClosed
	}
	s.lagging = true
	return ErrLagging
}

// coalesce is how many queued bytes go into one write: few system calls for a
// backlog, and little that can't be taken back once it is with conn.
const coalesce = 8 << 10

// drained is called by conn when the peer has read its rest.
func (s *Socket) drained() {
	s.mu.Lock()
	for len(s.queue) > 0 && !s.conn.busy() {
		b := s.queue[0].b
		n := 1
		for n < len(s.queue) && len(b)+s.queue[n].Len() <= coalesce {
			b = append(b[:len(b):len(b)], s.queue[n].b...) // a copy: frames are shared
			n++
		}
		s.queued -= len(b)
		clear(s.queue[:n])
		s.queue = s.queue[n:]
		if s.write(b) != nil {
			s.queue, s.queued = nil, 0
		}
	}
	if len(s.queue) == 0 {
		s.queue = nil
	}
	caughtUp := s.lagging && s.free() && !s.closing
	if caughtUp {
		s.lagging = false
	}
	if s.answered && s.free() {
		s.breakOff() // the last frame is out, linger may end
	}
	s.mu.Unlock()
	if caughtUp {
		s.guard(s.handler.Drained)
	}
}

// stalled is called by conn when the peer read nothing for DrainTimeout, or
// has gone. A close frame could not be delivered either: there is no room.
func (s *Socket) stalled(err error) {
	var timeout net.Error
	s.mu.Lock()
	defer s.mu.Unlock()
	if errors.As(err, &timeout) && timeout.Timeout() {
		s.blame(SlowReader)
	}
	s.breakOff()
}

// spawn runs the flusher of conn.
func (s *Socket) spawn(f func()) { s.set.wg.Go(f) }

// Close ends the socket with a code and a reason, which may be empty. It
// returns at once: frames that wait are still sent, then the close frame; the
// handler hears of it when the peer has answered or Config.CloseGrace is over.
func (s *Socket) Close(code Code, reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closeLocked(code, reason)
}

func (s *Socket) closeLocked(code Code, reason string) {
	if s.closing {
		return
	}
	s.blame(code)
	s.leave()
	f := closeFrame(code, reason)
	if s.free() {
		s.write(f.b)
		return
	}
	s.queue = append(s.queue, f)
	s.queued += f.Len()
}

// blame keeps the first reason for which the socket ends.
func (s *Socket) blame(code Code) {
	if s.code == 0 {
		s.code = code
	}
}

// leave begins the time in which the peer may answer a close.
func (s *Socket) leave() {
	s.closing = true
	if !s.closed {
		s.abort = time.AfterFunc(s.set.config.CloseGrace, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.breakOff()
		})
	}
}

// breakOff ends the connection without a handshake; the read loop notices.
func (s *Socket) breakOff() {
	s.closing = true
	s.queue, s.queued = nil, 0
	s.conn.cut()
}

// RTT returns the smoothed round trip to the client and back, as measured here
// by pings, or 0 before the first answer.
func (s *Socket) RTT() time.Duration { return time.Duration(s.rtt.Load()) }
