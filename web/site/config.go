package site

import (
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"mancala/lobby"
	"mancala/lobby/account"
	"mancala/lobby/analysis"
	"mancala/lobby/bot"
	"mancala/lobby/hosting"
	"mancala/lobby/lessons"
	"mancala/lobby/moderation"
	"mancala/lobby/push"
	"mancala/lobby/puzzles"
	"mancala/lobby/rating"
	"mancala/lobby/rulebook"
	"mancala/lobby/searchpool"
	"mancala/lobby/showcase"
	"mancala/lobby/social"
	"mancala/match/room"
	"mancala/web/socket"
)

// Config is what a server needs. The caller opens and closes the registry and the
// stores.
type Config struct {
	Rooms      *room.Registry
	Sockets    *socket.Set
	Lobby      *lobby.Lobby
	Social     *social.Graph
	Ratings    *rating.Ratings
	Moderation *moderation.Moderation
	Showcase   *showcase.Index
	Rulebook   *rulebook.Book
	Events     *hosting.Index
	Lessons    *lessons.Lessons
	Puzzles    *puzzles.Puzzles
	Push       *push.Push

	Accounts *account.Accounts
	Bots     *bot.Bots
	Analyses *analysis.Analyses
	Searches *searchpool.Pool // runs searches, and draws moving pictures

	PublicURL      *url.URL       // for links to send to others; nil: use the request's host or LocalURL
	LocalURL       string         // this machine's URL in its local network, used if no public URL is set
	Secure         bool           // the service is behind TLS: cookies are marked Secure
	TrustedProxies []netip.Prefix // proxies whose X-Forwarded-For is trusted
	Limits         Limits
	Expiry         time.Duration // time after which a game that never started ends
	Log            *slog.Logger
	Version        string
}

// Largest bodies of requests, in bytes.
const (
	MaxBody = 64 << 10 // of a form or an API request
	MaxFile = 1 << 20  // of a report file to import
)

// BodyLimit returns how many bytes the body of a request may have.
func BodyLimit(r *http.Request) int64 {
	if strings.HasPrefix(r.URL.Path, ApiPath+"tournaments/") && strings.HasSuffix(r.URL.Path, "/import") {
		return MaxFile
	}
	return MaxBody
}

// ContentPolicy is the Content-Security-Policy of every page, without
// frame-ancestors.
const ContentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; form-action 'self'; manifest-src 'self'; base-uri 'none'; "

// Address returns the client's address. It follows X-Forwarded-For only through
// trusted proxies.
func (srv *Site) Address(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	addr := peer.Addr().Unmap()
	forwarded := r.Header.Values("X-Forwarded-For")
	if len(forwarded) > 0 && !srv.trusted(addr) {
		srv.distrust.Do(func() {
			srv.Log.Warn("web: X-Forwarded-For ignored; if its sender is a proxy of this service, name it in --trusted-proxies", "from", addr)
		})
	}
	hops := strings.Split(strings.Join(forwarded, ","), ",")
	for i := len(hops) - 1; i >= 0 && srv.trusted(addr); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		addr = hop.Unmap()
	}
	return addr
}

func (srv *Site) trusted(addr netip.Addr) bool {
	for _, p := range srv.TrustedProxies {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}
