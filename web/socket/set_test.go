package socket

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"mancala/lobby/address"
)

func TestShutdownAsksEveryClientToReconnect(t *testing.T) {
	s := serve(t, Config{RetryWithin: time.Minute}, plain)
	var clients []*client
	for range 20 {
		c, _, _ := s.join(dialOptions{})
		clients = append(clients, c)
	}
	delays := make(chan string, len(clients))
	for _, c := range clients {
		go func() {
			code, reason := c.close()
			if code != Restarting {
				t.Errorf("closed with %v", code)
			}
			c.frame(finClose, "\x0f\xa0")
			delays <- reason
		}()
	}
	s.down()
	seen := map[string]bool{}
	for range clients {
		reason := next(t, "a close", delays)
		ms, ok := strings.CutPrefix(reason, "retry-ms=")
		if n, err := strconv.Atoi(ms); !ok || err != nil || n < 0 || n >= 60_000 {
			t.Errorf("reason %q", reason)
		}
		seen[reason] = true
	}
	if len(seen) < 10 {
		t.Errorf("only %d different delays for 20 clients", len(seen))
	}
	if got := s.set.Stats(); got.Open != 0 || got.Closed[Restarting] != 20 {
		t.Errorf("left behind %+v", got)
	}
}

// Clients are closed one after the other. A client that is still connected gets all
// frames. When no time is left, all clients are closed.
func TestClientsAreHandedOverOneByOne(t *testing.T) {
	s := serve(t, Config{}, plain)
	fan := s.set.NewFan()
	heard := make(chan string, 6)
	for range 3 {
		c, _, sock := s.join(dialOptions{})
		fan.Add(sock)
		go func() {
			for {
				op, payload, err := c.next()
				switch {
				case err != nil:
					t.Error(err)
					return
				case op == opClose:
					if code := Code(binary.BigEndian.Uint16(payload)); code != Restarting {
						t.Errorf("closed with %v", code)
					}
					heard <- string(payload[2:])
					_ = c.frame(finClose, "\x0f\xa0")
					return
				case op != opPing:
					heard <- string(payload)
				}
			}
		}()
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	over := make(chan struct{})
	go func() {
		defer close(over)
		s.set.HandOver(ctx, rate.NewLimiter(rate.Every(time.Hour), 1))
	}()
	first := next(t, "the first to leave", heard)
	if ms, ok := strings.CutPrefix(first, "retry-ms="); !ok || len(ms) > 2 {
		t.Errorf("the first heard %q", first)
	}
	waitFor(t, "the first to be gone", func() bool { return s.set.Stats().Open == 2 })
	if code, _ := s.dial(dialOptions{}).close(); code != Restarting {
		t.Errorf("a newcomer is closed with %v", code)
	}
	fan.Send(Text([]byte("a move")))
	for range 2 {
		if got := next(t, "a frame", heard); got != "a move" {
			t.Errorf("a connected client heard %q", got)
		}
	}
	cancel()
	for range 2 {
		if got := next(t, "a close", heard); !strings.HasPrefix(got, "retry-ms=") {
			t.Errorf("a remaining client heard %q", got)
		}
	}
	next(t, "the end", over)
}

func TestShutdownHasADeadline(t *testing.T) {
	s := serve(t, Config{CloseGrace: time.Hour}, plain)
	_, p, _ := s.join(dialOptions{}) // never answers
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.set.Shutdown(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Shutdown: %v", err)
	}
	if code := next(t, "Closed", p.closed); code != Restarting {
		t.Errorf("Closed(%v)", code)
	}
	late := s.dial(dialOptions{})
	if code, _ := late.close(); code != Restarting {
		t.Errorf("a client that connects during a drain gets %v", code)
	}
}

func TestSocketsOfAnAddressAreLimited(t *testing.T) {
	s := serve(t, Config{PerAddress: 2}, plain)
	first, p, _ := s.join(dialOptions{})
	s.join(dialOptions{})
	if code, _ := s.dial(dialOptions{}).close(); code != TooMany {
		t.Errorf("the third socket is closed with %v", code)
	}
	first.conn.Close()
	next(t, "Closed", p.closed)
	s.join(dialOptions{})
}

// The owner of a whole /48 can open no more sockets than 16 networks may.
func TestSocketsOfASiteAreLimited(t *testing.T) {
	set := NewSet(Config{PerAddress: 1})
	var open []*Socket
	for i := range 100 {
		s := &Socket{set: set, addr: counted(netip.MustParseAddr(fmt.Sprintf("2001:db8:1:%x::1", i)), "")}
		if code, _, err := set.add(s); err == nil {
			open = append(open, s)
		} else if code != TooMany {
			t.Errorf("closed with %v", code)
		}
	}
	if len(open) != address.PerSite {
		t.Errorf("%d sockets are open", len(open))
	}
	for _, s := range open {
		set.remove(s, Normal)
		set.wg.Done()
	}
	if len(set.byAddress) != 0 {
		t.Errorf("after their end these are counted: %v", set.byAddress)
	}
	if err := set.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAddressesAreCountedByCustomer(t *testing.T) {
	for _, tt := range []struct{ addr, remote, want string }{
		{"", "192.0.2.7:1234", "192.0.2.7/32"},
		{"198.51.100.1", "192.0.2.7:1234", "198.51.100.1/32"},
		{"::ffff:192.0.2.7", "", "192.0.2.7/32"},
		{"2001:db8:1:2:3:4:5:6", "", "2001:db8:1:2::/64"},
		{"", "[fe80::1%eth0]:80", "fe80::/64"},
		{"", "@", "invalid Prefix"},
	} {
		var addr netip.Addr
		if tt.addr != "" {
			addr = netip.MustParseAddr(tt.addr)
		}
		if got := counted(addr, tt.remote).String(); got != tt.want {
			t.Errorf("counted(%q, %q) = %s, want %s", tt.addr, tt.remote, got, tt.want)
		}
	}
}

// zeros is a download that knows how much of it has been read.
type zeros struct{ left atomic.Int64 }

func (z *zeros) Read(p []byte) (int, error) {
	n := min(int64(len(p)), z.left.Load())
	if n == 0 {
		return 0, io.EOF
	}
	clear(p[:n])
	z.left.Add(-n)
	return int(n), nil
}

func TestDownloadsKeepTheirBackpressure(t *testing.T) {
	for name, l := range map[string]layer{"plain": plain, "tls": secure} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, Config{}, l)
			const size = 64 << 20
			var z zeros
			z.left.Store(size)
			s.mux.HandleFunc("/big", func(w http.ResponseWriter, r *http.Request) { io.Copy(w, &z) })
			transport := &http.Transport{TLSClientConfig: s.tls}
			defer transport.CloseIdleConnections()
			scheme := map[bool]string{true: "https://", false: "http://"}[s.tls != nil]
			resp, err := (&http.Client{Transport: transport}).Get(scheme + s.addr + "/big")
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if _, err := io.CopyN(io.Discard, resp.Body, 1<<20); err != nil {
				t.Fatal(err)
			}
			if left := z.left.Load(); left == 0 {
				t.Error("everything was buffered for a client that read a small part")
			}
			if n, err := io.Copy(io.Discard, resp.Body); err != nil || n != size-1<<20 {
				t.Errorf("the rest: %d bytes, %v", n, err)
			}
		})
	}
}
