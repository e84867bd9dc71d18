package site

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// Reach tells from where a link can be opened.
type Reach string

const (
	everywhere Reach = ""
	inNetwork  Reach = "network"
	OnMachine  Reach = "machine"
)

// Base returns the scheme and host that this request came to, or the public URL.
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

// Link returns the address of a game for a friend, the address where the friend may
// type the game's code instead, and from where both can be opened. A request from
// the machine itself gets the machine's address in its local network, if there is
// one.
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

// reachOf returns from where a host can be reached. The host may have a port.
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
