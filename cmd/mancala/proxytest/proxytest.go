// Package proxytest is a network that fails: it stands between one client and a
// server, and loses, holds up or ends what passes.
//
// A browser that is told to be offline keeps its sockets, and a server that is
// stopped says goodbye to its connections. So the network itself has to fail.
package proxytest

import (
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
	lost  [2]bool // what new connections say in a direction is lost
	delay time.Duration
	pipes map[*pipe]struct{}
	tries int
}

// Direction is one of the two that a connection has.
type Direction int

// What the client says goes Up, and what the server says comes Down.
const (
	Up Direction = iota
	Down
)

// pipe is one connection. What is lost once in a direction stays so: the path is
// gone, and neither end hears of it.
type pipe struct {
	client, server net.Conn
	lost           [2]chan struct{}
	once           [2]sync.Once
	end            chan struct{}
	ended          sync.Once
}

// New starts a proxy, which ends with the test. target says where the server is at
// the moment.
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

// Addr is where the proxy listens: a host and a port.
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

// carry copies one direction until the connection ends, or what it says is lost.
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
			<-p.end // not even the end is passed on
			return
		default:
		}
		if _, e := to.Write(buffer[:n]); e != nil || err != nil {
			return
		}
	}
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

// late is by how much everything that goes through is held up.
func (x *Proxy) late() time.Duration {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.delay
}

// Lag holds up everything, in both directions.
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

// Lose loses what all connections say in a direction, new ones too, and tells
// nobody.
func (x *Proxy) Lose(d Direction) {
	x.mu.Lock()
	x.lost[d] = true
	x.mu.Unlock()
	x.each(func(p *pipe) { p.lose(d) })
}

// Stall lets all connections fall silent, new ones too, and tells nobody.
func (x *Proxy) Stall() {
	x.Lose(Up)
	x.Lose(Down)
}

// Heal lets new connections through, without delay. Those that have lost
// something stay silent, as they do when somebody comes out of a tunnel with
// another address.
func (x *Proxy) Heal() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.cut, x.lost, x.delay = false, [2]bool{}, 0
}

// Tries is how often somebody has connected, or has tried to.
func (x *Proxy) Tries() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.tries
}
