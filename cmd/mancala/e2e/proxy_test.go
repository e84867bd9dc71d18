package e2e

import (
	"testing"

	"mancala/cmd/mancala/proxytest"
)

// behind puts somebody behind a network of his own.
func (p *person) behind(t *testing.T, s *server) *proxytest.Proxy {
	t.Helper()
	x := proxytest.New(t, func() (string, string) { return "tcp", s.addr })
	p.base = "http://" + x.Addr()
	p.forgive(outage...)
	return x
}
