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
)

// Subprotocol is the only one spoken here. A client must ask for it, so that a
// page of another version is refused and not misunderstood.
const Subprotocol = "mancala.v1"

// Buffers of one socket. net/http's own, 4 KiB each way, would be most of what
// an idle socket holds: a command fits into the smaller reader, and the library
// writes nothing but control frames of at most 127 bytes.
const (
	readBuffer    = 512
	controlBuffer = 128
)

// Accept upgrades a request to a socket for h, or answers it with an error; h
// then hears nothing. addr is the client's address as the caller trusts it; when
// it is not valid, that of the connection is taken. Accept does not wait for the
// socket: the HTTP handler should return, so that its goroutine, its buffers and
// the request are freed, and neither w, r nor r.Context may be used afterwards.
//
// A set that is full or drains accepts and closes with a [Code], because a page
// can see that but not the status of a refused upgrade.
func (set *Set) Accept(w http.ResponseWriter, r *http.Request, addr netip.Addr, h Handler) error {
	if !asksFor(r, Subprotocol) {
		set.stats.refused[refusedSubprotocol].Add(1)
		http.Error(w, "this WebSocket speaks "+Subprotocol, http.StatusBadRequest)
		return fmt.Errorf("socket: accept: no subprotocol %s", Subprotocol)
	}
	s := &Socket{
		set:     set,
		addr:    bucket(addr, r.RemoteAddr),
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
	// What came early is not in the reader but in front of the stream. So it needs
	// none of what the library has put between the two, which every read would fetch.
	up.reader.Reset((*stream)(s))
	// One byte more than we allow, so that the close is ours and has our code.
	ws.SetReadLimit(int64(set.config.ReadLimit) + 1)
	s.ws = ws
	if code, why, err := set.add(s); err != nil {
		set.stats.refused[why].Add(1)
		s.Close(code, "")
		s.part(true)
		return fmt.Errorf("socket: accept: %w", err)
	}
	go func() {
		defer set.wg.Done() // add has counted it
		s.read()
	}()
	return nil
}

// upgrade is a ResponseWriter whose Hijack gives the library our connection
// and small buffers.
type upgrade struct {
	http.ResponseWriter
	s      *Socket
	reader *bufio.Reader // since Hijack; the library reads by it
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

// adopt finds the Conn in or below a hijacked connection and makes it live. If
// there is none because [Listener] was not used, it goes on top.
func (s *Socket) adopt(c net.Conn) {
	bottom := c
	if t, ok := c.(*tls.Conn); ok {
		bottom = t.NetConn()
	}
	if t, ok := tcp(bottom); ok && s.set.config.WriteBuffer > 0 {
		// Left alone the kernel lets a send buffer grow to megabytes, and
		// a stalled reader would hold them all before anybody noticed.
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

// mostRest bounds what a Conn may hold. It is only a safeguard: a socket gives
// its Conn nothing more while that is busy, so a rest is what is left of one
// frame, or of one batch.
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

// bucket is what sockets are counted under: an IPv4 address, or the /64 that
// one customer of IPv6 has to himself.
func bucket(addr netip.Addr, remote string) netip.Prefix {
	if !addr.IsValid() {
		if ap, err := netip.ParseAddrPort(remote); err == nil {
			addr = ap.Addr()
		}
	}
	addr = addr.Unmap().WithZone("")
	bits := 32
	if addr.Is6() {
		bits = 64
	}
	p, _ := addr.Prefix(bits) // the zero prefix is the bucket of unknown addresses
	return p
}
