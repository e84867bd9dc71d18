package e2e

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"mancala/cmd/mancala/proxytest"
)

// behind gives a person a separate network. With several instances it is also
// their load balancer: it connects to the first instance that answers.
func (p *person) behind(t *testing.T, servers ...*server) *proxytest.Proxy {
	t.Helper()
	x := proxytest.New(t, func() (string, string) {
		for _, s := range servers {
			if c, err := net.Dial("tcp", s.addr); err == nil {
				c.Close()
				return "tcp", s.addr
			}
		}
		return "tcp", servers[0].addr
	})
	p.base = "http://" + x.Addr()
	p.forgive(outage...)
	return x
}

// inPieces returns the address of a proxy that passes a page on piece by piece,
// as a slow network does.
func inPieces(t *testing.T, s *server) string {
	t.Helper()
	const size, pause = 500, 10 * time.Millisecond
	x := &httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: s.addr})
			r.Out.Host = r.In.Host
			r.Out.Header.Del("Accept-Encoding") // a compressed page would be one piece
		},
		ModifyResponse: func(r *http.Response) error {
			if strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
				r.Body = &slowBody{r.Body, size, pause}
			}
			return nil
		},
	}
	h := httptest.NewServer(x)
	t.Cleanup(h.Close)
	return h.URL
}

// slowBody reads a body in pieces, with a pause before each.
type slowBody struct {
	io.ReadCloser
	size  int
	pause time.Duration
}

func (b *slowBody) Read(p []byte) (int, error) {
	time.Sleep(b.pause)
	return b.ReadCloser.Read(p[:min(len(p), b.size)])
}
