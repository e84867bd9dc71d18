package socket

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

func eachLayer(t *testing.T, f func(*testing.T, layer)) {
	for name, l := range map[string]layer{"plain": plain, "tls": secure, "tls without listener": secureAlone} {
		t.Run(name, func(t *testing.T) { f(t, l) })
	}
}

// slow holds settings under which a stopped reader is noticed at once.
var slow = Config{WriteBuffer: 4 << 10, Backlog: 16 << 10}

func numbered(i int) Frame { return Text(fmt.Appendf(nil, "%06d %s", i, strings.Repeat("x", 240))) }

func TestOrderIsKeptThroughABacklog(t *testing.T) {
	eachLayer(t, func(t *testing.T, l layer) {
		config := slow
		config.Backlog = 8 << 20
		s := serve(t, config, l)
		c, _, sock := s.join(dialOptions{tiny: true})
		const n = 5000
		for i := range n { // the client reads nothing yet: nearly all frames must queue
			if err := sock.Send(numbered(i)); err != nil {
				t.Fatalf("frame %d: %v", i, err)
			}
		}
		if sock.held() == 0 {
			t.Error("the test is void: the kernel took everything")
		}
		for i := range n {
			if got := c.message(); !strings.HasPrefix(got, fmt.Sprintf("%06d ", i)) {
				t.Fatalf("message %d is %.10q", i, got)
			}
		}
	})
}

// Frames that are sent together share writes, and some of them wait for the reader.
func TestFramesSentTogetherArriveInOrder(t *testing.T) {
	eachLayer(t, func(t *testing.T, l layer) {
		config := slow
		config.Backlog = 8 << 20
		s := serve(t, config, l)
		c, _, sock := s.join(dialOptions{tiny: true})
		frames := make([]Frame, 5000)
		for i := range frames {
			frames[i] = numbered(i)
		}
		long := strings.Repeat("y", 3*coalesce)
		frames = append(frames, Text([]byte(long)), numbered(0))
		if err := sock.SendAll(frames...); err != nil {
			t.Fatal(err)
		}
		if sock.held() == 0 {
			t.Error("the test is void: the kernel took everything")
		}
		for i := range 5000 {
			if got := c.message(); !strings.HasPrefix(got, fmt.Sprintf("%06d ", i)) || len(got) != 247 {
				t.Fatalf("message %d is %.10q", i, got)
			}
		}
		if got := c.message(); got != long {
			t.Errorf("the long message has %d bytes", len(got))
		}
		if got := c.message(); !strings.HasPrefix(got, "000000 ") {
			t.Errorf("the last message is %.10q", got)
		}
		for _, few := range [][]Frame{{numbered(1)}, {numbered(2), numbered(3)}, nil} { // a reader that keeps up
			if err := sock.SendAll(few...); err != nil {
				t.Fatal(err)
			}
			for _, f := range few {
				if got := c.message(); got != string(f.Payload()) {
					t.Errorf("got %.10q, want %.10q", got, f.Payload())
				}
			}
		}
	})
}

func TestLaggingReaderGetsASnapshotAndOneMoreChance(t *testing.T) {
	eachLayer(t, func(t *testing.T, l layer) {
		s := serve(t, slow, l)
		c, p, sock := s.join(dialOptions{tiny: true})
		lag := func() (sent int, err error) {
			for err == nil {
				err = sock.Send(numbered(sent))
				sent++
			}
			return sent - 1, err
		}
		sent, err := lag()
		if err != ErrLagging {
			t.Fatalf("after %d frames: %v", sent, err)
		}
		if held := sock.held(); held > slow.Backlog {
			t.Errorf("%d bytes are held for a lagging reader", held)
		}
		if s.set.Stats().Lagged != 1 {
			t.Error("the lag was not counted")
		}
		// The reader resumes: the written frames arrive in order, then the snapshot.
		last := make(chan int)
		go func() {
			n := 0
			for {
				msg := c.message()
				if msg == "snapshot" {
					last <- n
					return
				}
				if !strings.HasPrefix(msg, fmt.Sprintf("%06d ", n)) {
					t.Errorf("message %d is %.10q", n, msg)
				}
				n++
			}
		}()
		next(t, "Drained", p.drained)
		if err := sock.Send(Text([]byte("snapshot"))); err != nil {
			t.Errorf("the snapshot was refused: %v", err)
		}
		if n := next(t, "the snapshot", last); n >= sent {
			t.Errorf("%d of %d frames arrived, though the queue was dropped", n, sent)
		}
		// When it lags again soon after, it is closed and told to reconnect.
		if _, err := lag(); err != ErrClosed {
			t.Fatalf("lagging again: %v", err)
		}
		if code, _ := c.close(); code != SlowReader {
			t.Errorf("closed with %v, want slow-reader", code)
		}
	})
}

// held returns the bytes that a socket keeps in memory for its reader.
func (s *Socket) held() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	return s.queued + len(s.conn.rest)
}

func TestStalledReaderIsClosedAndDelaysNoOther(t *testing.T) {
	eachLayer(t, func(t *testing.T, l layer) {
		config := slow
		config.DrainTimeout = 100 * time.Millisecond
		s := serve(t, config, l)
		_, stalled, dead := s.join(dialOptions{tiny: true})
		good, _, alive := s.join(dialOptions{})
		for i := 0; ; i++ {
			err := dead.Send(numbered(i))
			if dead.held() > 2*config.Backlog {
				t.Fatalf("%d bytes are held for a stalled reader", dead.held())
			}
			if err := alive.Send(numbered(i)); err != nil {
				t.Fatal(err)
			}
			if got := good.message(); !strings.HasPrefix(got, fmt.Sprintf("%06d ", i)) {
				t.Fatalf("message %d is %.10q", i, got)
			}
			if err == ErrClosed {
				break
			}
			runtime.Gosched()
		}
		if code := next(t, "Closed", stalled.closed); code != SlowReader {
			t.Errorf("Closed(%v), want slow-reader", code)
		}
	})
}
