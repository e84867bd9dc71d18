// Package address decides which client addresses count as one visitor in limits by address.
// It knows neither limits nor HTTP.
package address

import (
	"crypto/sha256"
	"encoding/base64"
	"net/netip"
)

// PerSite times the limit of a single network is the limit for all networks of one [Site]
// together.
const PerSite = 16

// Network returns the addresses that count as one visitor: an IPv4 address or an IPv6 /64,
// the usual size of one household. Clients without an address, such as those of a Unix
// socket, share the zero prefix.
func Network(a netip.Addr) netip.Prefix {
	a = a.Unmap().WithZone("")
	bits := a.BitLen()
	if a.Is6() {
		bits = 64
	}
	p, err := a.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return p
}

// Site returns the /48 of an IPv6 network. A rented server often has a whole /48, which
// holds 65,536 networks. ok is false for an IPv4 address.
func Site(network netip.Prefix) (site netip.Prefix, ok bool) {
	if !network.Addr().Is6() {
		return site, false
	}
	site, err := network.Addr().Prefix(48)
	return site, err == nil
}

// Place returns a name for the site of an address, or for the address itself with IPv4. The
// name is the same on all instances and does not reveal the address. Limits of what all
// instances share count by place.
func Place(a netip.Addr) string {
	p := Network(a)
	if site, ok := Site(p); ok {
		p = site
	}
	sum := sha256.Sum256([]byte("mancala place\n" + p.String()))
	return base64.RawURLEncoding.EncodeToString(sum[:9])
}
