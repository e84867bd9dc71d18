package e2e

import (
	"net"
	"sync"
	"testing"
	"time"
)

// proxy is the network between one person and the server. A browser that is told
// to be offline keeps its sockets, so the network itself has to fail.
type proxy struct {
	server   *server
	listener net.Listener

	mu    sync.Mutex
	state string // "": works; "cut": refuses; "stalled": swallows everything
	delay time.Duration
	pipes map[*pipe]struct{}
	wg    sync.WaitGroup
}

// pipe is one connection through the proxy. Once it is mute it stays so: the
// path is gone, and neither end hears of it.
type pipe struct {
	client, server net.Conn
	mute           chan struct{}
	end            chan struct{}
	once, ended    sync.Once
}

// behind puts somebody behind a network of his own.
func (p *person) behind(t *testing.T, s *server) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	x := &proxy{server: s, listener: l, pipes: map[*pipe]struct{}{}}
	x.wg.Go(x.accept)
	t.Cleanup(func() {
		l.Close()
		x.each((*pipe).close)
		x.wg.Wait()
	})
	p.base = "http://" + l.Addr().String()
	p.forgive(outage...)
	return x
}

func (x *proxy) accept() {
	for {
		c, err := x.listener.Accept()
		if err != nil {
			return
		}
		x.mu.Lock()
		state := x.state
		x.mu.Unlock()
		if state == "cut" {
			c.Close()
			continue
		}
		s, err := net.Dial("tcp", x.server.addr)
		if err != nil {
			c.Close()
			continue
		}
		p := &pipe{client: c, server: s, mute: make(chan struct{}), end: make(chan struct{})}
		if state == "stalled" {
			close(p.mute)
			p.once.Do(func() {})
		}
		x.mu.Lock()
		x.pipes[p] = struct{}{}
		x.mu.Unlock()
		x.wg.Go(func() { x.carry(p, c, s) })
		x.wg.Go(func() { x.carry(p, s, c) })
	}
}

// carry copies one direction until the connection ends or falls silent.
func (x *proxy) carry(p *pipe, to, from net.Conn) {
	defer p.close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		select {
		case <-p.mute:
		case <-time.After(x.late()):
		}
		select {
		case <-p.mute:
			<-p.end // not even the end is passed on
			return
		default:
		}
		if _, e := to.Write(buffer[:n]); e != nil || err != nil {
			return
		}
	}
}

func (p *pipe) silence() { p.once.Do(func() { close(p.mute) }) }

func (p *pipe) close() {
	p.ended.Do(func() {
		close(p.end)
		p.client.Close()
		p.server.Close()
	})
}

func (x *proxy) each(do func(*pipe)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for p := range x.pipes {
		do(p)
	}
}

func (x *proxy) become(state string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.state = state
}

// late is by how much everything that goes through is held up.
func (x *proxy) late() time.Duration {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.delay
}

// lag holds up everything, in both directions.
func (x *proxy) lag(by time.Duration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.delay = by
}

// cut ends all connections and refuses new ones.
func (x *proxy) cut() {
	x.become("cut")
	x.each((*pipe).close)
}

// stall lets all connections fall silent, new ones too, and tells nobody.
func (x *proxy) stall() {
	x.become("stalled")
	x.each((*pipe).silence)
}

// heal lets new connections through. Those that fell silent stay silent, as they
// do when somebody comes out of a tunnel with another address.
func (x *proxy) heal() { x.become("") }
