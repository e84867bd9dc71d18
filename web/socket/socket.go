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

// ErrLagging is returned by Send for a reader that is too far behind. This frame is
// dropped, and so is every later one until [Handler.Drained] asks for a snapshot.
var ErrLagging = errors.New("socket: the reader lags behind")

// Handler is the layer above one socket.
type Handler interface {
	// Opened is the first call. It is made in the reading goroutine.
	Opened(*Socket)
	// Receive gets one text message. The handler must not keep msg after it returns.
	// The calls come one after the other. While one runs, nothing more is read and
	// no round trip can be measured. So Receive should hand its work over and
	// return.
	Receive(msg []byte)
	// Drained is called when a reader that was refused frames with [ErrLagging] has
	// read everything before them. The handler must now send a snapshot. The call
	// may come while Receive runs, and once even after Closed.
	Drained()
	// Closed is called exactly once, when the socket has ended. The code is that of
	// the side that closed first. Nothing is received after it.
	Closed(Code)
}

// Socket is one client's connection. Its methods are safe from any goroutine.
type Socket struct {
	conn *Conn    // the lowest layer, which knows whether a write can go out now
	out  net.Conn // conn, or the TLS connection over it

	mu       sync.Mutex // guards the fields below in this group, and the order of frames
	queue    []Frame    // frames that wait behind the bytes in conn
	closing  bool       // a close frame is written or queued; no frame may follow it
	lagging  bool
	answered bool // nothing more is expected from the peer
	closed   bool
	code     Code // of the side that closed first

	ws      *websocket.Conn // reads frames, answers pings and closes
	handler Handler
	set     *Set
	limit   *rate.Limiter // limits received bytes; every message counts at least messageBytes
	rtt     atomic.Int64  // nanoseconds; 0: unknown
	unpaid  int           // bytes received since the last call of pay; only the reading goroutine uses this field and those down to early
	owed    int32         // bytes that are counted, but that limit has not been asked for
	flooded bool
	early   bool // head is not empty

	slot int8         // the turn in which it is pinged, see Set
	head []byte       // bytes that net/http had read beyond the handshake
	addr netip.Prefix // the prefix under which it is counted

	queued int         // bytes in queue; mu guards this field and those below
	lagged time.Time   // when the reader last began to lag
	abort  *time.Timer // ends a closing handshake that the peer does not end
	pingID uint64      // the payload of the unanswered ping; 0: none
	pingAt time.Time
}

// Send sends a frame, and never waits for the peer. After an error the frame is not sent.
// After [ErrLagging] the handler is asked for a snapshot instead. Any other error means
// that Closed has been or will be called.
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

// SendAll sends frames one after the other, as [Socket.Send] does. If the reader keeps up, short
// frames share a write.
func (s *Socket) SendAll(frames ...Frame) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	shared := scratch.Get().(*[]byte)
	defer scratch.Put(shared)
	for len(frames) > 0 {
		now, err := s.accepts()
		switch {
		case err != nil:
			return err
		case !now:
			if err := s.enqueue(frames[0]); err != nil {
				return err
			}
			frames = frames[1:]
			continue
		}
		b, n := frames[0].b, 1
		for n < len(frames) && len(b)+frames[n].Len() <= coalesce {
			if n == 1 {
				b = append((*shared)[:0], b...) // a copy: frames are shared
			}
			b = append(b, frames[n].b...)
			*shared = b
			n++
		}
		frames = frames[n:]
		if err := s.write(b); err != nil {
			return err
		}
	}
	return nil
}

// SendText sends a text frame that only this socket gets. If the reader keeps up,
// the frame is built in a shared buffer and allocates nothing.
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

// scratch lends buffers for messages in both directions, so that idle sockets hold
// none.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

// accepts reports whether the next frame may be written now. If it may not, and err
// is nil, the frame must be queued. Called with mu held.
func (s *Socket) accepts() (now bool, err error) {
	switch {
	case s.closing:
		return false, ErrClosed
	case s.lagging:
		return false, ErrLagging
	}
	return s.free(), nil
}

// free reports whether a frame may be written now. If it returns false because conn
// is busy, drained is called after mu is released. Called with mu held.
func (s *Socket) free() bool { return len(s.queue) == 0 && !s.conn.busy() }

func (s *Socket) write(b []byte) error {
	if _, err := s.out.Write(b); err != nil {
		s.breakOff()
		return ErrClosed
	}
	return nil
}

// enqueue holds a frame until the peer has read the earlier ones. If the frame does
// not fit, the reader counts as lagging and everything that waits is dropped: the
// snapshot that the reader will get replaces it. A single frame of any length may
// wait, because otherwise a long snapshot could never be sent.
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

// coalesce is the number of queued bytes that go into one write. A larger number
// saves system calls. A smaller one leaves more frames that can still be dropped.
const coalesce = 8 << 10

// drained is called by conn when the peer has read the rest.
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
		s.breakOff() // the last frame is written, so linger may end
	}
	s.mu.Unlock()
	if caughtUp {
		s.guard(s.handler.Drained)
	}
}

// stalled is called by conn when the peer read nothing for DrainTimeout, or has
// gone. A close frame could not be delivered either, because the buffers are full.
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

// Close ends the socket with a code and a reason, which may be empty. It returns at
// once. Waiting frames are sent first, then the close frame. The handler's Closed is
// called when the peer has answered or Config.CloseGrace is over.
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

// blame keeps the first code with which the socket ends.
func (s *Socket) blame(code Code) {
	if s.code == 0 {
		s.code = code
	}
}

// leave starts the period in which the peer may answer a close.
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

// breakOff ends the connection without a closing handshake. The read loop notices
// it.
func (s *Socket) breakOff() {
	s.closing = true
	s.queue, s.queued = nil, 0
	s.conn.cut()
}

// RTT returns the smoothed round-trip time to the client. Pings measure it here. It
// is 0 before the first answer.
func (s *Socket) RTT() time.Duration { return time.Duration(s.rtt.Load()) }
