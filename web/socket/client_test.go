package socket

import (
	"bufio"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"
)

// client is a WebSocket client that does exactly what a test tells it to. It answers
// nothing by itself, and can send anything.
type client struct {
	s    *server
	conn net.Conn
	r    *bufio.Reader
	resp *http.Response
}

type dialOptions struct {
	tiny        bool // use a receive buffer so small that the server soon notices
	origin      string
	subprotocol string // mancala.v1 if empty, no subprotocol if "-"
	early       string // sent with the request
	refused     bool   // the upgrade is expected to fail
}

func (s *server) dial(o dialOptions) *client {
	s.t.Helper()
	d := net.Dialer{Timeout: patience}
	if o.tiny {
		// The buffer must be set before the handshake, which announces the window.
		d.Control = func(_, _ string, raw syscall.RawConn) error {
			return raw.Control(func(fd uintptr) { tinyBuffer(fd) })
		}
	}
	conn, err := d.Dial("tcp", s.addr)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(patience))
	if s.tls != nil {
		conn = tls.Client(conn, s.tls)
	}
	c := &client{s: s, conn: conn, r: bufio.NewReader(conn)}
	if o.subprotocol == "" {
		o.subprotocol = Subprotocol
	}
	var h strings.Builder
	fmt.Fprintf(&h, "GET /ws HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", s.addr)
	if o.subprotocol != "-" {
		fmt.Fprintf(&h, "Sec-WebSocket-Protocol: %s\r\n", o.subprotocol)
	}
	if o.origin != "" {
		fmt.Fprintf(&h, "Origin: %s\r\n", o.origin)
	}
	h.WriteString("\r\n" + o.early)
	c.raw([]byte(h.String()))
	c.resp, err = http.ReadResponse(c.r, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	if ok := c.resp.StatusCode == http.StatusSwitchingProtocols; ok == o.refused {
		s.t.Fatalf("upgrade answered with %s", c.resp.Status)
	}
	return c
}

func (c *client) raw(b []byte) error { _, err := c.conn.Write(b); return err }

// frame sends one masked frame. The mask is zero, which is a valid one.
func (c *client) frame(first byte, payload string) error { return c.raw(masked(first, payload)) }

func (c *client) text(msg string) error { return c.frame(finText, msg) }

func masked(first byte, payload string) []byte {
	b := appendHeader(nil, first, len(payload))
	b[1] |= 0x80
	return append(append(b, 0, 0, 0, 0), payload...)
}

// next returns the opcode and payload of the next frame.
func (c *client) next() (op byte, payload []byte, err error) {
	h := make([]byte, 2, 8)
	if _, err := io.ReadFull(c.r, h); err != nil {
		return 0, nil, err
	}
	size := uint64(h[1])
	switch h[1] {
	case 126:
		h = h[:2]
		_, err = io.ReadFull(c.r, h)
		size = uint64(binary.BigEndian.Uint16(h))
	case 127:
		h = h[:8]
		_, err = io.ReadFull(c.r, h)
		size = binary.BigEndian.Uint64(h)
	}
	if err != nil {
		return 0, nil, err
	}
	op = h[0]
	if size > 125 {
		op = 1 // the header was overwritten; a control frame is never that long
	}
	payload = make([]byte, size)
	_, err = io.ReadFull(c.r, payload)
	return op & 0xf, payload, err
}

// message returns the next text message, and answers pings before it.
func (c *client) message() string {
	c.s.t.Helper()
	for {
		op, p, err := c.next()
		switch {
		case err != nil:
			c.s.t.Fatalf("waiting for a message: %v", err)
		case op == opPing:
			c.frame(0x8a, string(p))
		case op == 1:
			return string(p)
		default:
			c.s.t.Fatalf("waiting for a message: opcode %x %x", op, p)
		}
	}
}

// close reads until the close frame and returns its code and reason, or Abnormal.
func (c *client) close() (Code, string) {
	for {
		op, p, err := c.next()
		if err != nil {
			return Abnormal, err.Error()
		}
		if op == opClose {
			return Code(binary.BigEndian.Uint16(p)), string(p[2:])
		}
	}
}
