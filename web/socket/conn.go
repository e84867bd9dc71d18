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
)

// errFull is returned by a live [Conn] whose rest has passed its bound. It
// means that whoever writes did not look at busy before writing.
var errFull = errors.New("socket: the peer does not read and its backlog is full")

// Conn is a connection of which every Write returns at once, as soon as it has
// been switched to that by the WebSocket upgrade. Until then it is the
// connection it wraps: pages and downloads keep their backpressure.
type Conn struct {
	net.Conn
	owner    owner       // nil until the upgrade
	flushing atomic.Bool // written under mu; read without it by busy

	fd  int32      // the descriptor; -1 where a non-blocking write cannot be had
	mu  sync.Mutex // guards what follows, the order of bytes, and fd from being closed and given to somebody else
	err error      // the first failed write, or that it is closed; every later write fails likewise

	raw  syscall.RawConn    // reads wait by it; nil: by Conn. This and what follows are the reader's
	take func(uintptr) bool // c.tryTake
	into []byte             // what it fills, and then what it has filled,
	why  error              // or why it could not

	rest     []byte        // accepted, but not yet taken by the flusher; this and what follows is guarded by mu
	bound    int           // bytes that rest may hold
	patience time.Duration // how long the flusher waits for the peer to read one rest
	_        [24]byte      // to the allocator's 192 bytes, of which each piece begins at a line of memory
}

// owner is what a live Conn needs from whoever sits on top of it.
type owner interface {
	// spawn runs the flusher in a goroutine that somebody waits for.
	spawn(func())
	// drained is called by the flusher when the rest has gone, without locks.
	drained()
	// stalled is called by the flusher when the rest could not be written.
	stalled(error)
}

func newConn(c net.Conn) *Conn { return &Conn{Conn: c, fd: -1} }

// goLive makes every later Write non-blocking. It must be called before anybody
// else writes.
func (c *Conn) goLive(o owner, bound int, patience time.Duration) {
	if sc, ok := c.Conn.(syscall.Conn); ok && canTry {
		if raw, err := sc.SyscallConn(); err == nil {
			_ = raw.Control(func(fd uintptr) { c.fd = int32(fd) })
			c.raw, c.take = raw, c.tryTake
		}
	}
	c.owner, c.bound, c.patience = o, bound, patience
}

// busy reports whether bytes of an earlier write are still waiting for the
// peer. When it turns false after it was true, owner.drained will follow.
func (c *Conn) busy() bool { return c.flushing.Load() }

// Read reads what has come, and waits for something. Only one goroutine may read from
// a live connection.
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

// tryTake is one read as tryWrite is a write, and says whether there was anything.
func (c *Conn) tryTake(fd uintptr) bool {
	n, come, err := tryRead(int(fd), c.into)
	if come {
		c.into, c.why = c.into[:n], err
	}
	return come
}

// Write writes p. On a live connection it never waits: what the kernel does not
// take now is kept, in order, and written when the peer reads. It then reports
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

// tryWrite writes what the kernel takes of p now, perhaps nothing. It goes around
// the runtime, which would get ready to wait. Called with mu held.
func (c *Conn) tryWrite(p []byte) (int, error) {
	if c.fd < 0 {
		return 0, nil
	}
	return tryWrite(int(c.fd), p)
}

// Close closes the connection. No write is under way then and none comes after.
func (c *Conn) Close() error {
	c.mu.Lock()
	if c.err == nil {
		c.err = net.ErrClosed
	}
	c.fd = -1
	c.mu.Unlock()
	return c.Conn.Close()
}

// flush waits for the peer until nothing is left. It is the only goroutine that
// ever waits for this peer, and it exists only while there is a rest.
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
			// flushing stays true: whatever comes now would follow a
			// torn frame, and nobody may believe the way is free.
			c.mu.Lock()
			c.err, c.rest = err, nil
			c.mu.Unlock()
			c.owner.stalled(err)
			return
		}
	}
}

// cut ends the connection at once. TLS, if it is on top of nothing of ours,
// would first wait for the peer to take its farewell.
func (c *Conn) cut() {
	if t, ok := c.Conn.(*tls.Conn); ok {
		t.NetConn().Close()
		return
	}
	c.Close()
}

// ReadFrom keeps sendfile for downloads, which net/http looks for on its
// connection.
func (c *Conn) ReadFrom(r io.Reader) (int64, error) {
	if rf, ok := c.Conn.(io.ReaderFrom); ok && c.owner == nil {
		return rf.ReadFrom(r)
	}
	return io.Copy(struct{ io.Writer }{c}, r)
}

// CloseWrite keeps net/http's half close, which lets a refused peer read the
// answer before the connection is reset.
func (c *Conn) CloseWrite() error {
	if cw, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return cw.CloseWrite()
	}
	return errors.ErrUnsupported
}

// Listener returns l with connections on which sockets can write without
// waiting. It belongs below TLS: tls.NewListener(socket.Listener(l), config).
// Without it sockets work too, but over TLS each write then costs a goroutine.
func Listener(l net.Listener) net.Listener { return listener{l} }

type listener struct{ net.Listener }

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return newConn(c), nil
}
