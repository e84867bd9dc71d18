package socket

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"mancala/engine/tuning"
)

// errFull is returned by a live [Conn] whose rest has passed its bound. It means
// that the writer did not check busy before writing.
var errFull = errors.New("socket: the peer does not read and its backlog is full")

// Conn is a connection whose Write returns at once after the WebSocket upgrade has
// switched it to that. Before the switch it behaves as the connection it wraps:
// pages and downloads keep their backpressure.
type Conn struct {
	net.Conn
	owner    owner       // nil until the upgrade
	flushing atomic.Bool // written under mu; read without it by busy

	fd  int32      // the descriptor; -1 if non-blocking writes are not available
	mu  sync.Mutex // guards the fields below and the order of bytes; it also keeps fd from being closed and reused
	err error      // the first failed write, or net.ErrClosed; every later write returns it

	raw  syscall.RawConn    // reads wait with it; nil: they wait with Conn. Only the reader uses this field and those down to why
	take func(uintptr) bool // c.tryTake as a func value
	into []byte             // the buffer that take fills, then the part that it filled
	why  error              // the error of take

	rest     []byte        // accepted bytes that the flusher has not taken yet; mu guards this field and those below
	bound    int           // most bytes in rest
	patience time.Duration // how long the flusher waits for the peer to read one rest
}

// owner is what a live Conn needs from the layer above it.
type owner interface {
	// spawn runs the flusher in a goroutine that the owner waits for.
	spawn(func())
	// The flusher calls drained when the rest has been written. It holds no locks.
	drained()
	// The flusher calls stalled when the rest could not be written.
	stalled(error)
}

func newConn(c net.Conn) *Conn { return &Conn{Conn: c, fd: -1} }

// goLive makes every later Write non-blocking. It must be called before any other
// goroutine writes.
func (c *Conn) goLive(o owner, bound int, patience time.Duration) {
	if sc, ok := c.Conn.(syscall.Conn); ok && tuning.CanTry {
		if raw, err := sc.SyscallConn(); err == nil {
			_ = raw.Control(func(fd uintptr) { c.fd = int32(fd) })
			c.raw, c.take = raw, c.tryTake
		}
	}
	c.owner, c.bound, c.patience = o, bound, patience
}

// busy reports whether bytes of an earlier write still wait for the peer. After it
// changes from true to false, owner.drained is called.
func (c *Conn) busy() bool { return c.flushing.Load() }

// Read waits for bytes and reads them. Only one goroutine may read from a live
// connection.
func (c *Conn) Read(p []byte) (int, error) {
	if c.raw == nil || len(p) == 0 {
		return c.Conn.Read(p)
	}
	c.into = p
	err := c.raw.Read(c.take)
	n := len(c.into)
	c.into = nil
	switch {
	case err != nil:
		return 0, err
	case c.why == nil && n == 0:
		return 0, io.EOF
	}
	return n, c.why
}

// tryTake reads once without waiting. It reports whether the read is complete: with
// bytes, an error or the end.
func (c *Conn) tryTake(fd uintptr) bool {
	n, come, err := tuning.TryRead(int(fd), c.into)
	if come {
		c.into, c.why = c.into[:n], err
	}
	return come
}

// Write writes p. On a live connection it never waits. Bytes that the kernel does
// not take now are kept in order and written when the peer reads. Write then reports
// all of p as written.
func (c *Conn) Write(p []byte) (int, error) {
	if c.owner == nil {
		return c.Conn.Write(p)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return 0, c.err
	}
	n := 0
	if !c.flushing.Load() {
		if n, c.err = c.tryWrite(p); c.err != nil {
			return n, c.err
		}
		if n == len(p) {
			return n, nil
		}
	}
	if len(c.rest)+len(p)-n > c.bound {
		c.err = errFull
		return n, c.err
	}
	c.rest = append(c.rest, p[n:]...)
	if !c.flushing.Load() {
		c.flushing.Store(true)
		c.owner.spawn(c.flush)
	}
	return len(p), nil
}

// tryWrite writes as much of p as the kernel takes now, perhaps nothing. It bypasses
// the runtime, which would prepare to wait. Called with mu held.
func (c *Conn) tryWrite(p []byte) (int, error) {
	if c.fd < 0 {
		return 0, nil
	}
	return tuning.TryWrite(int(c.fd), p)
}

// Close closes the connection. No write is in progress at that moment, and none
// comes after.
func (c *Conn) Close() error {
	c.mu.Lock()
	if c.err == nil {
		c.err = net.ErrClosed
	}
	c.fd = -1
	c.mu.Unlock()
	return c.Conn.Close()
}

// flush writes the rest and waits for the peer until nothing is left. It is the only
// goroutine that waits for this peer, and exists only while there is a rest.
func (c *Conn) flush() {
	for {
		c.mu.Lock()
		p := c.rest
		c.rest = nil
		if len(p) == 0 {
			c.flushing.Store(false)
			c.mu.Unlock()
			c.owner.drained()
			return
		}
		c.mu.Unlock()

		c.Conn.SetWriteDeadline(time.Now().Add(c.patience))
		_, err := c.Conn.Write(p)
		c.Conn.SetWriteDeadline(time.Time{})
		if err != nil {
			// flushing stays true. Later bytes would follow a torn frame, so no
			// caller may see the connection as free.
			c.mu.Lock()
			c.err, c.rest = err, nil
			c.mu.Unlock()
			c.owner.stalled(err)
			return
		}
	}
}

// cut ends the connection at once. If c wraps a TLS connection, cut closes the
// connection below it. Closing TLS itself would first wait for the peer to take the
// closing alert.
func (c *Conn) cut() {
	if t, ok := c.Conn.(*tls.Conn); ok {
		t.NetConn().Close()
		return
	}
	c.Close()
}

// ReadFrom keeps sendfile for downloads. net/http looks for this method on its
// connection.
func (c *Conn) ReadFrom(r io.Reader) (int64, error) {
	if rf, ok := c.Conn.(io.ReaderFrom); ok && c.owner == nil {
		return rf.ReadFrom(r)
	}
	return io.Copy(struct{ io.Writer }{c}, r)
}

// CloseWrite keeps net/http's half close. It lets a refused peer read the answer
// before the connection is reset.
func (c *Conn) CloseWrite() error {
	if cw, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return cw.CloseWrite()
	}
	return errors.ErrUnsupported
}

// Listener returns l with connections on which sockets can write without waiting. It
// belongs below TLS: tls.NewListener(socket.Listener(l), config). Sockets also work
// without it, but each write over TLS then costs a goroutine.
func Listener(l net.Listener) net.Listener { return listener{l} }

type listener struct{ net.Listener }

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return newConn(c), nil
}
