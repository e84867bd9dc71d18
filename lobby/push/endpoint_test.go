package push_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"mancala/lobby"
	"mancala/lobby/lobbytest"
	"mancala/lobby/push"
	"mancala/lobby/push/pushtest"
)

var hostileEndpoints = []string{
	"", "x", "/push", "//push.example/x", "https:", "https://", "https:///x", "https:push.example/x",
	"http://push.example/x", "HTTP://push.example/x", "ftp://push.example/x", "file:///etc/passwd", "gopher://push.example/", "javascript:alert(1)",
	"https://push.example:80/x", "https://push.example:8443/x", "https://push.example:0443/x", "https://push.example:/x", "https://push.example:99999/x",
	"https://user@push.example/x", "https://user:secret@push.example/x", "https://@push.example/x", "https://push.example/x#part",
	"https://127.0.0.1/x", "https://127.0.0.1:443/x", "https://127.1/x", "https://2130706433/x", "https://0x7f000001/x", "https://0177.0.0.1/x", "https://0x7f.1/x",
	"https://0.0.0.0/x", "https://10.0.0.1/x", "https://172.16.0.1/x", "https://192.168.1.1/x", "https://169.254.169.254/latest/meta-data", "https://100.100.100.200/x",
	"https://8.8.8.8/x", "https://[::1]/x", "https://[::]/x", "https://[fe80::1%25eth0]/x", "https://[fd00:ec2::254]/x", "https://[::ffff:127.0.0.1]/x", "https://[2606:4700::1111]/x",
	"https://localhost/x", "https://redis/x", "https://metadata.google.internal/x", "https://db.local/x", "https://a.localhost/x", "https://1.0.0.127.in-addr.arpa/x",
	"https://push.example./x", "https://.example/x", "https://push..example/x", "https://pu sh.example/x", "https://push.example/\x00", "https://push.example/\r\nX: 1",
	"https://push.example/ä", "https://pushé.example/x", "https://push_%65.example/x", "https://push.example\\@127.0.0.1/x", "https://push.example%2f@127.0.0.1/x",
	"https://push.example/" + strings.Repeat("x", 1024), "https://" + strings.Repeat("x", 64) + ".example/x", "https://" + strings.Repeat("x.", 130) + "example/x",
}

func TestHostileEndpointsAreRefused(t *testing.T) {
	for _, e := range hostileEndpoints {
		if push.CheckEndpoint(e) == nil {
			t.Errorf("%.200q is accepted", e)
		}
	}
	for _, e := range []string{
		"https://fcm.googleapis.com/fcm/send/dQw4w9WgXcQ:APA91bH-x_y", "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABm",
		"https://web.push.apple.com/QGuQyavXutnMH", "https://wns2-par02p.notify.windows.com/w/?token=BQYAAAD%2bx", "https://push.example:443/x",
	} {
		if err := push.CheckEndpoint(e); err != nil {
			t.Errorf("%s: %v", e, err)
		}
	}
}

func TestHostileSubscriptionsAreRefused(t *testing.T) {
	d := newDesk(t, lobbytest.Memory(t))
	_, good := d.remote.Browser()
	for name, change := range map[string]func(s *push.Subscription){
		"an endpoint on this machine": func(s *push.Subscription) { s.Endpoint = "https://127.0.0.1/x" },
		"no key":                      func(s *push.Subscription) { s.Keys.P256dh = "" },
		"a short key":                 func(s *push.Subscription) { s.Keys.P256dh = s.Keys.P256dh[:40] },
		"a long key":                  func(s *push.Subscription) { s.Keys.P256dh += strings.Repeat("A", 60_000) },
		"a point beside the curve":    func(s *push.Subscription) { s.Keys.P256dh = "BA" + strings.Repeat("A", 85) },
		"a key with other letters":    func(s *push.Subscription) { s.Keys.P256dh = "!" + s.Keys.P256dh[1:] },
		"no secret":                   func(s *push.Subscription) { s.Keys.Auth = "" },
		"a short secret":              func(s *push.Subscription) { s.Keys.Auth = "AAAA" },
		"a long secret":               func(s *push.Subscription) { s.Keys.Auth = strings.Repeat("A", 60_000) },
	} {
		bad := good
		change(&bad)
		if err := d.one.Subscribe(d.Context(), d.ids["ada"], "", "en", bad); lobby.CodeOf(err) != push.CodeSubscription {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := d.devices("ada"); n != 0 {
		t.Errorf("%d hostile devices are stored", n)
	}
	good.Keys.P256dh += "=" // some browsers pad
	if err := d.one.Subscribe(d.Context(), d.ids["ada"], "", "en", good); err != nil {
		t.Error(err)
	}
}

func TestOnlyAddressesOfTheInternetAreCalled(t *testing.T) {
	for text, want := range map[string]bool{
		"8.8.8.8": true, "142.250.74.74": true, "2a00:1450:4001:82f::200a": true, "::ffff:8.8.8.8": true,
		"0.0.0.0": false, "0.1.2.3": false, "10.1.2.3": false, "100.64.0.1": false, "100.100.100.200": false, "127.0.0.1": false, "127.8.8.8": false,
		"169.254.169.254": false, "172.31.255.255": false, "192.0.0.192": false, "192.0.2.1": false, "192.88.99.1": false, "192.168.0.1": false,
		"198.18.0.1": false, "198.51.100.1": false, "203.0.113.1": false, "224.0.0.1": false, "240.0.0.1": false, "255.255.255.255": false,
		"::": false, "::1": false, "::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "::ffff:169.254.169.254": false, "::127.0.0.1": false,
		"64:ff9b::7f00:1": false, "64:ff9b:1::1": false, "100::1": false, "fc00::1": false, "fd00:ec2::254": false, "fe80::1": false, "fe80::1%eth0": false,
		"fec0::1": false, "ff02::1": false, "2001::1": false, "2001:db8::1": false, "2002:7f00:1::": false, "3fff::1": false, "2606:4700::1111%eth0": false,
	} {
		if got := push.IsPublic(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s is an address of the Internet: %v, want %v", text, got, want)
		}
	}
}

// names is a name server that answers each question with the next of some addresses.
func names(t *testing.T, addresses ...string) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { server.Close(); <-done })
	go func() {
		defer close(done)
		buffer := make([]byte, 1500)
		for asked := 0; ; {
			n, from, err := server.ReadFrom(buffer)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buffer[:n]) != nil || len(m.Questions) != 1 {
				continue
			}
			q := m.Questions[0]
			m.Response, m.Authoritative, m.Additionals = true, true, nil
			a := netip.MustParseAddr(addresses[min(asked, len(addresses)-1)])
			head := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}
			switch {
			case q.Type == dnsmessage.TypeA && a.Is4():
				m.Answers = append(m.Answers, dnsmessage.Resource{Header: head, Body: &dnsmessage.AResource{A: a.As4()}})
				asked++
			case q.Type == dnsmessage.TypeAAAA && a.Is6():
				m.Answers = append(m.Answers, dnsmessage.Resource{Header: head, Body: &dnsmessage.AAAAResource{AAAA: a.As16()}})
				asked++
			}
			if b, err := m.Pack(); err == nil {
				_, _ = server.WriteTo(b, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

func TestNameOfAPrivateAddressIsNotCalled(t *testing.T) {
	for _, addresses := range [][]string{
		{"127.0.0.1"}, {"::1"}, {"10.0.0.1"}, {"169.254.169.254"}, {"fd00:ec2::254"}, {"::ffff:127.0.0.1"}, {"127.0.0.1", "8.8.8.8"},
	} {
		opt := pushtest.New(t).Options()
		opt.Dial, opt.Resolver = nil, names(t, addresses...)
		db := lobbytest.Memory(t)
		d := newDesk(t, db)
		p, err := push.Open(t.Context(), db, d.people, opt)
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://push.example/x", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := p.Client().Do(r)
		if err == nil {
			answer.Body.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "not an address of a push service") {
			t.Errorf("a name with the addresses %v: %v", addresses, err)
		}
	}
}

// sendTo sends a message to a browser whose push service answers in this way. It returns what
// was counted.
func sendTo(t *testing.T, answer http.HandlerFunc) (counted []push.Outcome) {
	t.Helper()
	return sendBy(t, newDesk(t, lobbytest.Memory(t)), answer)
}

func sendBy(t *testing.T, d *desk, answer http.HandlerFunc) (counted []push.Outcome) {
	t.Helper()
	b := d.subscribe("ada", "", "en")
	d.remote.Answer(b, answer)
	d.turn(d.one, "k3v9qa2mx1", "ada", "0.2.1", 7, 24*time.Hour)
	d.pass(6 * time.Second)
	d.work(d.one)
	for o := range d.counts {
		counted = append(counted, o)
	}
	return counted
}

func TestRedirectIsNotFollowed(t *testing.T) {
	var called atomic.Bool
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { called.Store(true) }))
	t.Cleanup(inside.Close)
	for _, code := range []int{301, 302, 303, 307, 308} {
		counted := sendTo(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, inside.URL, code) })
		if !slices.Equal(counted, []push.Outcome{push.Failed}) || called.Load() {
			t.Errorf("a redirect with %d counts as %v; followed: %v", code, counted, called.Load())
		}
	}
}

func TestEndlessAnswerIsNotRead(t *testing.T) {
	over := make(chan int64, 1)
	counted := sendTo(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusCreated)
		n := int64(0)
		for r.Context().Err() == nil {
			m, err := io.WriteString(w, strings.Repeat("x", 1<<16))
			if n += int64(m); err != nil {
				break
			}
		}
		over <- n
	})
	if !slices.Equal(counted, []push.Outcome{push.Sent}) {
		t.Errorf("counted %v", counted)
	}
	if n := <-over; n > 64<<20 {
		t.Errorf("the push service could write %d bytes", n)
	}
}

func TestSlowAnswerIsGivenUp(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"no answer": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"an answer without end": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		},
	} {
		d := newDeskWith(t, lobbytest.Memory(t), func(opt *push.Options) { opt.Answer = time.Second })
		if counted := sendBy(t, d, answer); !slices.Equal(counted, []push.Outcome{push.Failed}) {
			t.Errorf("%s counts as %v", name, counted)
		}
	}
}
