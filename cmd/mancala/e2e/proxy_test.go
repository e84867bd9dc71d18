package e2e

import (
	"net"
	"testing"

	"mancala/cmd/mancala/proxytest"
)

// behind puts somebody behind a network of his own. With several instances that is
// their load balancer as well: it leads to the first that answers.
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
