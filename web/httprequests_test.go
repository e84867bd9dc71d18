package web

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/web/site"
	"mancala/web/socket"
	"mancala/web/webtest"
)

// request sends a request that no page of ours sends.
func (s *service) request(p *webtest.Person, method, path, kind, body string, header http.Header) webtest.Page {
	s.Helper()
	q, err := http.NewRequestWithContext(s.ctx, method, s.base, strings.NewReader(body))
	s.must(err)
	q.URL.Opaque = strings.Replace(s.base, "http:", "", 1) + path // the path unchanged, not cleaned
	if header != nil {
		q.Header = header.Clone()
	}
	if kind != "" {
		q.Header.Set("Content-Type", kind)
	}
	page, err := p.Ask(q)
	s.must(err)
	return page
}

const formType = "application/x-www-form-urlencoded"

func TestUnknownAddressesAreNotFound(t *testing.T) {
	s := serve(t)
	s.innocent(func() {
		p := s.person()
		for _, path := range []string{
			"/zzzzzzzzz9", "/AAAAAAAAA2", "/abc", "/new", "/%00", "/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/..%2f..%2fetc/passwd",
			"/static/server.go", "/static/..%2fserver.go", "/static/game.js", "/static/", "/zzzzzzzzz9/record", "/abc/record",
			"/zzzzzzzzz9/secret", "/api/v1/games/zzzzzzzzz9", "/api/v1/games/zzzzzzzzz9/replay", "/api/v1/games/..%2f..%2fx",
			"/api/v1/", "/api/v1/users", "/favicon.ico", "/" + strings.Repeat("a", 4000), "/%ff%fe", "/<script>alert(1)</script>",
		} {
			page := s.request(p, "GET", path, "", "", nil)
			if page.Status != http.StatusNotFound {
				t.Errorf("%.60s: %d", path, page.Status)
			}
			if strings.Contains(page.Body, "<script>") || page.Header.Get("Content-Security-Policy") == "" {
				t.Errorf("%.60s: answered with %.300s", path, page.Body)
			}
			code := map[bool]string{true: "no-room", false: "no-such-path"}[strings.HasPrefix(path, "/api/v1/games/z") || strings.HasPrefix(path, "/api/v1/games/.")]
			isAPI := strings.HasPrefix(path, "/api/")
			if policy := page.Header.Get("Content-Security-Policy"); isAPI != (policy == "default-src 'none'; frame-ancestors 'none'") {
				t.Errorf("%.60s: the answer may load %s", path, policy)
			}
			if isAPI != strings.HasPrefix(page.Body, `{"code":"`+code+`"`) {
				t.Errorf("%.60s: answered with %.300s", path, page.Body)
			}
		}
		if s.counted("refused_total", "no-room") == 0 {
			t.Error("nothing was counted")
		}
		if p.Cookie() != "" {
			t.Error("viewing a page made the visitor a guest")
		}
	})
}

// Each header costs a new visitor bytes before the first view.
func TestHeadersThatGuardDocumentsComeWithDocumentsAlone(t *testing.T) {
	s := serve(t)
	page := s.plain("/learn", nil)
	files := regexp.MustCompile(`/static/[\w.-]+`).FindAllString(page.Body, -1)
	if len(files) < 4 {
		t.Fatalf("the page names only %v", files)
	}
	for _, file := range files {
		asset := s.plain(file, nil)
		isDocument := strings.HasSuffix(file, ".svg") || strings.HasSuffix(file, ".png")
		for _, header := range []string{"Content-Security-Policy", "Cross-Origin-Opener-Policy", "Referrer-Policy"} {
			if got := asset.Header.Get(header); page.Header.Get(header) == "" || (got != "") != isDocument {
				t.Errorf("%s has %s %q, the page has %q", file, header, got, page.Header.Get(header))
			}
		}
		if asset.Status != http.StatusOK || asset.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d, %v", file, asset.Status, asset.Header)
		}
	}
}

func TestGETNeverTakesASeat(t *testing.T) {
	s := serve(t)
	ada, bot := s.person(), s.person()
	id, err := ada.Make(s.ctx, nil)
	s.must(err)
	for _, method := range []string{"GET", "HEAD"} {
		for _, path := range []string{"/" + id, "/" + id + "/sit", "/" + id + "/settings"} {
			s.request(bot, method, path, "", "", nil)
		}
	}
	c := s.open(ada, id)
	c.Look(func(g *webtest.Game) {
		if n := len(g.Texts("sitters")); n != 1 {
			t.Errorf("%d people sit", n)
		}
	})
	if bot.Cookie() != "" {
		t.Error("viewing a page made the visitor a guest")
	}
}

// The server redirects a stranger with a new cookie. It gives them the seat
// only when the cookie comes back. So an answer that is lost on the way leaves
// no seat taken.
func TestSeatIsGivenOnceTheCookieComesBack(t *testing.T) {
	s := serve(t)
	ada, ben := s.person(), s.person()
	id, err := ada.Make(s.ctx, nil)
	s.must(err)
	tab := s.open(ada, id)
	sitters := func() (n int) {
		tab.Look(func(g *webtest.Game) { n = len(g.Texts("sitters")) })
		return n
	}
	page, err := s.person().Post(s.ctx, "/"+id+"/sit", nil) // this answer is lost
	s.must(err)
	if page.Status != http.StatusTemporaryRedirect || page.Header.Get("Location") != "/"+id+"/sit?again" || page.Header.Get("Set-Cookie") == "" {
		t.Errorf("a stranger that sits down: %d %v", page.Status, page.Header)
	}
	page, err = s.person().Post(s.ctx, "/"+id+"/sit?again", nil) // this browser has not kept the cookie
	s.must(err)
	if page.Status != http.StatusUnprocessableEntity || page.Header.Get("Set-Cookie") != "" || !strings.Contains(page.Body, "cookie") {
		t.Errorf("a client without cookies: %d %v", page.Status, page.Header)
	}
	if n := sitters(); n != 1 {
		t.Errorf("%d people sit", n)
	}
	s.must(ben.Sit(s.ctx, id))
	s.must(tab.Until(s.ctx, "the friend", func(g *webtest.Game) bool { return len(g.Texts("seats")) == 2 }))
}

func TestRequestsFromOtherSitesAreRefused(t *testing.T) {
	s := serve(t)
	ada := s.person()
	id, err := ada.Make(s.ctx, nil)
	s.must(err)
	ben := s.person()
	for name, header := range map[string]http.Header{
		"another origin": {"Origin": {"https://evil.example"}},
		"another site":   {"Sec-Fetch-Site": {"cross-site"}},
		"a subdomain":    {"Sec-Fetch-Site": {"same-site"}},
	} {
		for _, path := range []string{"/new", "/" + id + "/sit", "/" + id + "/settings"} {
			page := s.request(ben, "POST", path, formType, "rules=oware", header)
			if page.Status != http.StatusForbidden || page.Header.Get("Set-Cookie") != "" || !strings.Contains(page.Body, "<h1>") {
				t.Errorf("%s to %s: %d %v", name, path, page.Status, page.Header)
			}
		}
		page := s.request(ada, "PATCH", "/api/v1/me", "application/json", `{"name":"Eve"}`, header)
		if page.Status != http.StatusForbidden || !strings.Contains(page.Body, `"cross-origin"`) {
			t.Errorf("%s to the API: %d %s", name, page.Status, page.Body)
		}
	}
	if got := s.counted("refused_total", "cross-origin"); got != 12 {
		t.Errorf("counted %v", got)
	}
	if page := s.request(ben, "POST", "/new", formType, "", http.Header{"Origin": {s.base}, "Sec-Fetch-Site": {"same-origin"}}); page.Status != http.StatusSeeOther {
		t.Errorf("our own page: %d", page.Status)
	}
}

func TestUnreadableFormsAreRefused(t *testing.T) {
	s := serve(t)
	p := s.person()
	var parts bytes.Buffer
	form := multipart.NewWriter(&parts)
	s.must(form.WriteField("rules", strings.Repeat("x", 100<<10)))
	s.must(form.Close())
	for name, tt := range map[string]struct {
		kind, body string
		status     int
		says       string
	}{
		"huge":           {formType, "rules=" + strings.Repeat("x", 100<<10), 413, "too long"},
		"huge parts":     {form.FormDataContentType(), parts.String(), 413, "too long"},
		"broken":         {formType, "rules=%zz", 400, ""},
		"broken parts":   {"multipart/form-data; boundary=x", "rules=oware", 400, ""},
		"unknown rules":  {formType, "rules=chess", 422, "cannot be played"},
		"strange rules":  {formType, "options=" + url.QueryEscape("pits=99999999999"), 422, "cannot be played"},
		"markup":         {formType, "options=" + url.QueryEscape("<script>alert(1)</script>"), 422, "cannot be played"},
		"unknown clock":  {formType, "clock=-5%2B3", 422, "no such clock"},
		"unknown start":  {formType, "start=whoever", 422, "do not fit"},
		"long options":   {formType, "options=" + strings.Repeat("pits=6+", 2000), 422, ""},
		"nothing at all": {"", "", 303, ""},
	} {
		page := s.request(p, "POST", "/new", tt.kind, tt.body, nil)
		if page.Status != tt.status || !strings.Contains(page.Body, tt.says) || strings.Contains(page.Body, "<script>alert") || strings.Contains(page.Body, "fail.") {
			t.Errorf("%s: %d %.2000s", name, page.Status, page.Body)
		}
	}
}

func TestInvalidNamesAreRefused(t *testing.T) {
	s := serve(t)
	p := s.person()
	patch := func(body string) (int, site.APIError) {
		page, err := p.Patch(s.ctx, "/api/v1/me", body)
		s.must(err)
		var e site.APIError
		s.must(json.Unmarshal([]byte(page.Body), &e))
		return page.Status, e
	}
	for body, want := range map[string]string{
		`{"name":"<b>Ada</b>"}`:                        "name-characters",
		`{"name":"Ada\u0001"}`:                         "name-characters",
		`{"name":"Ada\u0000"}`:                         "bad-frame",
		`{"name":"\u202eadA"}`:                         "name-characters",
		`{"name":"\u200b"}`:                            "name-characters",
		`{"name":"   "}`:                               "name-empty",
		`{"name":"Deleted player"}`:                    "name-reserved",
		`{"name":"` + strings.Repeat("Ada", 20) + `"}`: "name-too-long",
		`{"name":7}`:                                   "bad-frame",
		`Ada`:                                          "bad-frame",
		`{"name":"` + strings.Repeat("x", 100<<10) + `"}`: "too-large",
	} {
		if _, e := patch(body); string(e.Code) != want || e.Msg == "" {
			t.Errorf("%.40s: %v, want %s", body, e, want)
		}
	}
	if p.Cookie() != "" {
		t.Error("a client with invalid names was made a guest")
	}
	if status, _ := patch(`{"name":"Zoë O'Neil"}`); status != 200 {
		t.Errorf("a name: %d", status)
	}
	id, err := p.Make(s.ctx, nil)
	s.must(err)
	page, err := p.Get(s.ctx, "/"+id)
	s.must(err)
	if !strings.Contains(page.Body, "Zoë O") {
		t.Error("the page does not know the new name")
	}
}

func TestCookieIsForThisSiteAlone(t *testing.T) {
	for _, secure := range []bool{false, true} {
		s := serve(t, func(c *site.Config, _ *socket.Config) { c.Secure = secure })
		page, err := s.person().Post(s.ctx, "/new", nil)
		s.must(err)
		cookie := page.Header.Get("Set-Cookie")
		if !strings.Contains(cookie, "; HttpOnly") || !strings.Contains(cookie, "; SameSite=Lax") || strings.Contains(cookie, "; Secure") != secure {
			t.Errorf("secure %v: %s", secure, cookie)
		}
	}
}

// A draining server still serves pages. A form that it cannot accept gets a
// page that states when to try again.
func TestDrainingServerStillServesPages(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah")
	s.must(s.rooms.Drain(s.ctx, nil))
	_, err := seats[0].Expect(s.ctx, "that the room has ended", func(f webtest.Frame) bool { return f.T == "gone" && f.Code == "drained" })
	s.must(err)
	p := s.person()
	for path, status := range map[string]int{"/": 200, "/" + id: 200, "/api/v1/games/" + id: 200, "/" + id + "/record": 200} {
		page, err := p.Get(s.ctx, path)
		s.must(err)
		if page.Status != status {
			t.Errorf("%s: %d %s", path, page.Status, page.Body)
		}
	}
	for _, tt := range [][2]string{{"/new", "3; url=/"}, {"/" + id + "/sit", "3; url=/" + id}} { // the first request sets the cookie
		path, back := tt[0], tt[1]
		page, err := p.Post(s.ctx, path, nil)
		s.must(err)
		if page.Status != 503 || page.Header.Get("Retry-After") == "" || page.Header.Get("Refresh") != back ||
			!strings.Contains(page.Body, "We are restarting.") || !strings.Contains(page.Body, "This page comes back by itself.") {
			t.Errorf("%s: %d %s", path, page.Status, page.Body)
		}
	}
}

// A game that ends without a connected client is finished in the list before
// its room sleeps.
func TestEndOfAGameWithoutClientsReachesTheList(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) { c.Expiry = time.Millisecond })
	ada := s.person()
	id, err := ada.Make(s.ctx, nil)
	s.must(err)
	s.eventually("the end of the invitation", func() bool {
		view, err := s.rooms.View(s.ctx, id, "")
		s.must(err)
		return strings.Contains(string(view.Snapshot), `"state":"over"`)
	})
	s.must(s.rooms.Drain(s.ctx, nil)) // as if the room had fallen asleep
	home, err := ada.Get(s.ctx, "/")
	s.must(err)
	if !strings.Contains(home.Body, `data-game="`+id+`"`) || !strings.Contains(home.Body, "finished") {
		t.Errorf("the list says\n%s", home.Body)
	}
}

// The list on the home page follows the games, even without an open
// page of a game.
func TestListOfGamesFollowsTheGames(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=oware")
	shows := func(text string) {
		s.Helper()
		s.eventually("the home page with "+text, func() bool {
			page, err := s.people[0].Get(s.ctx, "/")
			s.must(err)
			return strings.Contains(page.Body, `data-game="`+id+`"`) && strings.Contains(page.Body, text)
		})
	}
	shows("going on")
	s.must(seats[1].Must(s.ctx, "resign", nil))
	shows("finished")
}

func TestTextAfterAJsonValueIsRefused(t *testing.T) {
	s := serve(t)
	p := s.guest()
	for body, want := range map[string]int{
		`{"rules":"kalah"}`:                  http.StatusCreated,
		"{\"rules\":\"kalah\"}\n ":           http.StatusCreated,
		`{"rules":"kalah"}{"rules":"oware"}`: http.StatusBadRequest,
		`{"rules":"kalah"} zzz`:              http.StatusBadRequest,
	} {
		if page := s.request(p, "POST", "/api/v1/games", "application/json", body, nil); page.Status != want {
			t.Errorf("%s: %d %s", body, page.Status, page.Body)
		}
	}
}

// The query holds the join code, the rules or the place in a game that the visitor asked for.
func TestErrorPageLeadsBackToTheSameQuery(t *testing.T) {
	s := serve(t)
	for address, want := range map[string]string{
		"/j?code=KX7P2M":                       `href="/j?code=KX7P2M"`,
		"/rules/new?rules=oware&options=a":     `href="/rules/new?rules=oware&amp;options=a"`,
		"/j?code=" + strings.Repeat("x", 2000): `href="/j"`,
	} {
		answer := httptest.NewRecorder()
		s.pages.Fail(answer, httptest.NewRequest(http.MethodGet, address, nil), lobby.SlowDown(time.Second))
		if answer.Code != http.StatusTooManyRequests || !strings.Contains(answer.Body.String(), want) {
			t.Errorf("%s: %d without %s:\n%s", address, answer.Code, want, answer.Body)
		}
	}
}
