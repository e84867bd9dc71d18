package socket

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/coder/websocket"

	"mancala/lobby/address"
)

// Subprotocol is the only supported one. A client must ask for it, so that a page of
// another version is refused instead of misunderstood.
const Subprotocol = "mancala.v1"

// The buffers of one socket, in bytes. net/http's own buffers, 4 KiB each way, would
// be most of what an idle socket holds. A command fits into the smaller reader. The
// library writes only control frames, of at most 127 bytes.
const (
	readBuffer    = 512
	controlBuffer = 128
)

// Accept upgrades a request to a socket for h. If it answers with an error instead,
// h gets no call. addr is the client's address as the caller trusts it. If addr is
// not valid, Accept uses the address of the connection. Accept does not wait for the
// socket. The HTTP handler should return at once, to free its goroutine, its buffers
// and the request. It must not use w, r or r.Context afterwards.
//
// A set that is full or drains accepts the socket and closes it with a [Code]. A
// page can see that code, but not the status of a refused upgrade.
func (set *Set) Accept(w http.ResponseWriter, r *http.Request, addr netip.Addr, h Handler) error {
	if !asksFor(r, Subprotocol) {
		set.stats.refused[refusedSubprotocol].Add(1)
		http.Error(w, "this WebSocket speaks "+Subprotocol, http.StatusBadRequest)
		return fmt.Errorf("socket: accept: no subprotocol %s", Subprotocol)
	}
	s := &Socket{
		set:     set,
		addr:    counted(addr, r.RemoteAddr),
		handler: h,
		limit:   set.config.allowance(),
	}
	up := &upgrade{ResponseWriter: w, s: s}
	ws, err := websocket.Accept(up, r, &websocket.AcceptOptions{
		Subprotocols:    []string{Subprotocol},
		OriginPatterns:  set.config.Hosts,
		CompressionMode: websocket.CompressionDisabled,
		OnPingReceived:  s.pinged,
		OnPongReceived:  s.ponged,
	})
	if err != nil {
		set.stats.refused[refusedHandshake].Add(1)
		return fmt.Errorf("socket: accept: %w", err)
	}
	// Bytes that came early are in front of the stream, not in the reader. So the
	// reader can read the stream directly. That saves every read the layers that the
	// library has put between.
	up.reader.Reset((*stream)(s))
	// The library's limit is one byte more than ours, so that we close the socket
	// with our own code.
	ws.SetReadLimit(int64(set.config.ReadLimit) + 1)
	s.ws = ws
	if code, why, err := set.add(s); err != nil {
		set.stats.refused[why].Add(1)
		s.Close(code, "")
		s.part(true)
		return fmt.Errorf("socket: accept: %w", err)
	}
	go func() {
		defer set.wg.Done() // add has counted this goroutine
		s.read()
	}()
	return nil
}

// upgrade is a ResponseWriter whose Hijack gives the library our connection with
// small buffers.
type upgrade struct {
	http.ResponseWriter
	s      *Socket
	reader *bufio.Reader // set by Hijack; the library reads from it
}

func (u *upgrade) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buf, err := http.NewResponseController(u.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	if early, _ := buf.Reader.Peek(buf.Reader.Buffered()); len(early) > 0 {
		u.s.head, u.s.early = slices.Clone(early), true
	}
	u.s.adopt(conn)
	st := (*stream)(u.s)
	u.reader = bufio.NewReaderSize(st, readBuffer)
	return st, bufio.NewReadWriter(u.reader, bufio.NewWriterSize(st, controlBuffer)), nil
}

// adopt finds the Conn in or below a hijacked connection and makes it live. Without
// [Listener] there is no Conn, and adopt puts a new one on top.
func (s *Socket) adopt(c net.Conn) {
	bottom := c
	if t, ok := c.(*tls.Conn); ok {
		bottom = t.NetConn()
	}
	if t, ok := tcp(bottom); ok && s.set.config.WriteBuffer > 0 {
		// By default the kernel lets a send buffer grow to megabytes. A stalled
		// reader would fill it before the server notices.
		t.SetWriteBuffer(s.set.config.WriteBuffer)
	}
	s.out = c
	if conn, ok := bottom.(*Conn); ok {
		s.conn = conn
	} else {
		s.conn = newConn(c)
		s.out = s.conn
	}
	s.conn.goLive(s, mostRest, s.set.config.DrainTimeout)
}

// mostRest bounds the bytes that a Conn may hold. It is only a safeguard: a socket
// gives its Conn nothing more while it is busy. So a rest is part of one frame, or
// of one batch.
const mostRest = 4 << 20

func tcp(c net.Conn) (*net.TCPConn, bool) {
	if conn, ok := c.(*Conn); ok {
		c = conn.Conn
	}
	t, ok := c.(*net.TCPConn)
	return t, ok
}

func asksFor(r *http.Request, protocol string) bool {
	for _, line := range r.Header.Values("Sec-WebSocket-Protocol") {
		for p := range strings.SplitSeq(line, ",") {
			if strings.TrimSpace(p) == protocol {
				return true
			}
		}
	}
	return false
}

// counted returns the network under which sockets of a client are counted.
func counted(addr netip.Addr, remote string) netip.Prefix {
	if !addr.IsValid() {
		if ap, err := netip.ParseAddrPort(remote); err == nil {
			addr = ap.Addr()
		}
	}
	return address.Network(addr)
}
