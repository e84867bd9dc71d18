// Package proxytest is a network that can fail: a proxy between clients and a server that
// drops, delays or ends their connections.
//
// Other ways to test failures are too gentle. A browser in its offline mode keeps its
// sockets, and a server that is stopped closes its connections in good order.
package proxytest

import (
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

// Proxy carries connections to a server. Its methods are safe from any goroutine.
type Proxy struct {
	target   func() (network, address string)
	listener net.Listener
	wg       sync.WaitGroup

	mu    sync.Mutex
	cut   bool    // new connections are refused
	lost  [2]bool // the directions in which new connections lose their bytes
	delay time.Duration
	pipes map[*pipe]struct{}
	tries int
	probe bool // see Probe
}

// Direction is one of the two directions of a connection.
type Direction int

const (
	Up   Direction = iota // from the client to the server
	Down                  // from the server to the client
)

// pipe is one connection. A direction that has lost bytes stays silent until the end of the
// connection, and neither side is told.
type pipe struct {
	client, server net.Conn
	lost           [2]chan struct{}
	once           [2]sync.Once
	end            chan struct{}
	ended          sync.Once
	left           bool // one side has closed it, and the other has not been told; guarded by the proxy's mu
}

// New starts a proxy, which ends with the test. target returns the current address of the
// server.
func New(t testing.TB, target func() (network, address string)) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	x := &Proxy{target: target, listener: l, pipes: map[*pipe]struct{}{}}
	x.wg.Go(x.accept)
	t.Cleanup(func() {
		l.Close()
		x.each((*pipe).close)
		x.wg.Wait()
	})
	return x
}

// Addr returns the address of the proxy as host:port.
func (x *Proxy) Addr() string { return x.listener.Addr().String() }

func (x *Proxy) accept() {
	for {
		c, err := x.listener.Accept()
		if err != nil {
			return
		}
		x.wg.Go(func() { x.connect(c) })
	}
}

func (x *Proxy) connect(c net.Conn) {
	x.mu.Lock()
	cut := x.cut
	x.tries++
	x.mu.Unlock()
	if cut {
		c.Close()
		return
	}
	s, err := net.Dial(x.target())
	if err != nil {
		c.Close()
		return
	}
	p := &pipe{client: c, server: s, lost: [2]chan struct{}{make(chan struct{}), make(chan struct{})}, end: make(chan struct{})}
	x.mu.Lock()
	x.pipes[p] = struct{}{}
	for d, lost := range x.lost {
		if lost {
			p.lose(Direction(d))
		}
	}
	if x.cut {
		p.close()
	}
	x.mu.Unlock()
	x.wg.Go(func() { x.carry(p, Up, s, c) })
	x.wg.Go(func() { x.carry(p, Down, c, s) })
}

// carry copies one direction until the connection ends or the direction is lost.
func (x *Proxy) carry(p *pipe, d Direction, to, from net.Conn) {
	defer func() {
		p.close()
		x.mu.Lock()
		delete(x.pipes, p)
		x.mu.Unlock()
	}()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		select {
		case <-p.lost[d]:
		case <-time.After(x.late()):
		}
		select {
		case <-p.lost[d]:
			if err == nil {
				_, _ = io.Copy(io.Discard, from)
			}
			x.leave(p)
			<-p.end // the other side is not told of the end either
			return
		default:
		}
		if _, e := to.Write(buffer[:n]); e != nil || err != nil {
			return
		}
	}
}

// leave is called when one side has closed a connection that has lost bytes.
func (x *Proxy) leave(p *pipe) {
	x.mu.Lock()
	defer x.mu.Unlock()
	p.left = true
	if x.probe && x.lost == [2]bool{} {
		p.close()
	}
}

// Probe makes the two sides of a connection ask each other whether they still exist, as TCP's
// keep-alive probes do: once the network is back, a side hears that the other has closed a
// connection that has lost bytes. Otherwise it never does.
func (x *Proxy) Probe() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.probe = true
}

func (p *pipe) lose(d Direction) { p.once[d].Do(func() { close(p.lost[d]) }) }

func (p *pipe) close() {
	p.ended.Do(func() {
		close(p.end)
		p.client.Close()
		p.server.Close()
	})
}

func (x *Proxy) each(do func(*pipe)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for p := range x.pipes {
		do(p)
	}
}

// late returns the current delay.
func (x *Proxy) late() time.Duration {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.delay
}

// Lag delays everything in both directions.
func (x *Proxy) Lag(by time.Duration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.delay = by
}

// Cut ends all connections and refuses new ones.
func (x *Proxy) Cut() {
	x.mu.Lock()
	x.cut = true
	x.mu.Unlock()
	x.each((*pipe).close)
}

// Lose drops the bytes of all connections in a direction, also of new ones. Neither side is
// told.
func (x *Proxy) Lose(d Direction) {
	x.mu.Lock()
	x.lost[d] = true
	x.mu.Unlock()
	x.each(func(p *pipe) { p.lose(d) })
}

// Stall is [Proxy.Lose] in both directions.
func (x *Proxy) Stall() {
	x.Lose(Up)
	x.Lose(Down)
}

// Heal lets new connections through without delay. Connections that have lost bytes stay
// silent, like those of a phone that leaves a tunnel with another address; see [Proxy.Probe].
func (x *Proxy) Heal() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.cut, x.lost, x.delay = false, [2]bool{}, 0
	for p := range x.pipes {
		if x.probe && p.left {
			p.close()
		}
	}
}

// Tries returns how often clients have connected or tried to.
func (x *Proxy) Tries() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.tries
}
