package socket

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"runtime"
	"testing"
	"time"
)

// patience bounds every wait of a test. No test compares a duration with it: it only
// turns a hang into a failure, even on the slowest machine.
const patience = 5 * time.Minute

// peer is a Handler that hands everything to the test.
type peer struct {
	socket  *Socket
	opened  chan *Socket
	got     chan string
	drained chan struct{}
	closed  chan Code
	receive func(*Socket, string) // called instead of sending to got
}

func (p *peer) Opened(s *Socket) { p.socket = s; p.opened <- s }
func (p *peer) Receive(msg []byte) {
	if p.receive != nil {
		p.receive(p.socket, string(msg))
		return
	}
	p.got <- string(msg)
}
func (p *peer) Drained()      { p.drained <- struct{}{} }
func (p *peer) Closed(c Code) { p.closed <- c }

// server is a real HTTP server on loopback, with sockets at /ws.
type server struct {
	t       *testing.T
	set     *Set
	addr    string
	tls     *tls.Config // the clients' configuration; nil for plain TCP
	peers   chan *peer  // the handlers of sockets, in the order of their requests
	receive func(*Socket, string)
	mux     *http.ServeMux
	down    func()
}

type layer int

const (
	plain       layer = iota
	secure            // TLS over our listener
	secureAlone       // TLS over a plain listener
	plainAlone
)

// serve starts a server. At the end of the test it checks that no goroutine and no
// descriptor is left.
func serve(t *testing.T, c Config, l layer) *server {
	t.Helper()
	goroutines, fds := runtime.NumGoroutine(), descriptors()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, set: NewSet(c), addr: ln.Addr().String(), peers: make(chan *peer, 1000), mux: http.NewServeMux()}
	s.mux.HandleFunc("/ws", func(w http.ResponseWriter, r *http.Request) {
		p := &peer{opened: make(chan *Socket, 1), got: make(chan string, 1000), drained: make(chan struct{}, 1000), closed: make(chan Code, 2), receive: s.receive}
		if err := s.set.Accept(w, r, netip.Addr{}, p); err == nil {
			s.peers <- p
		}
	})
	if l == plain || l == secure {
		ln = Listener(ln)
	}
	if l == secure || l == secureAlone {
		var config *tls.Config
		config, s.tls = certificate(t)
		ln = tls.NewListener(ln, config)
	}
	hs := &http.Server{Handler: s.mux}
	served := make(chan struct{})
	go func() { hs.Serve(ln); close(served) }()
	stopped := false
	s.down = func() {
		if stopped {
			return
		}
		stopped = true
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := s.set.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		hs.Close()
		<-served
	}
	t.Cleanup(func() {
		s.down()
		waitFor(t, "goroutines to end", func() bool { return runtime.NumGoroutine() <= goroutines })
		waitFor(t, "descriptors to be closed", func() bool { return descriptors() <= fds })
	})
	return s
}

// certificate returns configurations with the certificate of httptest for 127.0.0.1.
func certificate(t *testing.T) (server, client *tls.Config) {
	ts := httptest.NewUnstartedServer(nil)
	ts.StartTLS()
	defer ts.Close()
	client = ts.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	client.ServerName, client.NextProtos = "example.com", nil
	return &tls.Config{Certificates: ts.TLS.Certificates}, client
}

func descriptors() int {
	d, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(d)
}

// waitFor polls for a state that no channel announces.
func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	end := time.NewTimer(patience)
	defer end.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-end.C:
			buf := make([]byte, 1<<20)
			t.Errorf("waited in vain for %s\n%s", what, buf[:runtime.Stack(buf, true)])
			return
		}
	}
}

// next waits for a value from a channel.
func next[T any](t *testing.T, what string, c <-chan T) T {
	t.Helper()
	end := time.NewTimer(patience)
	defer end.Stop()
	select {
	case v := <-c:
		return v
	case <-end.C:
		t.Fatalf("waited in vain for %s", what)
		panic("unreachable")
	}
}

// join dials and returns both ends.
func (s *server) join(o dialOptions) (*client, *peer, *Socket) {
	s.t.Helper()
	c := s.dial(o)
	p := next(s.t, "the server's end", s.peers)
	return c, p, next(s.t, "Opened", p.opened)
}
