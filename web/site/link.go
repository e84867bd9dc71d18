package site

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// Reach is how far a link works.
type Reach string

const (
	everywhere Reach = ""
	inNetwork  Reach = "network"
	OnMachine  Reach = "machine"
)

// Base is the address that this request came to.
func (srv *Site) Base(r *http.Request) string {
	if srv.PublicURL != nil {
		return srv.PublicURL.Scheme + "://" + srv.PublicURL.Host
	}
	scheme := "http"
	if srv.Secure {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}

// Link is the address of a game to send to a friend, where he may type its code
// instead, and how far both work. Who sits at the machine itself gets the
// address that it has in its network, if it has one.
func (srv *Site) Link(r *http.Request, id string) (link, joinAt string, far Reach) {
	base := srv.Base(r)
	if srv.PublicURL == nil {
		far = reachOf(r.Host)
		if far == OnMachine && srv.LocalURL != "" {
			base, far = srv.LocalURL, inNetwork
		}
	}
	_, host, _ := strings.Cut(base, "://")
	return base + "/" + id, host + "/j", far
}

// reachOf is from where a host, with or without a port, can be found.
func reachOf(host string) Reach {
	name := strings.ToLower((&url.URL{Host: host}).Hostname())
	addr, err := netip.ParseAddr(name)
	switch {
	case name == "localhost" || strings.HasSuffix(name, ".localhost") || err == nil && addr.IsLoopback():
		return OnMachine
	case err == nil && !addr.IsPrivate() && !addr.IsLinkLocalUnicast():
		return everywhere
	case err == nil || !strings.Contains(name, ".") || strings.HasSuffix(name, ".local"):
		return inNetwork
	default:
		return everywhere
	}
}
