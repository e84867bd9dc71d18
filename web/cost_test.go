package web

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/match"
	"mancala/match/machine"
	"mancala/web/site"
	"mancala/web/socket"
)

// maxCost is the memory that a request may use on a route without a limit of its own.
const maxCost = 1 << 20

// question is a request of a stranger, or of the guest with a cookie.
type question struct {
	target, body string
	cookie       string
}

func get(target string) question { return question{target: target} }

// routeCost describes what a route costs: how the test asks, each time for something that
// no request has asked for before, and the limit that holds where a request may cost more
// than maxCost.
type routeCost struct {
	ask    func(*service, *costs, int) question
	limit  string                               // flags, with spaces between; empty: a request is always cheap
	costly func(*service, *costs, int) question // a request that the limit counts
}

// costs is what the requests need.
type costs struct {
	guest  string // a cookie
	guests []string
}

func always(q question) func(*service, *costs, int) question {
	return func(*service, *costs, int) question { return q }
}

func cheap(q question) routeCost { return routeCost{ask: always(q)} }

// byGuest is a route that only people with an identity may use.
func byGuest(target, body string) routeCost {
	return routeCost{ask: func(_ *service, c *costs, _ int) question { return question{target, body, c.guest} }}
}

// usual and long are how many entries the games of the test have.
const usual, long = 180, 700

// ofGame is a route below a game, with the game's ID in place of "ID". Each request is for
// another game, which sleeps.
func ofGame(target, body, limit string) routeCost {
	in := func(entries int) func(*service, *costs, int) question {
		return func(s *service, c *costs, _ int) question {
			return question{strings.ReplaceAll(target, "ID", s.asleep(entries)), body, c.guest}
		}
	}
	r := routeCost{ask: in(usual), limit: limit}
	if limit != "" {
		r.costly = in(long)
	}
	return r
}

// ofTournament is a route below a tournament of a hundred players, with its ID in place of "ID".
// Each request is for another tournament.
func ofTournament(target, body string) routeCost {
	return routeCost{ask: func(s *service, c *costs, _ int) question {
		return question{strings.ReplaceAll(target, "ID", s.tournament(100)), body, c.guest}
	}}
}

// counts is a route on which each request counts.
func counts(limit string, ask func(*service, *costs, int) question) routeCost {
	return routeCost{limit: limit, costly: ask}
}

func form(target string, fields ...string) func(*service, *costs, int) question {
	return func(_ *service, _ *costs, i int) question {
		v := url.Values{}
		for n := 0; n < len(fields); n += 2 {
			v.Set(fields[n], strings.ReplaceAll(fields[n+1], "#", fmt.Sprint(i)))
		}
		return question{target: target, body: v.Encode()}
	}
}

// pushBody is a subscription; its key is the base point of the curve.
const pushBody = `{"endpoint":"https://push.example/x","keys":{
	"p256dh":"BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU","auth":"AAAAAAAAAAAAAAAAAAAAAA"}}`

// routeCosts has a row for each public route.
var routeCosts = map[string]routeCost{
	"GET /{$}":        cheap(get("/")),
	"GET /mine":       byGuest("/mine", ""),
	"POST /new":       counts("games-per-address", form("/new", "rules", "kalah")),
	"GET /bot":        cheap(get("/bot?rules=kalah")),
	"GET /here":       cheap(get("/here?rules=kalah")),
	"GET /local":      cheap(get("/local")),
	"POST /seek":      byGuest("/seek", "rules=kalah&clock=5%2B3"),
	"POST /find":      byGuest("/find", "rules=kalah&clock=5%2B3"),
	"POST /leave":     byGuest("/leave", ""),
	"GET /challenge":  cheap(get("/challenge")),
	"POST /challenge": byGuest("/challenge", "to=paaaaaaaaa&rules=kalah&clock=none"),
	"GET /watch":      cheap(get("/watch")),
	"GET /learn":      cheap(get("/learn")),
	"GET /learn/{system}": {ask: always(get("/learn/oware")), limit: "lessons", costly: func(_ *service, _ *costs, i int) question {
		return get(fmt.Sprint("/learn/kalah?options=seeds%3D", 5+i))
	}},
	"GET /learn/{system}/lesson": cheap(get("/learn/oware/lesson?step=2&move=a")),
	"GET /puzzles":               cheap(get("/puzzles")),
	"GET /puzzles/{id}":          {ask: inPuzzle("")},
	"POST /puzzles/{id}":         {ask: inPuzzle("move=b")},
	"GET /rules/new": counts("lessons", func(_ *service, _ *costs, i int) question {
		return get(fmt.Sprint("/rules/new?rules=kalah&options=no_progress%3D", 100+i))
	}),
	"GET /rules/compare": counts("lessons", func(_ *service, _ *costs, i int) question {
		return get(fmt.Sprint("/rules/compare?rules=kalah&with=kalah&theirs=no_progress%3D", 100+i))
	}),
	"POST /rules":                   byGuest("/rules", "rules=kalah&options=pits%3D7&name=Long"),
	"GET /rules/{id}":               cheap(get("/rules/aaaaaaaaa2")),
	"POST /rules/{id}/forget":       byGuest("/rules/aaaaaaaaa2/forget", ""),
	"GET /settings":                 cheap(get("/settings")),
	"POST /settings":                byGuest("/settings", "theme=dark"),
	"POST /settings/forget":         byGuest("/settings/forget", ""),
	"GET /people":                   byGuest("/people", ""),
	"POST /people":                  byGuest("/people", "player=paaaaaaaaa&do=follow"),
	"GET /people/{player}":          byGuest("/people/paaaaaaaaa", ""),
	"GET /me":                       byGuest("/me", ""),
	"GET /@/{name}":                 cheap(get("/@/Ada")),
	"GET /top":                      cheap(get("/top")),
	"GET /top/{system}":             cheap(get("/top/kalah")),
	"GET /account":                  byGuest("/account", ""),
	"POST /account/create":          counts("sign-ins-per-address", form("/account/create", "name", "Ada #", "password", "correct horse battery #")),
	"POST /account/password":        counts("sign-ins-per-address", nil),
	"POST /account/codes":           byGuest("/account/codes", ""),
	"POST /account/sessions":        byGuest("/account/sessions", ""),
	"POST /account/passkey":         byGuest("/account/passkey", ""),
	"POST /account/passkeys":        byGuest("/account/passkeys", ""),
	"POST /account/tokens":          byGuest("/account/tokens", "name=x"),
	"POST /account/move":            byGuest("/account/move", ""),
	"GET /account/move/{secret}":    cheap(get("/account/move/nothing")),
	"POST /account/move/{secret}":   cheap(question{target: "/account/move/nothing", body: "x=1"}),
	"GET /account/sign-in":          cheap(get("/account/sign-in")),
	"POST /account/sign-in":         counts("sign-ins-per-address", form("/account/sign-in", "name", "Ben #", "password", "correct horse battery #")),
	"POST /account/recover":         {ask: form("/account/recover", "name", "Ben #", "code", "abcdefghjkmnpqrs")},
	"POST /account/sign-out":        byGuest("/account/sign-out", ""),
	"POST /report":                  byGuest("/report", "player=paaaaaaaaa&reason=chat"),
	"GET /t":                        cheap(get("/t")),
	"GET /t/new":                    cheap(get("/t/new")),
	"POST /t":                       counts("tournaments-per-address", form("/t", "name", "Cup #", "format", "swiss", "rounds", "5", "rules", "kalah", "clock", "none")),
	"POST /t/recover":               byGuest("/t/recover", "key=x"),
	"GET /t/{id}/ready":             ofGame("/t/ID/ready", "", "replays"),
	"GET /class":                    cheap(get("/class")),
	"GET /tournaments":              cheap(get("/tournaments")),
	"GET /t/{id}":                   ofGame("/t/ID", "", "replays"),
	"GET /t/{id}/p/{number}":        ofGame("/t/ID/p/1", "", "replays"),
	"GET /t/{id}/rounds/{round}":    ofGame("/t/ID/rounds/1", "", "replays"),
	"GET /t/{id}/calendar":          ofGame("/t/ID/calendar", "", "replays"),
	"GET /t/{id}/embed":             ofGame("/t/ID/embed", "", "replays"),
	"GET /t/{id}/host":              ofGame("/t/ID/host", "", "replays"),
	"POST /t/{id}/host":             byGuest("/t/zzzzzzzzz9/host", "key=x"),
	"GET /t/{id}/plan":              ofGame("/t/ID/plan", "", "replays"),
	"POST /t/{id}/plan":             ofGame("/t/ID/plan", `{"pairings":[[1,2]]}`, "replays"),
	"GET /t/{id}/log":               ofGame("/t/ID/log", "", "replays"),
	"POST /t/{id}/players":          ofGame("/t/ID/players", "names=Ada", "replays"),
	"POST /t/{id}/players/{number}": ofGame("/t/ID/players/1", "name=Ada", "replays"),
	"GET /t/{id}/screen":            ofGame("/t/ID/screen", "", "replays"),
	"GET /t/{id}/poster":            ofGame("/t/ID/poster", "", "replays"),
	"GET /t/{id}/certificates":      ofGame("/t/ID/certificates", "", "replays"),
	"GET /t/{id}/pairings":          ofGame("/t/ID/pairings", "", "replays"),
	"POST /t/{id}/{what}":           ofGame("/t/ID/here", "x=1", "replays"),
	"GET /{id}":                     ofGame("/ID", "", "replays"),
	"POST /{id}/{what}":             ofGame("/ID/sit", "x=1", "replays"),
	"GET /{id}/{what}":              ofGame("/ID/card", "", "replays pictures movies"),
	"GET /embed/{id}":               ofGame("/embed/ID", "", "replays"),
	"GET /print/{id}":               ofGame("/print/ID", "", "replays"),
	"GET /sheet": {ask: func(_ *service, _ *costs, i int) question {
		return get(fmt.Sprint("/sheet?rules=kalah&options=no_progress%3D", 100+i))
	}},
	"GET /face/{player}": cheap(get("/face/paaaaaaaaaaaa")),
	"GET /position.png": {ask: func(_ *service, _ *costs, i int) question { // the rules are new, and the picture is known
		return get(fmt.Sprint("/position.png?rules=kalah&options=no_progress%3D", 100+i))
	}, limit: "pictures", costly: func(_ *service, _ *costs, i int) question {
		return get(fmt.Sprint("/position.png?rules=kalah&options=seeds%3D", 5+i))
	}},
	"GET /oembed":               ofGame("/oembed?url=http%3A%2F%2Fexample.com%2FID", "", "replays"),
	"GET /ws":                   counts("replays", nil), // TestLongGamesAreLimitedOnSocketsToo
	"GET /j":                    cheap(get("/j?code=abcdef")),
	"POST /j":                   cheap(question{target: "/j", body: "code=abcdef"}),
	"GET /offline":              cheap(get("/offline")),
	"GET /manifest.webmanifest": cheap(get("/manifest.webmanifest")),
	"GET /sw.js":                cheap(get("/sw.js")),
	"GET /api/v1/openapi.json":  cheap(get("/api/v1/openapi.json")),
	"GET /api/v1/rules":         cheap(get("/api/v1/rules")),
	"GET /api/v1/rules/{system}": {ask: func(_ *service, _ *costs, i int) question {
		return get(fmt.Sprint("/api/v1/rules/kalah?options=seeds%3D", 5+i))
	}},
	"GET /api/v1/games":                           cheap(get("/api/v1/games")),
	"POST /api/v1/games":                          counts("games-per-address", always(question{target: "/api/v1/games", body: `{"rules":"kalah"}`})),
	"GET /api/v1/games/{id}":                      ofGame("/api/v1/games/ID", "", "replays"),
	"GET /api/v1/games/{id}/replay":               ofGame("/api/v1/games/ID/replay", "", "replays"),
	"GET /api/v1/games/{id}/record":               ofGame("/api/v1/games/ID/record", "", "replays"),
	"POST /api/v1/games/{id}/commands":            ofGame("/api/v1/games/ID/commands", `{"id":"c1","kind":"sit"}`, "replays"),
	"POST /api/v1/games/{id}/hint":                ofGame("/api/v1/games/ID/hint", `{}`, "hints-per-address"),
	"GET /api/v1/games/{id}/analysis":             ofGame("/api/v1/games/ID/analysis", "", "replays"),
	"POST /api/v1/games/{id}/analysis":            ofGame("/api/v1/games/ID/analysis", `{}`, "analyses-per-address"),
	"DELETE /api/v1/games/{id}/analysis":          ofGame("/api/v1/games/ID/analysis", "", ""),
	"GET /api/v1/games/{id}/analysis/record":      ofGame("/api/v1/games/ID/analysis/record", "", "replays"),
	"POST /api/v1/positions":                      counts("positions", always(question{target: "/api/v1/positions", body: `{"rules":"kalah"}`})),
	"GET /api/v1/seeks":                           cheap(get("/api/v1/seeks")),
	"POST /api/v1/seeks":                          byGuest("/api/v1/seeks", `{"rules":"kalah","clock":"5+3"}`),
	"DELETE /api/v1/seeks":                        byGuest("/api/v1/seeks", ""),
	"POST /api/v1/pairings":                       byGuest("/api/v1/pairings", `{"rules":"kalah","clock":"5+3"}`),
	"GET /api/v1/me/wait":                         byGuest("/api/v1/me/wait", ""),
	"POST /api/v1/seeks/{id}/accept":              byGuest("/api/v1/seeks/zzzzzzzzz9/accept", `{}`),
	"GET /api/v1/challenges":                      byGuest("/api/v1/challenges", ""),
	"POST /api/v1/challenges":                     byGuest("/api/v1/challenges", `{"rules":"kalah","clock":"5+3","to":"paaaaaaaaa"}`),
	"DELETE /api/v1/challenges/{id}":              byGuest("/api/v1/challenges/zzzzzzzzz9", ""),
	"POST /api/v1/challenges/{id}/accept":         byGuest("/api/v1/challenges/zzzzzzzzz9/accept", `{}`),
	"GET /api/v1/players/{name}":                  cheap(get("/api/v1/players/Ada")),
	"GET /api/v1/players/{name}/ratings":          cheap(get("/api/v1/players/Ada/ratings")),
	"GET /api/v1/players/{name}/games":            cheap(get("/api/v1/players/Ada/games")),
	"GET /api/v1/leaderboards":                    cheap(get("/api/v1/leaderboards")),
	"GET /api/v1/leaderboards/{system}/{speed}":   cheap(get("/api/v1/leaderboards/kalah/blitz")),
	"GET /api/v1/me":                              byGuest("/api/v1/me", ""),
	"PATCH /api/v1/me":                            byGuest("/api/v1/me", `{"name":"Ada"}`),
	"GET /api/v1/me/settings":                     byGuest("/api/v1/me/settings", ""),
	"PATCH /api/v1/me/settings":                   byGuest("/api/v1/me/settings", `{"theme":"dark"}`),
	"GET /api/v1/me/lessons":                      byGuest("/api/v1/me/lessons", ""),
	"PATCH /api/v1/me/lessons":                    byGuest("/api/v1/me/lessons", `{"kalah":["sow"]}`),
	"GET /api/v1/me/push":                         byGuest("/api/v1/me/push", ""),
	"POST /api/v1/me/push":                        byGuest("/api/v1/me/push", pushBody),
	"DELETE /api/v1/me/push/{device}":             byGuest("/api/v1/me/push/AAAAAAAAAAAAAAAAAAAAAA", ""),
	"GET /api/v1/me/games":                        byGuest("/api/v1/me/games", ""),
	"GET /api/v1/me/circle":                       byGuest("/api/v1/me/circle", ""),
	"PUT /api/v1/me/following/{player}":           byGuest("/api/v1/me/following/paaaaaaaaa", `{}`),
	"DELETE /api/v1/me/following/{player}":        byGuest("/api/v1/me/following/paaaaaaaaa", ""),
	"PUT /api/v1/me/blocked/{player}":             byGuest("/api/v1/me/blocked/paaaaaaaaa", `{}`),
	"DELETE /api/v1/me/blocked/{player}":          byGuest("/api/v1/me/blocked/paaaaaaaaa", ""),
	"POST /api/v1/reports":                        byGuest("/api/v1/reports", `{"player":"paaaaaaaaa","reason":"chat"}`),
	"GET /t/{id}/export.trf":                      ofTournament("/t/ID/export.trf", ""),
	"GET /t/{id}/standings.csv":                   ofTournament("/t/ID/standings.csv", ""),
	"GET /t/{id}/games.csv":                       ofTournament("/t/ID/games.csv", ""),
	"GET /t/{id}/games.ndjson":                    ofTournament("/t/ID/games.ndjson", ""),
	"GET /t/{id}/tournament.json":                 ofTournament("/t/ID/tournament.json", ""),
	"GET /api/v1/tournaments":                     cheap(get("/api/v1/tournaments")),
	"POST /api/v1/tournaments":                    byGuest("/api/v1/tournaments", `{"name":"Club Cup"}`),
	"GET /api/v1/tournaments/{id}":                ofTournament("/api/v1/tournaments/ID", ""),
	"POST /api/v1/tournaments/{id}/players":       ofTournament("/api/v1/tournaments/ID/players", `{"name":"Ada"}`),
	"PATCH /api/v1/tournaments/{id}/players/{n}":  ofTournament("/api/v1/tournaments/ID/players/2", `{"name":"Ada"}`),
	"DELETE /api/v1/tournaments/{id}/players/{n}": ofTournament("/api/v1/tournaments/ID/players/2", ""),
	"POST /api/v1/tournaments/{id}/hosts":         ofTournament("/api/v1/tournaments/ID/hosts", `{"key":"x"}`),
	"POST /api/v1/tournaments/{id}/commands":      ofTournament("/api/v1/tournaments/ID/commands", `{"id":"c1","kind":"here"}`),
	"POST /api/v1/tournaments/{id}/import":        ofTournament("/api/v1/tournaments/ID/import", "012 Cup"),
	"GET /api/v1/tournaments/{id}/preview":        ofTournament("/api/v1/tournaments/ID/preview", ""),
	"GET /api/v1/tournaments/{id}/log":            ofTournament("/api/v1/tournaments/ID/log", ""),
	"GET /api/v1/tournaments/{id}/files/{file}":   ofTournament("/api/v1/tournaments/ID/files/games.csv", ""),
	"GET /api/v1/tournaments/{id}/names":          ofTournament("/api/v1/tournaments/ID/names", ""),
	"GET /api/v1/tournaments/{id}/standings":      ofTournament("/api/v1/tournaments/ID/standings", ""),
	"/":                                           cheap(get("/nothing/at/all")),
}

// runs is how often each request is made. The first run does not count: it fills what is
// made once for all, as templates. A request that seems to cost too much is made more
// often: the memory is that of the whole process, and on a slow machine the lobby is told of
// one change while the next is made.
const runs, mostRuns = 4, 40

// TestRequestsOfStrangersAreCheap measures a request on every public route, with 2,000
// people in the lobby. It uses at most maxCost of memory, or the route has a limit of its
// own, which refuses the second of two such requests. OPERATIONS.md has a row for each of
// these routes. The time is printed only (-v).
func TestRequestsOfStrangersAreCheap(t *testing.T) {
	t.Run("alone", func(t *testing.T) { // no other test runs beside a subtest that measures
		s := serve(t)
		h, c := s.Handler(), &costs{guests: s.guests(1)}
		c.guest = c.guests[0]
		s.fillLobby(2000)
		s.routes(func(pattern string, _ site.Handler) {
			row, known := routeCosts[pattern]
			if !known {
				t.Errorf("%s: the test does not know what a request costs", pattern)
			}
			if row.ask == nil {
				return
			}
			least, quickest, status := uint64(1<<62), time.Hour, 0
			for i := 0; i < runs || least > maxCost && i < mostRuns; i++ {
				r := request(pattern, row.ask(s, c, i), "192.0.2.1")
				bytes, took, got := cost(h, r)
				if status = got; status >= 500 {
					t.Errorf("%s: status %d", pattern, status)
				}
				if i > 0 {
					least, quickest = min(least, bytes), min(quickest, took)
				}
			}
			t.Logf("%-45s %5d kB %8v  %d", pattern, least>>10, quickest.Round(10*time.Microsecond), status)
			if least > maxCost {
				t.Errorf("%s: a request uses %d kB of memory", pattern, least>>10)
			}
		})
	})
	t.Run("limits", func(t *testing.T) {
		s := serve(t, func(c *site.Config, _ *socket.Config) {
			for l := range c.Limits {
				if site.Limit(l) != site.LimitRequests && site.Limit(l) != site.LimitGuests {
					c.Limits[l] = lobby.Rate{N: 1, Per: time.Hour}
				}
			}
		})
		h, c, n := s.Handler(), &costs{guests: s.guests(200)}, 0
		c.guest = c.guests[0]
		s.routes(func(pattern string, _ site.Handler) {
			row := routeCosts[pattern]
			if row.costly == nil {
				return
			}
			n++
			for i := range 2 {
				q := row.costly(s, c, i)
				if q.cookie != "" {
					q.cookie = c.guests[2*n+i] // limits by visitor do not count two
				}
				_, took, status := cost(h, request(pattern, q, fmt.Sprint("192.0.2.", n)))
				if refused := status == http.StatusTooManyRequests; refused != (i == 1) {
					t.Errorf("%s: request %d: status %d after %v", pattern, i+1, status, took)
				}
			}
		})
	})
}

func TestDocumentNamesRoutesWithLimits(t *testing.T) {
	text, err := os.ReadFile("../deploy/OPERATIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	var limits site.Limits
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	limits.Register(flags)
	var want []string
	for pattern, row := range routeCosts {
		if row.limit == "" {
			continue
		}
		for _, name := range strings.Fields(row.limit) {
			if flags.Lookup("limit-"+name) == nil {
				t.Errorf("there is no flag --limit-%s", name)
			}
		}
		want = append(want, fmt.Sprintf("| `%s` | `--limit-%s` |", pattern, strings.ReplaceAll(row.limit, " ", "`, `--limit-")))
	}
	slices.Sort(want)
	_, table, _ := strings.Cut(string(text), "| route | limit |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	if got := strings.Split(table, "\n"); !slices.Equal(got, want) {
		t.Errorf("OPERATIONS.md has the rows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestDocumentNamesEveryAddressOfAPage checks that UX.md has each route that a browser can open.
func TestDocumentNamesEveryAddressOfAPage(t *testing.T) {
	text, err := os.ReadFile("UX.md")
	if err != nil {
		t.Fatal(err)
	}
	// Files and the socket are no pages. Of /{id}/{what} the document has each address.
	other := []string{"/static/{name}", "/manifest.webmanifest", "/sw.js", "/ws", "/{id}/{what}"}
	pages := 0
	for pattern := range routeCosts {
		address, ok := strings.CutPrefix(pattern, "GET ")
		if !ok || strings.HasPrefix(address, site.ApiPath) || slices.Contains(other, address) {
			continue
		}
		pages++
		address = strings.TrimSuffix(address, "{$}")
		if !regexp.MustCompile("`" + regexp.QuoteMeta(address) + "[`?]").Match(text) {
			t.Errorf("UX.md does not have `%s`", address)
		}
	}
	if pages < 40 {
		t.Errorf("found only %d addresses", pages)
	}
}

// request makes a request on the route of a pattern.
func request(pattern string, q question, from string) *http.Request {
	method, _, ok := strings.Cut(pattern, " ")
	if !ok {
		method = http.MethodGet
	}
	r := httptest.NewRequest(method, q.target, strings.NewReader(q.body))
	r.RemoteAddr = from + ":4000"
	if q.body != "" {
		r.Header.Set("Content-Type", formType)
	}
	if strings.HasPrefix(q.body, "{") {
		r.Header.Set("Content-Type", "application/json")
	}
	if q.cookie != "" {
		r.Header.Set("Cookie", site.CookieName+"="+q.cookie)
	}
	return r
}

// cost serves a request, and returns how much memory and time that took.
func cost(h http.Handler, r *http.Request) (bytes uint64, took time.Duration, status int) {
	w := &unread{header: http.Header{}, status: http.StatusOK}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begun := time.Now()
	h.ServeHTTP(w, r)
	took = time.Since(begun)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, took, w.status
}

// unread is a client that keeps nothing of the answer.
type unread struct {
	header http.Header
	status int
}

func (w *unread) Header() http.Header         { return w.header }
func (w *unread) WriteHeader(status int)      { w.status = status }
func (w *unread) Write(b []byte) (int, error) { return io.Discard.Write(b) }

// guests returns the cookies of new guests.
func (s *service) guests(n int) (cookies []string) {
	s.Helper()
	for range n {
		p, err := s.People.Guest(s.ctx)
		s.must(err)
		token, err := s.Tokens.Sign(p.ID)
		s.must(err)
		cookies = append(cookies, token)
	}
	return cookies
}

// fillLobby makes the given number of people wait in the lobby, from many addresses. They stay until
// the end, so that nothing is measured while they leave.
func (s *service) fillLobby(people int) {
	s.Helper()
	held, err := s.LobbyRoom.Hold(s.ctx)
	s.must(err)
	s.Cleanup(held.Release)
	for i := range people {
		p, err := s.People.Guest(s.ctx)
		s.must(err)
		said := seeks.Order{Key: fmt.Sprint("k", i), Game: seeks.Game{Rules: "kalah", Clock: "5+3"}}
		body, err := s.Policy.Order(s.ctx, p.ID, netip.AddrFrom4([4]byte{10, byte(i >> 6), 0, 1}), seeks.KindSeek, said)
		s.must(err)
		held.Join(p.ID)
		_, err = s.LobbyRoom.Do(s.ctx, p.ID, seeks.KindSeek, body)
		s.must(err)
	}
}

// asleep makes a game of two with about the given number of entries, which sleeps. At most 180 of
// the entries are moves.
func (s *service) asleep(entries int) string {
	s.Helper()
	id := lobby.NewRoomID()
	commands := []machine.Command{match.Creation{Settings: match.Settings{Rules: "oware", Start: "creator"}, Creator: "pa"}.Command("create-" + id)}
	command := func(kind, by, body string) {
		commands = append(commands, machine.Command{ID: fmt.Sprint("c", len(commands)), Kind: kind, By: by, Body: json.RawMessage(body)})
	}
	for len(commands) < entries-180 {
		command(match.KindSettings, "pa", fmt.Sprintf(`{"assists":%t}`, len(commands)%2 == 0))
	}
	command(match.KindSit, "pb", "")
	g := engine.MustCompile("oware")
	p, h := g.Start(), engine.History{}
	for len(commands) < entries && p.Phase == engine.Play {
		m := g.LegalMoves(&p, nil)[0]
		command(match.KindMove, []string{"pa", "pb"}[p.Seat], fmt.Sprintf(`{"ply":%d,"move":%q}`, p.Ply, m.String()))
		s.must(g.Play(&p, &h, m, nil))
	}
	s.must(s.rooms.Create(s.ctx, id, match.Kind, commands...))
	return id
}

// A socket is refused a long game that sleeps, as a page is.
func TestLongGamesAreLimitedOnSocketsToo(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) { c.Limits[site.LimitReplays] = lobby.Rate{N: 1, Per: time.Hour} })
	talk := s.talk(s.bare(s.person(), nil))
	for i, entries := range []int{100, 700, 700, 100} {
		talk.say(`{"t":"sub","room":%q}`, s.asleep(entries))
		if i != 2 {
			talk.hear("snap")
		} else if f := talk.hear("err"); f.Code != "slow-down" {
			t.Errorf("the second long game: %s", f.Raw)
		}
	}
}
