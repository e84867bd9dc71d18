package socket

import (
	"bytes"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestHostileFramesEndTheConnection(t *testing.T) {
	// Many at once: on a busy machine, short writes may be slower than the limit, which counts bytes too.
	flood := func(b []byte) func(*client) {
		b = bytes.Repeat(b, 64<<10/len(b)+1)
		return func(c *client) {
			go func() {
				for c.raw(b) == nil {
				}
			}()
		}
	}
	for name, tt := range map[string]struct {
		do   func(*client)
		want Code
	}{
		"too large":              {func(c *client) { c.text(strings.Repeat("x", 2049)) }, TooLarge},
		"too large in fragments": {flood(masked(0x00, strings.Repeat("x", 100))), TooLarge},
		"announces exabytes": {func(c *client) {
			c.raw([]byte{0x81, 0xff, 0x7f, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0})
			flood([]byte(strings.Repeat("x", 1000)))(c)
		}, TooLarge},
		"negative length":         {func(c *client) { c.raw([]byte{0x81, 0xff, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0}) }, Abnormal},
		"binary":                  {func(c *client) { c.frame(0x82, "move") }, BadMessage},
		"not UTF-8":               {func(c *client) { c.text("caf\xe9") }, InvalidText},
		"half a letter":           {func(c *client) { c.text("caf\xc3") }, InvalidText},
		"reserved bit":            {func(c *client) { c.frame(finText|0x40, "move") }, ProtocolError},
		"unknown opcode":          {func(c *client) { c.frame(0x83, "move") }, ProtocolError},
		"not masked":              {func(c *client) { c.raw([]byte{finText, 1, 'x'}) }, Abnormal},
		"message flood":           {flood(masked(finText, "again")), Flooding},
		"ping flood":              {flood(masked(0x89, "")), Flooding},
		"pong flood":              {flood(masked(0x8a, "")), Flooding},
		"flood of empty parts":    {flood(masked(0x00, "")), Flooding},
		"fragmented control":      {func(c *client) { c.frame(0x09, "") }, ProtocolError},
		"continues nothing":       {func(c *client) { c.frame(0x80, "x") }, ProtocolError},
		"close with a wrong code": {func(c *client) { c.frame(finClose, "\x03\xed") }, ProtocolError},
		"close with half a code":  {func(c *client) { c.frame(finClose, "\x03") }, ProtocolError},
		"vanishes":                {func(c *client) { c.conn.Close() }, Abnormal},
		"vanishes in a frame":     {func(c *client) { c.raw([]byte{0x81}); c.conn.Close() }, Abnormal},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, Config{ReadLimit: 2048, CloseGrace: 50 * time.Millisecond}, plain)
			c, p, _ := s.join(dialOptions{})
			bystander, _, quiet := s.join(dialOptions{})
			if strings.Contains(name, "fragments") || strings.Contains(name, "parts") {
				c.frame(0x01, "begins")
			}
			tt.do(c)
			if code := next(t, "Closed", p.closed); code != tt.want {
				t.Errorf("Closed(%v), want %v", code, tt.want)
			}
			if s.set.Stats().Closed[tt.want] != 1 {
				t.Errorf("counted %v", s.set.Stats().Closed)
			}
			quiet.Send(Text([]byte("still here")))
			if got := bystander.message(); got != "still here" {
				t.Errorf("the bystander got %q", got)
			}
		})
	}
}

// Messages are counted, and a long message counts as several.
func TestLongMessagesCountAsSeveral(t *testing.T) {
	long := strings.Repeat("x", 2000)
	for name, tt := range map[string]struct {
		burst    int
		messages []string
		flood    string
	}{
		"short": {3, []string{"a", "b", "c"}, "d"},
		"long":  {3, []string{long}, long},
		// The limiter is asked for seven messages at a time. Messages that it has
		// not been asked for are not counted against the client.
		"many": {60, slices.Repeat([]string{"a"}, 69), "b"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, Config{ReadLimit: 2048, Messages: 1e-6, MessageBurst: tt.burst, CloseGrace: 50 * time.Millisecond}, plain)
			c, p, _ := s.join(dialOptions{})
			for _, msg := range tt.messages {
				c.text(msg)
				if got := next(t, "message", p.got); got != msg {
					t.Fatalf("got %d bytes, want %d", len(got), len(msg))
				}
			}
			c.text(tt.flood)
			if code := next(t, "Closed", p.closed); code != Flooding {
				t.Errorf("Closed(%v), want %v", code, Flooding)
			}
		})
	}
}

func TestCloseCodeArrivesDespiteUnreadBytes(t *testing.T) {
	s := serve(t, Config{ReadLimit: 1024}, plain)
	c, _, _ := s.join(dialOptions{})
	c.text(strings.Repeat("x", 50_000))
	if code, _ := c.close(); code != TooLarge {
		t.Errorf("closed with %v, want too-large", code)
	}
}

func TestGarbageEndsInAClose(t *testing.T) {
	s := serve(t, Config{CloseGrace: time.Millisecond}, plain)
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		c, p, _ := s.join(dialOptions{})
		b := make([]byte, random.IntN(300))
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		c.raw(b)
		c.conn.Close()
		next(t, "Closed", p.closed)
	}
}

func FuzzFrames(f *testing.F) {
	f.Add(masked(finText, "move"))
	f.Add(masked(finClose, "\x03\xe8"))
	f.Add([]byte{0x81, 0xff, 0x7f, 255, 255, 255, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, b []byte) {
		s := serve(t, Config{CloseGrace: time.Millisecond}, plain)
		c, p, _ := s.join(dialOptions{})
		c.raw(b)
		c.conn.Close()
		next(t, "Closed", p.closed)
	})
}

func TestBadUpgradesAreRefused(t *testing.T) {
	s := serve(t, Config{Hosts: []string{"https://play.example"}}, plain)
	for name, tt := range map[string]struct {
		o    dialOptions
		want int
	}{
		"no subprotocol":      {dialOptions{subprotocol: "-"}, http.StatusBadRequest},
		"another subprotocol": {dialOptions{subprotocol: "mancala.v9"}, http.StatusBadRequest},
		"foreign origin":      {dialOptions{origin: "https://evil.example"}, http.StatusForbidden},
		"right host by http":  {dialOptions{origin: "http://play.example"}, http.StatusForbidden},
		"no origin at all":    {dialOptions{origin: "null"}, http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			tt.o.refused = true
			if c := s.dial(tt.o); c.resp.StatusCode != tt.want {
				t.Errorf("status %d, want %d", c.resp.StatusCode, tt.want)
			}
		})
	}
	for _, o := range []dialOptions{{}, {origin: "http://" + s.addr}, {origin: "https://play.example"}, {subprotocol: "other, " + Subprotocol}} {
		c, _, _ := s.join(o)
		if got := c.resp.Header.Get("Sec-WebSocket-Protocol"); got != Subprotocol {
			t.Errorf("%+v: speaks %q", o, got)
		}
	}
	if got := s.set.Stats(); got.Refused["subprotocol"] != 2 || got.Refused["handshake"] != 3 || got.Accepted != 4 {
		t.Errorf("counted %+v", got)
	}
}

func TestPanicCostsOneSocket(t *testing.T) {
	s := serve(t, Config{CloseGrace: time.Millisecond, Logger: slog.New(slog.DiscardHandler)}, plain)
	s.receive = func(*Socket, string) { panic("as ordered") }
	c, p, _ := s.join(dialOptions{})
	c.text("boom")
	if code, _ := c.close(); code != Internal {
		t.Errorf("closed with %v", code)
	}
	if code := next(t, "Closed", p.closed); code != Internal {
		t.Errorf("Closed(%v)", code)
	}
}
