package web

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"mancala/lobby"
	"mancala/lobby/account"
	"mancala/lobby/analysis"
	"mancala/lobby/bot"
	"mancala/lobby/effects"
	"mancala/lobby/gamelist"
	"mancala/lobby/moderation"
	"mancala/lobby/policy"
	"mancala/lobby/presence"
	"mancala/lobby/rating"
	"mancala/lobby/seeks"
	"mancala/lobby/showcase"
	"mancala/lobby/social"
	"mancala/lobby/workers"
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

// Server answers requests and sockets.
type Server struct {
	Config
	*lobby.Lobby
	rooms     *room.Registry
	log       *slog.Logger
	languages *languages
	assets    *assets
	pages     map[string]pages // by language
	previews  *previews
	puzzles   []solved
	installed map[string]*installed // by language
	metrics   *Metrics
	lessons   sync.Map // lesson → func() []learn.Section, called once
	learning  sync.Mutex

	roomLimit, addressLimit, guestLimit, chatLimit, prefLimit, requestLimit, codeLimit, seekLimit *lobby.Limiter
	signInLimit, signInNameLimit, signInAddressLimit, deviceLimit, secretLimit                    *lobby.Limiter
	passkeyLimit, tokenLimit                                                                      *lobby.Limiter
	botLimit, botAddressLimit, hintLimit, hintAddressLimit                                        *lobby.Limiter
	reportLimit, reportAddressLimit                                                               *lobby.Limiter
	analysisLimit, analysisAddressLimit, lookLimit, positionLimit                                 *lobby.Limiter

	failPage func(http.ResponseWriter, *http.Request, error) // answers with the page that fits an error
	lobby    *seeks.Client                                   // follows the lobby's room
	Policy   *policy.Policy
	workers  *workers.Workers // for everything that outlives a request

	distrust sync.Once // a proxy that nobody has named is told of once
	lounge   *lounge
	leases   *seeks.Leases
	presence *presence.Presence
	showcase *showcase.Cache
	gamelist *gamelist.List
	effects  *effects.Effects
	bills    bills

	hubsMu sync.Mutex // taken by itself, or after a room's feed
	hubs   map[string]*hub
}

// New makes a server; Close ends it. The error says what is wrong with the pages
// that are part of the binary.
func New(c Config, metrics *Metrics) (*Server, error) {
	srv := &Server{
		Config: c, Lobby: c.Lobby, rooms: c.Rooms, log: c.Log, metrics: metrics, hubs: map[string]*hub{},
		previews:  &previews{limit: lobby.NewLimiter(c.Limits.Pictures), drawn: map[string]drawn{}},
		roomLimit: lobby.NewLimiter(c.Limits.Rooms), addressLimit: lobby.NewLimiter(c.Limits.RoomsPerAddress), guestLimit: lobby.NewLimiter(c.Limits.Guests),
		chatLimit: lobby.NewLimiter(c.Limits.Chat), prefLimit: lobby.NewLimiter(c.Limits.Settings),
		requestLimit: lobby.NewLimiter(c.Limits.Requests), codeLimit: lobby.NewLimiter(c.Limits.Codes),
		seekLimit: lobby.NewLimiter(c.Limits.Seeks), passkeyLimit: lobby.NewLimiter(c.Limits.Passkeys), tokenLimit: lobby.NewLimiter(c.Limits.Tokens),
		signInLimit: lobby.NewLimiter(c.Limits.SignIns), signInNameLimit: lobby.NewLimiter(c.Limits.SignInsPerName), signInAddressLimit: lobby.NewLimiter(c.Limits.SignInsPerAddress),
		deviceLimit: lobby.NewLimiter(c.Limits.SignIns), secretLimit: lobby.NewLimiter(c.Limits.SignInsPerAddress),
		botLimit: lobby.NewLimiter(c.Limits.BotGames), botAddressLimit: lobby.NewLimiter(c.Limits.BotsPerAddress),
		hintLimit: lobby.NewLimiter(c.Limits.Hints), hintAddressLimit: lobby.NewLimiter(c.Limits.HintsPerAddress),
		reportLimit: lobby.NewLimiter(c.Limits.Reports), reportAddressLimit: lobby.NewLimiter(c.Limits.ReportsPerAddress),
		analysisLimit: lobby.NewLimiter(c.Limits.Analyses), analysisAddressLimit: lobby.NewLimiter(c.Limits.AnalysesPerAddress),
		lookLimit: lobby.NewLimiter(c.Limits.Looks), positionLimit: lobby.NewLimiter(c.Limits.Positions),
	}
	srv.failPage = srv.failWith
	if srv.log == nil {
		srv.log = slog.Default()
	}
	srv.workers = workers.New()
	srv.lobby = seeks.NewClient(srv.rooms)
	srv.lounge = newLounge(srv)
	srv.lobby.Listen(srv.lounge)
	srv.Policy = &policy.Policy{
		Rooms: srv.rooms, People: srv.People, Games: srv.Games, Social: srv.Social, Ratings: srv.Ratings, Desk: srv.Desk,
		Waiting: srv.lounge, Orders: srv.seekLimit,
	}
	srv.leases = srv.lobby.NewLeases()
	lists := gamelist.NewPages(srv.workers)
	srv.presence = presence.New(presence.Config{
		Rooms: srv.rooms, People: srv.People, Social: srv.Social, Lobby: srv.lobby, Workers: srv.workers, Log: srv.log,
	}, lists, func(player string) { srv.lounge.reconsider(player) })
	srv.showcase = showcase.NewCache(showcase.CacheConfig{
		Index: srv.Showcase, Rooms: srv.rooms, Ratings: srv.Ratings, Workers: srv.workers, Log: srv.log, Followers: srv,
	})
	srv.gamelist = gamelist.New(gamelist.Config{
		Rooms: srv.rooms, Games: srv.Games, Showcase: srv.showcase, Presence: srv.presence, Pages: lists, Workers: srv.workers, Log: srv.log,
	})
	srv.effects = &effects.Effects{Rooms: srv.rooms, Policy: srv.Policy, Ratings: srv.Ratings, Bots: srv.Bots, Expiry: srv.Limits.Expiry}
	srv.Accounts.WhenEnded(srv.closeEnded)
	srv.Desk.WhenDone(srv.moderated)
	var err error
	if srv.languages, err = loadLanguages(); err != nil {
		return nil, err
	}
	if srv.assets, err = loadAssets(); err != nil {
		return nil, err
	}
	if srv.installed, err = loadInstalled(srv); err != nil {
		return nil, err
	}
	if srv.puzzles, err = loadPuzzles(); err != nil {
		return nil, err
	}
	if srv.pages, err = loadPages(); err != nil {
		return nil, err
	}
	return srv, nil
}

// Close waits for what the server has started. The sockets are closed by then
// ([socket.Set.Shutdown]).
func (srv *Server) Close() { srv.workers.Close() }

// Handler is all that the public address serves.
func (srv *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", srv.home)
	mux.HandleFunc("GET /mine", srv.myGames)
	mux.HandleFunc("POST /new", srv.newGame)
	mux.HandleFunc("GET /bot", srv.botPage)
	mux.HandleFunc("POST /seek", srv.seek)
	mux.HandleFunc("POST /find", srv.seek)
	mux.HandleFunc("POST /leave", srv.seek)
	mux.HandleFunc("GET /challenge", srv.challengePage)
	mux.HandleFunc("POST /challenge", srv.challenge)
	mux.HandleFunc("GET /watch", srv.watch)
	mux.HandleFunc("GET /learn", srv.learnAll)
	mux.HandleFunc("GET /learn/{system}", srv.learnSystem)
	mux.HandleFunc("GET /settings", srv.settings)
	mux.HandleFunc("POST /settings", srv.saveSettings)
	mux.HandleFunc("POST /settings/forget", srv.forget)
	mux.HandleFunc("GET /people", srv.peoplePage)
	mux.HandleFunc("POST /people", srv.tiePeople)
	mux.HandleFunc("GET /people/{player}", srv.personPage)
	mux.HandleFunc("GET /me", srv.myProfile)
	mux.HandleFunc("GET /@/{name}", srv.profile)
	mux.HandleFunc("GET /top", srv.topAll)
	mux.HandleFunc("GET /top/{system}", srv.top)
	mux.HandleFunc("GET /account", srv.account)
	mux.HandleFunc("POST /account/create", srv.createAccount)
	mux.HandleFunc("POST /account/password", srv.setPassword)
	mux.HandleFunc("POST /account/codes", srv.renewCodes)
	mux.HandleFunc("POST /account/sessions", srv.endSessions)
	mux.HandleFunc("POST /account/passkey", srv.askPasskey)
	mux.HandleFunc("POST /account/passkeys", srv.passkeys)
	mux.HandleFunc("POST /account/tokens", srv.makeToken)
	mux.HandleFunc("POST /account/move", srv.offerMove)
	mux.HandleFunc("GET /account/move/{secret}", srv.askMove)
	mux.HandleFunc("POST /account/move/{secret}", srv.move)
	mux.HandleFunc("GET /account/sign-in", srv.signIn)
	mux.HandleFunc("POST /account/sign-in", srv.byPassword)
	mux.HandleFunc("POST /account/recover", srv.byCode)
	mux.HandleFunc("POST /account/sign-out", srv.signOut)
	mux.HandleFunc("POST /report", srv.reportForm)
	mux.HandleFunc("GET /{id}", srv.ofGame(srv.game))
	mux.HandleFunc("POST /{id}/{what}", srv.ofGame(srv.act))
	mux.HandleFunc("GET /{id}/{what}", srv.ofGame(srv.beside))
	mux.HandleFunc("GET /embed/{id}", srv.embed)
	mux.HandleFunc("GET /oembed", srv.oembed)
	mux.HandleFunc("GET /ws", srv.bearer("play", srv.socket))
	mux.HandleFunc("GET /j", srv.join)
	mux.HandleFunc("POST /j", srv.join)
	mux.HandleFunc("GET /offline", srv.offline)
	mux.HandleFunc("GET /manifest.webmanifest", srv.manifest)
	mux.HandleFunc("GET /sw.js", srv.serviceWorker)
	mux.HandleFunc("GET /static/{name}", srv.assets.serve)
	for pattern, handler := range srv.api() {
		mux.HandleFunc(pattern, srv.bearer(scopeOf(pattern), handler))
	}
	mux.HandleFunc("/", srv.notFound)
	mux.HandleFunc(apiPath, srv.noOperation(mux))
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { srv.deny(w, r, errForeign) }))
	if srv.PublicURL != nil {
		// An error means a URL that is no origin; the flag was checked.
		_ = cross.AddTrustedOrigin(srv.PublicURL.Scheme + "://" + srv.PublicURL.Host)
	}
	return srv.recovered(srv.guarded(cross.Handler(mux)))
}

// maxBody is how many bytes a form or a message to the API may have.
const maxBody = 64 << 10

// contentPolicy is what every page may do. Who may frame it is added to it.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; manifest-src 'self'; base-uri 'none'; "

// guarded sets the headers that every answer has, and slows down who asks too
// much. Assets are not counted: they are in memory, browsers keep them, and a
// class behind one address asks for all of them at once.
func (srv *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = r.WithContext(remembering(r.Context()))
		h := w.Header()
		h.Set("Content-Security-Policy", contentPolicy+"frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if srv.Secure {
			h.Set("Strict-Transport-Security", "max-age=15552000") // half a year
		}
		if !strings.HasPrefix(r.URL.Path, "/static/") {
			if err := lobby.SlowDown(srv.requestLimit.WaitAddress(srv.address(r))); err != nil {
				srv.deny(w, r, err)
				return
			}
		}
		if r.Body != nil {
			r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		}
		ctx, cancel := context.WithTimeout(r.Context(), workers.Timeout) // a socket has no use for it
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// recovered turns a panic into a page and a log line.
func (srv *Server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if why := recover(); why != nil {
				if why == http.ErrAbortHandler {
					panic(why)
				}
				srv.deny(w, r, fmt.Errorf("panic: %v\n%s", why, debug.Stack()))
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// socket upgrades to a WebSocket. Who asks must have been here before: the page
// gave him a cookie. Whoever has none watches, and whoever only asks to watch.
func (srv *Server) socket(w http.ResponseWriter, r *http.Request) {
	// Our pages came over TLS: one of this host that did not was written by
	// somebody on the way, and the socket's check compares hosts only.
	if srv.Secure && strings.HasPrefix(r.Header.Get("Origin"), "http:") {
		srv.deny(w, r, errForeign)
		return
	}
	s := &session{server: srv, words: srv.catalog(r)}
	who, err := srv.whoCame(w, r)
	if err != nil {
		lobby.Warn(srv.log, "web: session not read", err)
	}
	if err == nil && who.player != "" && !r.URL.Query().Has("watch") {
		s.player = who.player
		s.signed = who.signed()
		kids, unknown := srv.prefs(r)["kids"] == "on", keptBy(r).failed
		s.child.Store(kids || unknown)
		if unknown {
			srv.workers.Start(func() { srv.grown(s) })
		}
	} else {
		s.player, s.guest = "?"+rand.Text(), true
		s.child.Store(err != nil) // somebody we cannot know
	}
	if err := srv.Sockets.Accept(w, r, srv.address(r), s); err != nil {
		srv.log.Debug("web: socket refused", "err", err)
	}
	if srv.over(who) { // since the question and before there was a socket
		srv.Sockets.CloseThose(func(h socket.Handler) socket.Code {
			if h == socket.Handler(s) {
				return socket.SignedOut
			}
			return 0
		})
	}
}

// address is the client's, believed only as far as the proxies in between are
// trusted.
func (srv *Server) address(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	addr := peer.Addr().Unmap()
	forwarded := r.Header.Values("X-Forwarded-For")
	if len(forwarded) > 0 && !srv.trusted(addr) {
		srv.distrust.Do(func() {
			srv.log.Warn("web: X-Forwarded-For is not believed; if that is our proxy, name it in --trusted-proxies", "from", addr)
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

func (srv *Server) trusted(addr netip.Addr) bool {
	for _, p := range srv.TrustedProxies {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}
