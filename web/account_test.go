package web

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"mancala/lobby"
	"mancala/lobby/moderation"
	"mancala/web/site"
	"mancala/web/socket"
	"mancala/web/webtest"
)

const secret = "seven green turtles"

var shownCode = regexp.MustCompile(`<code>([A-Z2-9-]{19})</code>`)

// account makes an account for p and returns its recovery codes.
func (s *service) account(p *webtest.Person, name string) []string {
	s.Helper()
	page := s.post(p, "/account/create", url.Values{"name": {name}, "password": {secret}}.Encode())
	var codes []string
	for _, m := range shownCode.FindAllStringSubmatch(page.Body, -1) {
		codes = append(codes, m[1])
	}
	if page.Status != http.StatusOK || len(codes) != 8 {
		s.Fatalf("an account: %d, %d codes: %.3000s", page.Status, len(codes), page.Body)
	}
	return codes
}

// signIn signs in by password.
func (s *service) signIn(p *webtest.Person, name, password string) webtest.Page {
	s.Helper()
	return s.post(p, "/account/sign-in", url.Values{"name": {name}, "password": {password}}.Encode())
}

// me returns the player as the API describes them. It is empty for a stranger.
func (s *service) me(p *webtest.Person) string {
	s.Helper()
	page, err := p.Get(s.ctx, "/api/v1/me")
	s.must(err)
	if page.Status == http.StatusUnauthorized {
		return ""
	}
	return page.Body
}

// as requests a path with this cookie and no other.
func (s *service) as(cookie, path string) webtest.Page {
	s.Helper()
	return s.request(s.person(), "GET", path, "", "", http.Header{"Cookie": {site.CookieName + "=" + cookie}})
}

// A guest who makes an account keeps their identity. They can sign in on
// another device by password or by recovery code.
func TestAccountIsMadeAndEnteredByForms(t *testing.T) {
	s := serve(t)
	ada, phone := s.person(), s.person()
	id, err := ada.Make(s.ctx, nil)
	s.must(err)
	guest, cookie := s.me(ada), ada.Cookie()
	codes := s.account(ada, "Ada")
	if was, is := guest[:strings.Index(guest, `,`)], s.me(ada); !strings.HasPrefix(is, was) || !strings.Contains(is, `"Ada"`) {
		t.Errorf("the guest %s became %s", guest, is)
	}
	for _, path := range []string{"/account", "/account/sign-in", "/settings", "/", "/" + id} {
		page, err := ada.Get(s.ctx, path)
		s.must(err)
		if key := missingText.FindString(page.Body); key != "" || page.Status != 200 {
			t.Errorf("%s: %d, the key %q instead of a text", path, page.Status, key)
		}
		if !strings.Contains(page.Body, "Ada</a></nav>") {
			t.Errorf("%s does not name the signed-in player", path)
		}
	}
	if page := s.as(cookie, "/api/v1/me"); page.Status != http.StatusUnauthorized {
		t.Errorf("the guest's old cookie is still good: %s", page.Body)
	}
	if page := s.signIn(phone, " ada", secret); page.Status != http.StatusSeeOther || s.me(phone) != s.me(ada) {
		t.Errorf("by password: %d %s", page.Status, s.me(phone))
	}
	if page := s.post(phone, "/account/sign-out", ""); page.Status != http.StatusSeeOther || phone.Cookie() != "" {
		t.Errorf("signed out: %d, cookie %q", page.Status, phone.Cookie())
	}
	form := url.Values{"name": {"Ada"}, "code": {strings.ToLower(codes[3])}}.Encode()
	if page := s.post(phone, "/account/recover", form); page.Status != http.StatusSeeOther || s.me(phone) != s.me(ada) {
		t.Errorf("by code: %d %s", page.Status, s.me(phone))
	}
	if page := s.post(s.person(), "/account/recover", form); page.Status != http.StatusUnprocessableEntity {
		t.Errorf("by the same code again: %d", page.Status)
	}
	if page := s.post(phone, "/account/password", "password=eight+blue+turtles"); page.Status != http.StatusSeeOther || s.me(ada) != "" {
		t.Errorf("a new password: %d, the other device is %q", page.Status, s.me(ada))
	}
	if page := s.signIn(ada, "Ada", secret); page.Status != http.StatusUnprocessableEntity {
		t.Errorf("the old password: %d", page.Status)
	}
}

func TestInvalidAccountFormsAreExplained(t *testing.T) {
	s := serve(t)
	s.account(s.person(), "Ada")
	p := s.person()
	for form, want := range map[string]string{
		"name=ADA&password=" + secret:                    "Another player has that name",
		"name=Settings&password=" + secret:               "cannot be taken",
		"name=%3Cscript%3E&password=" + secret:           "letters, numbers, spaces",
		"name=&password=" + secret:                       "needs letters",
		"name=Ben&password=short":                        "10 letters or more",
		"name=Ben&password=password12":                   "easy to guess",
		"name=Ben":                                       "10 letters or more",
		"name=Ben&password=" + strings.Repeat("ab", 200): "too long",
	} {
		page := s.post(p, "/account/create", form)
		if page.Status != 422 || !strings.Contains(page.Body, want) || strings.Contains(page.Body, "<script>") || !strings.Contains(page.Body, "aria-invalid") {
			t.Errorf("%.40s: %d %.3000s", form, page.Status, page.Body)
		}
		if strings.Contains(page.Body, secret) {
			t.Errorf("%.40s: the page has the password in it", form)
		}
	}
}

// The answer to a failed sign-in does not reveal whether the name exists.
func TestAccountsCannotBeEnumerated(t *testing.T) {
	s := serve(t)
	s.account(s.person(), "Ada")
	for _, path := range []string{"/account/sign-in", "/account/recover"} {
		answers := map[string]bool{}
		for _, name := range []string{"Ada", "Bob", "Deleted player"} {
			page := s.post(s.person(), path, url.Values{"name": {name}, "password": {"not " + secret}, "code": {"AAAA-BBBB-CCCC-DDDD"}}.Encode())
			answers[fmt.Sprint(page.Status, strings.ReplaceAll(page.Body, name, "*"))] = true
			if page.Status != 422 || !strings.Contains(page.Body, "That did not work.") {
				t.Errorf("%s as %s: %d", path, name, page.Status)
			}
		}
		if len(answers) != 1 {
			t.Errorf("%s answers differently for a player and for no player", path)
		}
	}
}

// Another site cannot make, enter, leave or change an account. A GET changes
// nothing.
func TestAnotherSiteCannotChangeAnAccount(t *testing.T) {
	s := serve(t)
	ada := s.person()
	s.account(ada, "Ada")
	cookie := ada.Cookie()
	for _, path := range []string{"create", "password", "codes", "sessions", "sign-in", "recover", "sign-out"} {
		for _, from := range []http.Header{{"Sec-Fetch-Site": {"cross-site"}}, {"Origin": {"https://evil.example"}}} {
			if page := s.request(ada, "POST", "/account/"+path, formType, "others=yes&password=eight+blue+turtles", from); page.Status != http.StatusForbidden {
				t.Errorf("/account/%s: %d", path, page.Status)
			}
		}
		if path != "sign-in" {
			if page, err := ada.Get(s.ctx, "/account/"+path); err != nil || page.Status != http.StatusNotFound {
				t.Errorf("GET /account/%s: %d, %v", path, page.Status, err)
			}
		}
	}
	if ada.Cookie() != cookie || s.me(ada) == "" {
		t.Error("Ada was signed out")
	}
}

func TestDeletedAccountIsSignedOutEverywhere(t *testing.T) {
	s := serve(t)
	ada, phone := s.person(), s.person()
	codes := s.account(ada, "Ada")
	s.signIn(phone, "Ada", secret)
	talk := s.talk(s.bare(phone, nil))
	talk.say(`{"t":"ping"}`)
	talk.hear("pong")
	s.post(ada, "/settings/forget", "sure=yes")
	if code := talk.closed(); code != websocket.StatusCode(socket.SignedOut) {
		t.Errorf("the other device's socket was closed with %d", code)
	}
	if s.me(ada) != "" || s.me(phone) != "" {
		t.Error("an account is left")
	}
	if page := s.signIn(phone, "Ada", secret); page.Status != 422 {
		t.Errorf("signs in again: %d", page.Status)
	}
	if page := s.post(phone, "/account/recover", url.Values{"name": {"Ada"}, "code": {codes[0]}}.Encode()); page.Status != 422 {
		t.Errorf("by code: %d", page.Status)
	}
	form := url.Values{"name": {"Ada"}, "password": {secret}}.Encode()
	if page := s.post(s.person(), "/account/create", form); page.Status != 422 || !strings.Contains(page.Body, "Another player has that name") {
		t.Errorf("another one takes the name at once: %d", page.Status)
	}
}

// A move to another device needs a click there and works once. Guests can move
// too.
func TestMoveToAnotherDeviceWorksOnceAfterAClick(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) { c.LocalURL = "" })
	link := regexp.MustCompile(`value="http[^"]*(/account/move/[^"]+)"`)
	offer := func(p *webtest.Person) string {
		t.Helper()
		page := s.post(p, "/account/move", "")
		found := link.FindStringSubmatch(page.Body)
		if page.Status != 200 || found == nil {
			t.Fatalf("an offer: %d %.3000s", page.Status, page.Body)
		}
		return found[1]
	}
	guest, ada := s.person(), s.person()
	_, err := guest.Make(s.ctx, nil)
	s.must(err)
	s.account(ada, "Ada")
	for _, p := range []*webtest.Person{guest, ada} {
		path, phone := offer(p), s.person()
		for range 3 { // opening the link changes nothing
			page, err := phone.Get(s.ctx, path)
			s.must(err)
			if page.Status != 200 || phone.Cookie() != "" || missingText.MatchString(page.Body) || !strings.Contains(page.Body, "Yes, I am") {
				t.Fatalf("the link: %d, cookie %q, %.3000s", page.Status, phone.Cookie(), page.Body)
			}
		}
		if page := s.request(phone, "POST", path, formType, "", http.Header{"Sec-Fetch-Site": {"cross-site"}}); page.Status != http.StatusForbidden {
			t.Errorf("from another site: %d", page.Status)
		}
		if page := s.post(phone, path, ""); page.Status != http.StatusSeeOther || s.me(phone) != s.me(p) {
			t.Errorf("moved: %d, %s", page.Status, s.me(phone))
		}
		late := s.person()
		if page := s.post(late, path, ""); page.Status != http.StatusGone || !strings.Contains(page.Body, "This way is closed.") || late.Cookie() != "" {
			t.Errorf("a second time: %d", page.Status)
		}
	}
	old := offer(ada)
	again := offer(ada)
	if page, err := s.person().Get(s.ctx, old); err != nil || page.Status != http.StatusGone {
		t.Errorf("the offer before the last: %d, %v", page.Status, err)
	}
	s.later(5 * time.Minute)
	if page := s.post(s.person(), again, ""); page.Status != http.StatusGone {
		t.Errorf("after five minutes: %d", page.Status)
	}
	s.later(time.Hour)
	if page := s.post(ada, "/account/move", ""); page.Header.Get("Location") != "/account/sign-in?confirm" {
		t.Errorf("an account that has not just signed in: %d", page.Status)
	}
	if page := s.post(s.person(), "/account/move", ""); page.Status != http.StatusSeeOther {
		t.Errorf("a stranger: %d", page.Status)
	}
}

var shownToken = regexp.MustCompile(`<code id="token">([^<]+)</code>`)

// The server refuses a passkey request of an unknown kind, and a passkey
// without a matching challenge or with invented content.
func TestForgedPasskeysAreRefused(t *testing.T) {
	s := serve(t)
	ada := s.person()
	s.account(ada, "Ada")
	for body, want := range map[string]int{
		`{"for":"sign-in"}`: 200, `{"for":"everything"}`: 400, `{`: 400, `{"for":"add"}`: 401, `{"for":"create","name":"<b>"}`: 422,
		`{"for":"create","name":"ADA"}`: 422, `{"for":"create","name":"Ben"}`: 200,
	} {
		q, err := http.NewRequestWithContext(s.ctx, "POST", s.base+"/account/passkey", strings.NewReader(body))
		s.must(err)
		q.Host = "localhost"
		page, err := s.person().Ask(q)
		s.must(err)
		if page.Status != want {
			t.Errorf("%s: %d %s", body, page.Status, page.Body)
		}
	}
	if page := s.request(s.person(), "POST", "/account/passkey", "application/json", `{"for":"sign-in"}`, nil); page.Status != 422 {
		t.Errorf("at a bare address: %d", page.Status)
	}
	for _, credential := range []string{"", "{}", "null", `{"id":"x"}`, strings.Repeat("[", 9000)} {
		form := url.Values{"credential": {credential}, "name": {"Cleo"}}.Encode()
		for path, want := range map[string]int{"/account/sign-in": 422, "/account/create": 422} {
			if page := s.request(s.person(), "POST", path, formType, form, http.Header{"Cookie": {"mancala-ceremony=made-up"}}); page.Status != want {
				t.Errorf("%s with %.9q: %d", path, credential, page.Status)
			}
		}
		if page := s.post(ada, "/account/passkeys", form); page.Status != 422 {
			t.Errorf("adding %.9q: %d", credential, page.Status)
		}
	}
}

// An account that an operator has closed cannot be entered in any way.
func TestClosedAccountCannotBeEntered(t *testing.T) {
	s := serve(t)
	ada := s.person()
	codes := s.account(ada, "Ada")
	token := shownToken.FindStringSubmatch(s.post(ada, "/account/tokens", "name=Bot&scope=read").Body)[1]
	link := regexp.MustCompile(`value="http[^"]*(/account/move/[^"]+)"`).FindStringSubmatch(s.post(ada, "/account/move", "").Body)[1]
	player := strings.Split(ada.Cookie(), ".")[2]
	s.must(s.Moderation.Act(s.ctx, moderation.Action{Who: "Operator", What: moderation.Close, Player: player}))
	if got := s.me(ada); got != "" {
		t.Errorf("Ada's session is %s", got)
	}
	for what, page := range map[string]webtest.Page{
		"password": s.signIn(s.person(), "Ada", secret),
		"code":     s.post(s.person(), "/account/recover", url.Values{"name": {"Ada"}, "code": {codes[0]}}.Encode()),
		"move":     s.post(s.person(), link, ""),
		"token":    s.request(s.person(), "GET", "/api/v1/me", "", "", http.Header{"Authorization": {"Bearer " + token}}),
	} {
		if page.Status != http.StatusForbidden || !strings.Contains(page.Body, "This account is closed.") || page.Header.Get("Set-Cookie") != "" {
			t.Errorf("by %s: %d %v", what, page.Status, page.Header["Set-Cookie"])
		}
	}
}

// A person who makes many accounts is told when they may make the next one.
func TestAccountsPerAddressAreLimited(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) {
		c.Limits[site.LimitSignInsPerAddress] = lobby.Rate{N: 1, Per: time.Hour}
	})
	s.account(s.person(), "Ada")
	page := s.post(s.person(), "/account/create", "name=Ben&password="+url.QueryEscape(secret))
	if after, err := strconv.Atoi(page.Header.Get("Retry-After")); page.Status != 429 || err != nil || after < 3000 || after > 3600 {
		t.Errorf("the second is answered with %d, %q", page.Status, page.Header.Get("Retry-After"))
	}
}
