package address

import (
	"net/netip"
	"testing"
)

func TestAddressesAreCountedByNetworkAndSite(t *testing.T) {
	for _, tt := range []struct{ addr, network, site string }{
		{"198.51.100.1", "198.51.100.1/32", ""},
		{"::ffff:192.0.2.7", "192.0.2.7/32", ""},
		{"2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"},
		{"fe80::1%eth0", "fe80::/64", "fe80::/48"},
		{"", "invalid Prefix", ""},
	} {
		a, _ := netip.ParseAddr(tt.addr) // an empty text gives the zero address
		network := Network(a)
		site, ok := Site(network)
		if network.String() != tt.network || ok != (tt.site != "") || ok && site.String() != tt.site {
			t.Errorf("%q is in %v of %v, want %s of %s", tt.addr, network, site, tt.network, tt.site)
		}
	}
}
