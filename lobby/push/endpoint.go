package push

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

const (
	maxEndpoint = 1024 // bytes of an address
	httpsPort   = 443
	dialTime    = 5 * time.Second
	answerTime  = 8 * time.Second // for everything from the dial to the end of the answer
	maxAnswer   = 1 << 10         // bytes of an answer's body that are read
	maxHeader   = 16 << 10
)

// errEndpoint is the error of an address that no push service has.
var errEndpoint = errors.New("push: bad endpoint")

// checkEndpoint refuses the addresses to which this service never connects. The dialer
// checks the rest: a name may resolve to any address, and to another one each time.
func checkEndpoint(text string) error {
	for i := range len(text) {
		if text[i] <= ' ' || text[i] > '~' {
			return errEndpoint
		}
	}
	u, err := url.Parse(text)
	if err != nil || len(text) > maxEndpoint {
		return errEndpoint // the cause quotes the address
	}
	host := u.Hostname()
	_, notIP := netip.ParseAddr(host)
	switch {
	case u.Scheme != "https", u.Opaque != "", u.User != nil, u.Fragment != "",
		u.Host != host && u.Host != host+":443",
		notIP == nil, !publicName(host):
		return errEndpoint
	}
	return nil
}

// publicName reports whether a host's name can be one that the whole Internet resolves. A
// name whose last part is a number would be read as an IP address by some resolvers.
func publicName(host string) bool {
	labels := strings.Split(host, ".")
	last := labels[len(labels)-1]
	if len(host) > 253 || len(labels) < 2 || strings.Trim(last, "0123456789") == "" {
		return false
	}
	for _, label := range labels {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
			return false
		}
	}
	switch strings.ToLower(last) {
	case "localhost", "local", "internal", "lan", "home", "arpa", "onion":
		return false
	}
	return true
}

// reserved are the networks that are neither private nor local by name, and in which no
// push service is: shared and special ones, those for documentation, and those of IPv6 that
// carry an IPv4 address.
var reserved = prefixes("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15",
	"198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

// global is what IPv6 gives out for the Internet.
var global = netip.MustParsePrefix("2000::/3")

func prefixes(list ...string) (all []netip.Prefix) {
	for _, p := range list {
		all = append(all, netip.MustParsePrefix(p))
	}
	return all
}

// isPublic reports whether an address is one of the Internet.
func isPublic(a netip.Addr) bool {
	if a.Zone() != "" {
		return false
	}
	if a = a.Unmap(); !a.IsGlobalUnicast() || a.IsPrivate() || a.Is6() && !global.Contains(a) {
		return false
	}
	for _, p := range reserved {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// guard is called with each address after its name was resolved, and before the connection
// is made. So a name that resolves to another address the next time makes no difference.
func guard(_ context.Context, network, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !strings.HasPrefix(network, "tcp") || to.Port() != httpsPort || !isPublic(to.Addr()) {
		return fmt.Errorf("push: not an address of a push service: %s", address)
	}
	return nil
}

// newClient returns the client that sends messages. It follows no redirects, and uses no
// proxy: the guard would see the proxy's address only.
func (p *Push) newClient() *http.Client {
	dialer := &net.Dialer{Timeout: dialTime, Resolver: p.opt.Resolver, ControlContext: guard}
	dial := dialer.DialContext
	if p.opt.Dial != nil {
		dial = p.opt.Dial
	}
	t := &http.Transport{
		DialContext: dial, TLSHandshakeTimeout: dialTime, ForceAttemptHTTP2: true, DisableCompression: true,
		MaxResponseHeaderBytes: maxHeader, MaxIdleConns: 2 * atOnce * maxDevices, MaxIdleConnsPerHost: atOnce, IdleConnTimeout: 10 * time.Second,
	}
	if p.opt.Roots != nil {
		t.TLSClientConfig = &tls.Config{RootCAs: p.opt.Roots}
	}
	return &http.Client{
		Transport: t, Timeout: p.opt.Answer,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
