package socket

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"runtime/debug"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"
)

// read runs in the socket's goroutine from the start to the end of the socket.
func (s *Socket) read() {
	s.ping()
	err := s.readMessages()
	code := Code(websocket.CloseStatus(err)) // -1 converts to 65535: no close frame came
	answered := websocket.CloseStatus(err) != -1
	if errors.Is(err, errFlood) {
		s.Close(Flooding, "")
	}

	s.mu.Lock()
	if answered {
		s.blame(code)
	} else if s.closing {
		s.blame(ProtocolError) // the library has sent this code to the peer
	}
	s.blame(Abnormal)
	code = s.code
	s.mu.Unlock()

	s.part(answered || errors.Is(err, io.EOF))
	if code != Abnormal && !errors.Is(err, io.EOF) {
		s.set.config.Logger.Debug("socket closed", "code", code, "err", err)
	}
	s.set.remove(s, code)
	s.guard(func() { s.handler.Closed(code) })
}

// readMessages hands messages to the handler until the connection ends, the peer
// closes it, or the socket is closed for something that the peer did.
func (s *Socket) readMessages() error {
	if !s.guard(func() { s.handler.Opened(s) }) {
		return nil
	}
	for {
		kind, r, err := s.ws.Reader(context.Background())
		if err != nil {
			return err
		}
		if kind != websocket.MessageText {
			s.Close(BadMessage, "text only")
			return nil
		}
		if !s.pay(messageBytes) {
			return errFlood
		}
		buf := scratch.Get().(*[]byte)
		more, err := s.deliver(r, buf)
		scratch.Put(buf)
		if !more {
			return err
		}
	}
}

// deliver hands one message to the handler, and reports whether more may come.
func (s *Socket) deliver(r io.Reader, buf *[]byte) (more bool, err error) {
	msg, err := s.message(r, buf)
	switch {
	case err != nil:
		return false, err
	case msg == nil:
		s.Close(TooLarge, "")
		return false, nil
	case s.isClosing():
		return true, nil // only the peer's answer to the close matters now
	case !utf8.Valid(msg):
		s.Close(InvalidText, "")
		return false, nil
	}
	return s.guard(func() { s.handler.Receive(msg) }), nil
}

// message reads one message into buf. It returns nil for a message that is too long.
func (s *Socket) message(r io.Reader, buf *[]byte) ([]byte, error) {
	limit := s.set.config.ReadLimit
	b := (*buf)[:0]
	for {
		b = slices.Grow(b, readBuffer)
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		*buf = b
		switch {
		case len(b) > limit:
			return nil, nil
		case err == io.EOF:
			return b, nil
		case err != nil:
			return nil, err
		}
	}
}

// guard calls the handler and reports whether the call returned. A panic closes only
// this client's socket; the server goes on.
func (s *Socket) guard(call func()) (ok bool) {
	defer func() {
		if !ok {
			s.set.config.Logger.Error("socket: handler panicked",
				slog.Any("panic", recover()), slog.String("stack", string(debug.Stack())))
			s.Close(Internal, "")
		}
	}()
	call()
	return true
}

func (s *Socket) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing
}

// part ends the connection after the peer has received the waiting frames. answered
// reports that nothing more is expected from the peer.
func (s *Socket) part(answered bool) {
	s.mu.Lock()
	s.answered = answered
	wait := s.closing && (!answered || !s.free())
	s.mu.Unlock()
	if wait {
		s.linger()
	}
	s.finish()
}

// linger reads on after a close frame until the peer hangs up or its time is over.
// Closing with unread bytes would reset the connection, and the peer would not see
// the reason. linger reads little, because the reason may be a flood.
func (s *Socket) linger() {
	p := make([]byte, 4<<10)
	for range 64 {
		if _, err := s.out.Read(p); err != nil {
			return
		}
	}
}

// finish releases everything that the socket holds.
func (s *Socket) finish() {
	s.ws.CloseNow() // frees the library's memory; the connection is ours
	s.mu.Lock()
	s.closing, s.closed = true, true
	s.queue, s.queued = nil, 0
	if s.abort != nil {
		s.abort.Stop()
	}
	s.mu.Unlock()
	s.out.Close() // over TLS this tells the peer
}

// pinged counts a client's ping as a message, because the server must answer it.
func (s *Socket) pinged(context.Context, []byte) bool { return s.pay(messageBytes) }

// pay counts the bytes that the client has sent since the last call, but at least
// least. It reports whether the client is within its allowance. It asks the limiter
// for several messages at once.
func (s *Socket) pay(least int) bool {
	s.owed += int32(max(s.unpaid, least))
	s.unpaid = 0
	if int(s.owed) >= s.set.config.tab() {
		s.flooded = s.flooded || !s.limit.AllowN(time.Now(), int(s.owed))
		s.owed = 0
	}
	return !s.flooded
}
