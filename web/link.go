package web

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// reach is how far a link works.
type reach string

const (
	everywhere reach = ""
	inNetwork  reach = "network"
	onMachine  reach = "machine"
)

// base is the address that this request came to.
func (srv *Server) base(r *http.Request) string {
	if srv.PublicURL != nil {
		return srv.PublicURL.Scheme + "://" + srv.PublicURL.Host
	}
	scheme := "http"
	if srv.Secure {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}

// link is the address of a game to send to a friend, where he may type its code
// instead, and how far both work. Who sits at the machine itself gets the
// address that it has in its network, if it has one.
func (srv *Server) link(r *http.Request, id string) (link, joinAt string, far reach) {
	base := srv.base(r)
	if srv.PublicURL == nil {
		far = reachOf(r.Host)
		if far == onMachine && srv.LocalURL != "" {
			base, far = srv.LocalURL, inNetwork
		}
	}
	_, host, _ := strings.Cut(base, "://")
	return base + "/" + id, host + "/j", far
}

// reachOf is from where a host, with or without a port, can be found.
func reachOf(host string) reach {
	name := strings.ToLower((&url.URL{Host: host}).Hostname())
	addr, err := netip.ParseAddr(name)
	switch {
	case name == "localhost" || strings.HasSuffix(name, ".localhost") || err == nil && addr.IsLoopback():
		return onMachine
	case err == nil && !addr.IsPrivate() && !addr.IsLinkLocalUnicast():
		return everywhere
	case err == nil || !strings.Contains(name, ".") || strings.HasSuffix(name, ".local"):
		return inNetwork
	default:
		return everywhere
	}
}
