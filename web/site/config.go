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
	"mancala/lobby/moderation"
	"mancala/lobby/rating"
	"mancala/lobby/showcase"
	"mancala/lobby/social"
	"mancala/match/room"
	"mancala/web/socket"
)

// Config is what a server needs. The registry and the stores are opened and closed by
// the caller.
type Config struct {
	Rooms    *room.Registry
	Sockets  *socket.Set
	Lobby    *lobby.Lobby
	Social   *social.Graph
	Ratings  *rating.Ratings
	Desk     *moderation.Desk
	Showcase *showcase.Index

	Accounts *account.Accounts
	Bots     *bot.Bots
	Analyses *analysis.Analyses

	PublicURL      *url.URL       // for links that leave the machine; nil: from the request or the LAN
	LocalURL       string         // where this machine can be reached in its network, if no public URL is set
	Secure         bool           // behind TLS: cookies are marked so
	TrustedProxies []netip.Prefix // whose forwarded addresses are believed
	Limits         Limits
	Log            *slog.Logger
	Version        string
}

// Limits are what one visitor may do.
type Limits struct {
	Rooms              lobby.Rate    // games made by one visitor
	RoomsPerAddress    lobby.Rate    // and from one address
	BotGames           lobby.Rate    // games against bots made by one visitor
	BotsPerAddress     lobby.Rate    // and from one address
	Hints              lobby.Rate    // hints that one visitor gets
	HintsPerAddress    lobby.Rate    // and one address
	Guests             lobby.Rate    // guests made from one address
	Chat               lobby.Rate    // lines of one visitor
	Settings           lobby.Rate    // changes of settings of one visitor
	Requests           lobby.Rate    // requests of one address
	Pictures           lobby.Rate    // pictures drawn for one address
	Codes              lobby.Rate    // codes tried from one address
	Seeks              lobby.Rate    // seeks made, or accepted, by one visitor
	SignIns            lobby.Rate    // passwords tried for one name from one address, or from one known device
	SignInsPerName     lobby.Rate    // passwords tried for one name from all addresses but known devices
	SignInsPerAddress  lobby.Rate    // passwords tried from one address, accounts made and passwords changed; as many codes and passkeys
	Reports            lobby.Rate    // reports of one visitor
	ReportsPerAddress  lobby.Rate    // and from one address
	Passkeys           lobby.Rate    // questions to browsers for passkeys, from one address
	Tokens             lobby.Rate    // requests with one token
	Analyses           lobby.Rate    // games that one visitor has analysed
	AnalysesPerAddress lobby.Rate    // and from one address
	Looks              lobby.Rate    // positions whose worth one visitor asks for
	Positions          lobby.Rate    // positions looked at from one address
	Expiry             time.Duration // after which a game that never started ends
}

// maxBody is how many bytes a form or a message to the API may have.
const MaxBody = 64 << 10

// contentPolicy is what every page may do. Who may frame it is added to it.
const ContentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; manifest-src 'self'; base-uri 'none'; "

// Address is the client's, believed only as far as the proxies in between are
// trusted.
func (srv *Site) Address(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	addr := peer.Addr().Unmap()
	forwarded := r.Header.Values("X-Forwarded-For")
	if len(forwarded) > 0 && !srv.trusted(addr) {
		srv.distrust.Do(func() {
			srv.Log.Warn("web: X-Forwarded-For is not believed; if that is our proxy, name it in --trusted-proxies", "from", addr)
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
