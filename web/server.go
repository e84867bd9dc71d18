package web

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"

	"mancala/lobby"
	"mancala/lobby/workers"
	"mancala/web/api"
	"mancala/web/composer"
	"mancala/web/desk"
	"mancala/web/event"
	"mancala/web/live"
	"mancala/web/pages"
	"mancala/web/paper"
	"mancala/web/signin"
	"mancala/web/site"
)

// Server holds the parts of one server and wires them. It has no state of its own.
type Server struct {
	*site.Site
	live     *live.Live
	pages    *pages.Pages
	event    *event.Pages
	desk     *desk.Pages
	composer *composer.Pages
	paper    *paper.Pages
	signin   *signin.Pages
	api      *api.API
}

// New returns a server; Close ends it. An error reports a defect in the pages that
// are part of the binary.
func New(c site.Config, metrics *site.Metrics) (*Server, error) {
	if c.Log == nil {
		c.Log = slog.Default()
	}
	limits := site.NewLimiters(c.Limits)
	services := newServices(c, limits, metrics)
	s, err := site.New(c, limits, services, metrics)
	if err != nil {
		return nil, err
	}
	l := live.New(s)
	p, err := pages.New(s)
	if err != nil {
		return nil, err
	}
	return &Server{s, l, p, event.New(p), desk.New(p), composer.New(p), paper.New(p), signin.New(p), api.New(s)}, nil
}

// Close waits for all work that the server has started. The sockets must be closed
// first ([socket.Set.Shutdown]).
func (srv *Server) Close() { srv.Workers.Close() }

// ModerationRoutes adds the operators' pages to the admin address.
func (srv *Server) ModerationRoutes(mux *http.ServeMux) { srv.pages.ModerationRoutes(mux, srv.serve) }

// Handler returns the handler of the public address.
func (srv *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	srv.routes(func(pattern string, h site.Handler) { mux.HandleFunc(pattern, srv.serve(h)) })
	mux.HandleFunc("GET /static/{name}", srv.serve(srv.Assets.Serve))
	mux.HandleFunc(site.ApiPath, srv.serve(srv.api.NoOperation(mux)))
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { srv.deny(w, r, site.ErrForeign) }))
	if srv.PublicURL != nil {
		// AddTrustedOrigin fails only for a URL that is not an origin. The flag was
		// checked.
		_ = cross.AddTrustedOrigin(srv.PublicURL.Scheme + "://" + srv.PublicURL.Host)
	}
	return srv.recovered(srv.guarded(cross.Handler(mux)))
}

// routes calls serve with the pattern and the handler of each public route.
// TestRequestsOfStrangersAreCheap knows what each of them costs.
func (srv *Server) routes(serve func(pattern string, h site.Handler)) {
	serve("GET /{$}", srv.pages.Home)
	serve("GET /mine", srv.pages.MyGames)
	serve("POST /new", srv.pages.NewGame)
	serve("GET /bot", srv.pages.BotPage)
	serve("GET /here", srv.pages.HerePage)
	serve("GET /local", srv.pages.Local)
	serve("POST /seek", srv.pages.Seek)
	serve("POST /find", srv.pages.Seek)
	serve("POST /leave", srv.pages.Seek)
	serve("GET /challenge", srv.pages.ChallengePage)
	serve("POST /challenge", srv.pages.Challenge)
	serve("GET /watch", srv.pages.Watch)
	serve("GET /learn", srv.pages.LearnAll)
	serve("GET /learn/{system}", srv.pages.LearnSystem)
	serve("GET /learn/{system}/lesson", srv.pages.Lesson)
	serve("GET /puzzles", srv.pages.PuzzlesPage)
	serve("GET /puzzles/{id}", srv.pages.PuzzlePage)
	serve("POST /puzzles/{id}", answersAsAsked(srv.pages.TryPuzzle))
	srv.composer.Routes(serve)
	srv.paper.Routes(serve)
	serve("GET /settings", srv.pages.Settings)
	serve("POST /settings", srv.pages.SaveSettings)
	serve("POST /settings/forget", srv.pages.Forget)
	serve("GET /people", srv.pages.PeoplePage)
	serve("POST /people", srv.pages.Relate)
	serve("GET /people/{player}", srv.pages.PersonPage)
	serve("GET /me", srv.pages.MyProfile)
	serve("GET /@/{name}", srv.pages.Profile)
	serve("GET /top", srv.pages.TopAll)
	serve("GET /top/{system}", srv.pages.Top)
	srv.signin.Routes(serve, answersInJSON)
	serve("POST /report", srv.pages.ReportForm)
	srv.event.Routes(serve)
	srv.desk.Routes(serve, answersInJSON)
	serve("GET /{id}", pages.OfGame(srv.pages.Game))
	serve("POST /{id}/{what}", pages.OfGame(srv.pages.Act))
	serve("GET /{id}/{what}", pages.OfGame(srv.pages.GameViews))
	serve("GET /embed/{id}", srv.pages.Embed)
	serve("GET /face/{player}", srv.pages.Face)
	serve("GET /position.png", srv.pages.PositionPicture)
	serve("GET /oembed", answersInJSON(srv.pages.Oembed))
	serve("GET /ws", answersInJSON(srv.Bearer("play", srv.live.Socket)))
	serve("GET /j", srv.pages.Join)
	serve("POST /j", srv.pages.Join)
	serve("GET /offline", srv.pages.Offline)
	serve("GET /manifest.webmanifest", srv.pages.Manifest)
	serve("GET /sw.js", srv.pages.ServiceWorker)
	for _, file := range []string{"export.trf", "standings.csv", "games.csv", "games.ndjson", "tournament.json"} {
		serve("GET /t/{id}/"+file, srv.api.ExportFile(file))
	}
	for pattern, handler := range srv.api.Api() {
		serve(pattern, srv.Bearer(site.ScopeOf(pattern), handler))
	}
	serve("/", srv.pages.NotFound)
}

// guarded sets the headers of every answer, and limits the requests of each address.
// Assets are not counted: see isAsset.
func (srv *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = srv.Charged(r)
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		if strings.HasPrefix(r.URL.Path, site.ApiPath) {
			h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'") // JSON loads nothing
		} else {
			h.Set("Content-Security-Policy", site.ContentPolicy+"frame-ancestors 'none'")
			h.Set("Referrer-Policy", "same-origin")
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
		}
		if srv.Secure {
			h.Set("Strict-Transport-Security", "max-age=15552000") // half a year
		}
		if !isAsset(r.URL.Path) {
			if err := lobby.SlowDown(srv.Limit(site.LimitRequests).WaitAddress(srv.Address(r))); err != nil {
				srv.deny(w, r, err)
				return
			}
		}
		if err := site.CheckURL(r.URL); err != nil {
			srv.deny(w, r, err)
			return
		}
		if r.Body != nil {
			r.Body = http.MaxBytesReader(w, r.Body, site.BodyLimit(r))
		}
		ctx, cancel := context.WithTimeout(r.Context(), workers.Timeout) // sockets do not use this deadline
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// isAsset reports whether a path is of a file in memory that a browser requests by
// itself, beside each page. A school class behind one address requests all of them at
// once. A visitor over the limit must not lose their next request to one of them.
func isAsset(path string) bool {
	return strings.HasPrefix(path, "/static/") || path == "/manifest.webmanifest" || path == "/sw.js"
}

// recovered answers a panic with an error page and a log line.
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
