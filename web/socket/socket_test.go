package socket

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestMessagesOfEverySizeGoBothWays(t *testing.T) {
	for name, l := range map[string]layer{"plain": plain, "tls": secure, "tls without listener": secureAlone, "plain without listener": plainAlone} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, Config{}, l)
			c, p, sock := s.join(dialOptions{})
			for _, msg := range []string{"", "move", strings.Repeat("x", 125), strings.Repeat("y", 126), strings.Repeat("z", 70_000)} {
				if err := sock.Send(Text([]byte(msg))); err != nil {
					t.Fatal(err)
				}
				if got := c.message(); got != msg {
					t.Fatalf("client got %d bytes, want %d", len(got), len(msg))
				}
				if len(msg) < 10_000 {
					c.text(msg)
					if got := next(t, "a message", p.got); got != msg {
						t.Fatalf("server got %d bytes, want %d", len(got), len(msg))
					}
				}
			}
			sock.Send(Text([]byte(`{"ev":1`), []byte(`,"ack":"c7"}`)))
			if got := c.message(); got != `{"ev":1,"ack":"c7"}` {
				t.Errorf("parts arrived as %s", got)
			}
			c.frame(finClose, "\x03\xe9") // 1001: the page was left
			if code, _ := c.close(); code != GoingAway {
				t.Errorf("close answered with %v", code)
			}
			if code := next(t, "Closed", p.closed); code != GoingAway {
				t.Errorf("Closed(%v), want going-away", code)
			}
			if err := sock.Send(Text(nil)); err != ErrClosed {
				t.Errorf("Send after the close: %v", err)
			}
		})
	}
}

// A client may send any amount before the server has answered. net/http has read
// some of it with the request.
func TestMessagesSentWithTheRequestArrive(t *testing.T) {
	for name, l := range map[string]layer{"plain": plain, "tls": secure} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, Config{}, l)
			long := strings.Repeat("x", 9000)
			sent := []string{"first", long, "last", "later"}
			var early []byte
			for _, msg := range sent[:3] {
				early = append(early, masked(finText, msg)...)
			}
			c, p, _ := s.join(dialOptions{early: string(early)})
			c.text(sent[3])
			for _, msg := range sent {
				if got := next(t, "a message", p.got); got != msg {
					t.Fatalf("server got %.20q of %d bytes, want %.20q of %d", got, len(got), msg, len(msg))
				}
			}
		})
	}
}

func TestCloseDeliversWhatWasSentBefore(t *testing.T) {
	s := serve(t, Config{}, plain)
	c, p, sock := s.join(dialOptions{})
	sock.Send(Text([]byte("last words")))
	sock.Close(Superseded, "another tab")
	sock.Close(Restarting, "too late to be the reason")
	if got := c.message(); got != "last words" {
		t.Errorf("got %q", got)
	}
	if code, reason := c.close(); code != Superseded || reason != "another tab" {
		t.Errorf("closed with %v %q", code, reason)
	}
	c.frame(finClose, "\x11\x97")
	if code := next(t, "Closed", p.closed); code != Superseded {
		t.Errorf("Closed(%v)", code)
	}
	if op, _, err := c.next(); err == nil {
		t.Errorf("opcode %x after the close frame", op)
	}
}

func TestPeerThatIgnoresACloseIsCutOff(t *testing.T) {
	s := serve(t, Config{CloseGrace: time.Millisecond}, plain)
	_, p, sock := s.join(dialOptions{})
	sock.Close(Superseded, "")
	if code := next(t, "Closed", p.closed); code != Superseded {
		t.Errorf("Closed(%v)", code)
	}
}

func TestRoundTripIsMeasured(t *testing.T) {
	s := serve(t, Config{PingInterval: 16 * time.Millisecond}, plain)
	c, _, sock := s.join(dialOptions{})
	if rtt := sock.RTT(); rtt != 0 {
		t.Errorf("round trip %v before any answer", rtt)
	}
	_, first, err := c.next()
	if err != nil || len(first) != 8 {
		t.Fatalf("first ping %x, %v", first, err)
	}
	c.frame(0x8a, "forged  ") // a pong without a ping is not measured
	c.frame(0x8a, "")
	c.frame(0x8a, string(first))
	waitFor(t, "a round trip", func() bool { return sock.RTT() > 0 })
	for range 3 { // pings continue
		op, p, err := c.next()
		if err != nil || op != opPing {
			t.Fatalf("opcode %x, %v", op, err)
		}
		c.frame(0x8a, string(p))
	}
}

func TestHalfOpenPeerIsClosed(t *testing.T) {
	s := serve(t, Config{PingInterval: 16 * time.Millisecond, PongTimeout: 20 * time.Millisecond, CloseGrace: time.Millisecond}, plain)
	_, p, _ := s.join(dialOptions{}) // the client reads nothing and answers nothing
	if code := next(t, "Closed", p.closed); code != NoPong {
		t.Errorf("Closed(%v), want no-pong", code)
	}
}

func TestFrameHeadersAreReadBack(t *testing.T) {
	for _, size := range []int{0, 125, 126, 65535, 65536} {
		msg := strings.Repeat("m", size)
		if got := Text([]byte(msg)).Payload(); string(got) != msg {
			t.Errorf("payload of %d bytes came back with %d", size, len(got))
		}
	}
	long := closeFrame(Restarting, strings.Repeat("é", 100))
	if reason := string(long.b[4:]); len(long.b) > 127 || reason != strings.Repeat("é", 61) {
		t.Errorf("long reason was cut to %q", reason)
	}
	if fmt.Sprint(SlowReader, Code(1011)) != "slow-reader 1011" {
		t.Errorf("codes are called %v %v", SlowReader, Code(1011))
	}
	for _, c := range []Code{Restarting, SlowReader, Abnormal, GoingAway} {
		if !c.Reconnect() {
			t.Errorf("%v should ask for a reconnect", c)
		}
	}
	for _, c := range []Code{BadMessage, Flooding, ProtocolError} {
		if c.Reconnect() {
			t.Errorf("%v should be final", c)
		}
	}
}
