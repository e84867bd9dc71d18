package socket

import (
	"errors"
	"net"
	"slices"
	"time"
)

// errFlood is what the library reads from a client that sends too much.
var errFlood = errors.New("socket: the peer sends too much")

// stream is the connection as the library sees it. It counts every received byte,
// and keeps the library's frames in order with those of Send.
type stream Socket

// Read reads from the client. It counts bytes, not messages, so that pongs, empty
// fragments and endless messages count as floods, too.
func (st *stream) Read(p []byte) (int, error) {
	s := (*Socket)(st)
	if s.flooded {
		return 0, errFlood
	}
	if s.early {
		n := copy(p, s.head)
		s.head = s.head[n:]
		s.early = len(s.head) > 0
		return n, nil
	}
	n, err := s.out.Read(p)
	if s.unpaid += n; s.unpaid > messageBytes && !s.pay(0) {
		return 0, errFlood
	}
	return n, err
}

// Write takes the library's own frames: pongs and closes. Each comes in one call,
// because the library's buffer holds the longest control frame. A frame after our
// close frame would break the protocol and is dropped.
func (st *stream) Write(p []byte) (int, error) {
	s := (*Socket)(st)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return len(p), nil
	}
	if p[0]&0xf == opClose {
		s.leave()
	}
	switch {
	case s.free():
		if err := s.write(p); err != nil {
			return 0, err
		}
	case s.queued+len(p) <= s.set.config.Backlog:
		s.queue = append(s.queue, Frame{slices.Clone(p)})
		s.queued += len(p)
	}
	return len(p), nil
}

// Close does nothing. The library closes as soon as it has written its last frame,
// which may still be waiting here. The read loop closes the connection instead.
func (st *stream) Close() error { return nil }

// The library does not use the other methods of net.Conn, but Hijack must return
// one.

func (st *stream) LocalAddr() net.Addr                { return st.out.LocalAddr() }
func (st *stream) RemoteAddr() net.Addr               { return st.out.RemoteAddr() }
func (st *stream) SetDeadline(t time.Time) error      { return st.out.SetDeadline(t) }
func (st *stream) SetReadDeadline(t time.Time) error  { return st.out.SetReadDeadline(t) }
func (st *stream) SetWriteDeadline(t time.Time) error { return st.out.SetWriteDeadline(t) }
