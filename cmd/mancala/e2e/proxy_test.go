package e2e

import (
	"net"
	"testing"

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
