package web

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"mancala/lobby"
	"mancala/lobby/workers"
	"mancala/web/api"
	"mancala/web/live"
	"mancala/web/pages"
	"mancala/web/site"
)

// Server holds the parts of one server and wires them. It has no state of its own.
type Server struct {
	*site.Site
	live  *live.Live
	pages *pages.Pages
	api   *api.API
}

// New returns a server; Close ends it. An error reports a defect in the pages that
// are part of the binary.
func New(c site.Config, metrics *site.Metrics) (*Server, error) {
	s, err := site.New(c, metrics)
	if err != nil {
		return nil, err
	}
	l := live.New(s)
	p, err := pages.New(s, l)
	if err != nil {
		return nil, err
	}
	return &Server{s, l, p, api.New(s, l)}, nil
}

// Close waits for all work that the server has started. The sockets must be closed
// first ([socket.Set.Shutdown]).
func (srv *Server) Close() { srv.Workers.Close() }

// Moderation adds the operators' pages to the admin address.
func (srv *Server) Moderation(mux *http.ServeMux, addr string) { srv.pages.Moderation(mux, addr) }

// Handler returns the handler of the public address.
func (srv *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", srv.pages.Home)
	mux.HandleFunc("GET /mine", srv.pages.MyGames)
	mux.HandleFunc("POST /new", srv.pages.NewGame)
	mux.HandleFunc("GET /bot", srv.pages.BotPage)
	mux.HandleFunc("POST /seek", srv.pages.Seek)
	mux.HandleFunc("POST /find", srv.pages.Seek)
	mux.HandleFunc("POST /leave", srv.pages.Seek)
	mux.HandleFunc("GET /challenge", srv.pages.ChallengePage)
	mux.HandleFunc("POST /challenge", srv.pages.Challenge)
	mux.HandleFunc("GET /watch", srv.pages.Watch)
	mux.HandleFunc("GET /learn", srv.pages.LearnAll)
	mux.HandleFunc("GET /learn/{system}", srv.pages.LearnSystem)
	mux.HandleFunc("GET /settings", srv.pages.Settings)
	mux.HandleFunc("POST /settings", srv.pages.SaveSettings)
	mux.HandleFunc("POST /settings/forget", srv.pages.Forget)
	mux.HandleFunc("GET /people", srv.pages.PeoplePage)
	mux.HandleFunc("POST /people", srv.pages.TiePeople)
	mux.HandleFunc("GET /people/{player}", srv.pages.PersonPage)
	mux.HandleFunc("GET /me", srv.pages.MyProfile)
	mux.HandleFunc("GET /@/{name}", srv.pages.Profile)
	mux.HandleFunc("GET /top", srv.pages.TopAll)
	mux.HandleFunc("GET /top/{system}", srv.pages.Top)
	mux.HandleFunc("GET /account", srv.pages.Account)
	mux.HandleFunc("POST /account/create", srv.pages.CreateAccount)
	mux.HandleFunc("POST /account/password", srv.pages.SetPassword)
	mux.HandleFunc("POST /account/codes", srv.pages.RenewCodes)
	mux.HandleFunc("POST /account/sessions", srv.pages.EndSessions)
	mux.HandleFunc("POST /account/passkey", srv.pages.AskPasskey)
	mux.HandleFunc("POST /account/passkeys", srv.pages.Passkeys)
	mux.HandleFunc("POST /account/tokens", srv.pages.MakeToken)
	mux.HandleFunc("POST /account/move", srv.pages.OfferMove)
	mux.HandleFunc("GET /account/move/{secret}", srv.pages.AskMove)
	mux.HandleFunc("POST /account/move/{secret}", srv.pages.Move)
	mux.HandleFunc("GET /account/sign-in", srv.pages.SignIn)
	mux.HandleFunc("POST /account/sign-in", srv.pages.ByPassword)
	mux.HandleFunc("POST /account/recover", srv.pages.ByCode)
	mux.HandleFunc("POST /account/sign-out", srv.pages.SignOut)
	mux.HandleFunc("POST /report", srv.pages.ReportForm)
	mux.HandleFunc("GET /{id}", srv.pages.OfGame(srv.pages.Game))
	mux.HandleFunc("POST /{id}/{what}", srv.pages.OfGame(srv.pages.Act))
	mux.HandleFunc("GET /{id}/{what}", srv.pages.OfGame(srv.pages.Beside))
	mux.HandleFunc("GET /embed/{id}", srv.pages.Embed)
	mux.HandleFunc("GET /oembed", srv.pages.Oembed)
	mux.HandleFunc("GET /ws", srv.Bearer("play", srv.live.Socket))
	mux.HandleFunc("GET /j", srv.pages.Join)
	mux.HandleFunc("POST /j", srv.pages.Join)
	mux.HandleFunc("GET /offline", srv.pages.Offline)
	mux.HandleFunc("GET /manifest.webmanifest", srv.pages.Manifest)
	mux.HandleFunc("GET /sw.js", srv.pages.ServiceWorker)
	mux.HandleFunc("GET /static/{name}", srv.Assets.Serve)
	for pattern, handler := range srv.api.Api() {
		mux.HandleFunc(pattern, srv.Bearer(site.ScopeOf(pattern), handler))
	}
	mux.HandleFunc("/", srv.pages.NotFound)
	mux.HandleFunc(site.ApiPath, srv.api.NoOperation(mux))
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { srv.Deny(w, r, site.ErrForeign) }))
	if srv.PublicURL != nil {
		// AddTrustedOrigin fails only for a URL that is not an origin. The flag was
		// checked.
		_ = cross.AddTrustedOrigin(srv.PublicURL.Scheme + "://" + srv.PublicURL.Host)
	}
	return srv.recovered(srv.guarded(cross.Handler(mux)))
}

// guarded sets the headers of every answer, and limits the requests of each address.
// Assets are not counted: they are in memory, browsers cache them, and a school
// class behind one address requests all of them at once.
func (srv *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = r.WithContext(site.Remembering(r.Context()))
		h := w.Header()
		h.Set("Content-Security-Policy", site.ContentPolicy+"frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if srv.Secure {
			h.Set("Strict-Transport-Security", "max-age=15552000") // half a year
		}
		if !strings.HasPrefix(r.URL.Path, "/static/") {
			if err := lobby.SlowDown(srv.Limit(site.LimitRequests).WaitAddress(srv.Address(r))); err != nil {
				srv.Deny(w, r, err)
				return
			}
		}
		if r.Body != nil {
			r.Body = http.MaxBytesReader(w, r.Body, site.MaxBody)
		}
		ctx, cancel := context.WithTimeout(r.Context(), workers.Timeout) // sockets do not use this deadline
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// recovered answers a panic with an error page and a log line.
func (srv *Server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if why := recover(); why != nil {
				if why == http.ErrAbortHandler {
					panic(why)
				}
				srv.Deny(w, r, fmt.Errorf("panic: %v\n%s", why, debug.Stack()))
			}
		}()
		next.ServeHTTP(w, r)
	})
}
