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
func TestAccountByForms(t *testing.T) {
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
			t.Errorf("%s does not say who is signed in", path)
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

func TestAccountFormsThatCannotBe(t *testing.T) {
	s := serve(t)
	s.account(s.person(), "Ada")
	p := s.person()
	for form, want := range map[string]string{
		"name=ADA&password=" + secret:                    "Somebody has that name",
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
			t.Errorf("%s answers differently for somebody and nobody", path)
		}
	}
}

// from posts a form as p, with address as the client's address in front of the
// proxy, and returns the page. The browser keeps and sends its cookies by their
// paths.
func (s *service) from(p *webtest.Person, address, path string, form url.Values) webtest.Page {
	s.Helper()
	q, err := http.NewRequestWithContext(s.ctx, "POST", s.base+path, strings.NewReader(form.Encode()))
	s.must(err)
	q.Header = http.Header{"X-Forwarded-For": {address}, "Content-Type": {formType}}
	page, err := p.Ask(q)
	s.must(err)
	return page
}

// guess tries one password, or one code, for a name from an address.
func (s *service) guess(p *webtest.Person, address, path, name, password string) int {
	s.Helper()
	return s.from(p, address, path, url.Values{"name": {name}, "password": {password}, "code": {password}}).Status
}

// Guessing passwords is limited: from one address for one name, from many
// addresses for one name, and from one address for many names. The limit for a
// name also holds for a name that does not exist.
func TestGuessingPasswordsIsBounded(t *testing.T) {
	s := serve(t, behind, func(c *site.Config, _ *socket.Config) {
		c.Limits[site.LimitSignIns] = lobby.Rate{N: 2, Per: time.Hour}
		c.Limits[site.LimitSignInsPerName] = lobby.Rate{N: 4, Per: time.Hour}
		c.Limits[site.LimitSignInsPerAddress] = lobby.Rate{N: 5, Per: time.Hour}
	})
	s.account(s.person(), "Ada")
	for net, name := range []string{"Ada", "Bob"} {
		at := func(host string) string { return fmt.Sprintf(host, net) }
		for i, try := range []struct {
			from string
			want int
		}{
			{at("10.%d.0.1"), 422}, {at("10.%d.0.1"), 422}, {at("10.%d.0.1"), 429}, {at("10.%d.0.1"), 429}, // this address has used up its tries for the name
			{at("2001:db8:%d:1::1"), 422}, {at("2001:db8:%d:1::2"), 422}, {at("2001:db8:%d:1::3"), 429}, // one network
			{at("10.%d.0.2"), 429}, // all addresses together have used up the tries for the name
		} {
			if got := s.guess(s.person(), try.from, "/account/sign-in", strings.Repeat(" ", i)+name, fmt.Sprint("wrong guess ", i)); got != try.want {
				t.Errorf("try %d of %s from %s: %d, want %d", i, name, try.from, got, try.want)
			}
		}
	}
	if got := s.guess(s.person(), "10.2.0.1", "/account/sign-in", "ADA", secret); got != 429 {
		t.Errorf("the right one from a device that nobody knows, among too many: %d", got)
	}
	for i, want := range []int{422, 422, 422, 422, 422, 429} {
		if got := s.guess(s.person(), "10.3.0.1", "/account/sign-in", fmt.Sprint("Name ", i), secret); got != want {
			t.Errorf("try %d of one address: %d, want %d", i, got, want)
		}
	}
	page := s.from(s.person(), "10.2.0.1", "/account/sign-in", url.Values{"name": {"Ada"}, "password": {"x"}})
	if page.Status != 429 || !strings.Contains(page.Body, "Too many tries. Wait") || page.Header.Get("Retry-After") == "" {
		t.Errorf("the answer: %d %v %.2000s", page.Status, page.Header, page.Body)
	}
}

// Wrong guesses from one address do not lock the owner out at another address.
func TestGuessesFromOneAddressLockNobodyOutElsewhere(t *testing.T) {
	s := serve(t, behind, func(c *site.Config, _ *socket.Config) {
		c.Limits[site.LimitSignIns] = lobby.Rate{N: 10, Per: time.Hour}
		c.Limits[site.LimitSignInsPerName] = lobby.Rate{N: 15, Per: time.Hour}
		c.Limits[site.LimitSignInsPerAddress] = lobby.Rate{N: 1000, Per: time.Hour}
	})
	s.account(s.person(), "Ada")
	got := 0
	for range 50 { // refused guesses do not count against the name
		got = s.guess(s.person(), "10.1.0.1", "/account/sign-in", "Ada", "a wrong guess")
	}
	if got != 429 {
		t.Errorf("the last guess: %d", got)
	}
	if got := s.guess(s.person(), "10.2.0.1", "/account/sign-in", "Ada", secret); got != 303 {
		t.Errorf("the owner at another address, on a new device: %d", got)
	}
}

// Recovery codes are limited by address alone, and separately from passwords.
func TestRecoveryCodeWorksWhileThePasswordIsGuessed(t *testing.T) {
	s := serve(t, behind, func(c *site.Config, _ *socket.Config) {
		c.Limits[site.LimitSignIns] = lobby.Rate{N: 2, Per: time.Hour}
		c.Limits[site.LimitSignInsPerName] = lobby.Rate{N: 2, Per: time.Hour}
		c.Limits[site.LimitSignInsPerAddress] = lobby.Rate{N: 3, Per: time.Hour}
	})
	codes := s.account(s.person(), "Ada")
	for i := range 5 {
		s.guess(s.person(), "10.1.0.1", "/account/sign-in", fmt.Sprint("Ada", strings.Repeat(" ", i)), "a wrong guess")
	}
	for i, want := range []int{422, 422, 303, 429} { // from the same address as the wrong passwords
		code := codes[0]
		if want == 422 {
			code = "AAAA-BBBB-CCCC-DDDD"
		}
		if got := s.guess(s.person(), "10.1.0.1", "/account/recover", "Ada", code); got != want {
			t.Errorf("code %d: %d, want %d", i, got, want)
		}
	}
	if got := s.guess(s.person(), "10.1.0.2", "/account/recover", "Ada", codes[1]); got != 303 {
		t.Errorf("a code at another address: %d", got)
	}
}

// known returns the device cookie that an answer sets.
func known(page webtest.Page) string {
	for _, c := range page.Header["Set-Cookie"] {
		if value, ok := strings.CutPrefix(c, site.DeviceCookie+"="); ok {
			value, _, _ = strings.Cut(value, ";")
			return value
		}
	}
	return ""
}

// A device that has signed in to an account before can sign in while others
// guess, even from the same address. This holds only for that account. The
// device's own tries are limited. A change of password on another device ends
// the exception.
func TestDeviceThatSignedInBeforeIsNotLockedOut(t *testing.T) {
	s := serve(t, behind, func(c *site.Config, _ *socket.Config) {
		c.Limits[site.LimitSignIns] = lobby.Rate{N: 3, Per: time.Hour}
		c.Limits[site.LimitSignInsPerName] = lobby.Rate{N: 4, Per: time.Hour}
		c.Limits[site.LimitSignInsPerAddress] = lobby.Rate{N: 8, Per: time.Hour}
	})
	const here, school = "10.1.0.1", "10.2.0.1"
	enter := func(p *webtest.Person, name, password string) webtest.Page {
		t.Helper()
		return s.from(p, school, "/account/sign-in", url.Values{"name": {name}, "password": {password}})
	}
	ada, ben, family, phone := s.person(), s.person(), s.person(), s.person()
	create := func(p *webtest.Person, name string) {
		t.Helper()
		if page := s.from(p, here, "/account/create", url.Values{"name": {name}, "password": {secret}}); page.Status != 200 || known(page) == "" {
			t.Fatalf("an account: %d %v", page.Status, page.Header["Set-Cookie"])
		}
	}
	create(ada, "Ada")
	create(ben, "Ben")
	s.from(ada, here, "/account/sign-out", nil)
	s.from(ben, here, "/account/sign-out", nil)
	for _, name := range []string{"Ada", "Ben"} { // two accounts on one device
		if page := s.from(family, here, "/account/sign-in", url.Values{"name": {name}, "password": {secret}}); page.Status != 303 {
			t.Fatalf("%s on the family's device: %d", name, page.Status)
		}
	}
	s.from(family, here, "/account/sign-out", nil)
	for i := range 20 {
		s.guess(s.person(), []string{school, "10.3.0.1", "10.4.0.1"}[i%3], "/account/sign-in", "Ada", "a wrong guess")
		s.guess(s.person(), school, "/account/sign-in", fmt.Sprint("Name ", i), "a wrong guess")
	}
	if page := enter(s.person(), "Ada", secret); page.Status != 429 {
		t.Fatalf("a device that nobody knows: %d", page.Status)
	}
	if page := enter(ben, "Ada", secret); page.Status != 429 {
		t.Errorf("another account's device: %d", page.Status)
	}
	page := enter(ada, "Ada", secret)
	if page.Status != 303 || !strings.Contains(s.me(ada), `"Ada"`) {
		t.Fatalf("her device, at the address of the guesses: %d %s", page.Status, s.me(ada))
	}
	if page := enter(ada, "Ada", secret); page.Header.Get("Location") != "/account?done=confirmed" {
		t.Errorf("once more: %d %s", page.Status, page.Header.Get("Location"))
	}
	if page := enter(family, "Ada", secret); page.Status != 303 {
		t.Errorf("the family's device: %d", page.Status)
	}
	if page := enter(family, "ben", secret); page.Status != 303 {
		t.Errorf("the family's device, the other account: %d", page.Status)
	}

	cookie := known(page)
	for _, forged := range []string{"", "~", "x", cookie[:len(cookie)-1], strings.Repeat("~", 5000) + cookie, strings.Replace(cookie, ".", ".0", 1), ada.Cookie()} {
		q := http.Header{"X-Forwarded-For": {school}, "Cookie": {site.DeviceCookie + "=" + forged}}
		form := url.Values{"name": {"Ada"}, "password": {secret}}.Encode()
		if page := s.request(s.person(), "POST", "/account/sign-in", formType, form, q); page.Status != 429 {
			t.Errorf("with the cookie %.100q: %d", forged, page.Status)
		}
	}
	for i, want := range []int{422, 422, 429} { // one try is used up by the sign-in above
		q := http.Header{"X-Forwarded-For": {school}, "Cookie": {site.DeviceCookie + "=" + cookie}}
		form := url.Values{"name": {"Ada"}, "password": {"a wrong guess"}}.Encode()
		if page := s.request(s.person(), "POST", "/account/sign-in", formType, form, q); page.Status != want {
			t.Errorf("guess %d on a stolen device: %d, want %d", i, page.Status, want)
		}
	}

	// A session proves the device too, and signing out sets the device cookie.
	jar := s.person()
	session := http.Header{"X-Forwarded-For": {school}, "Cookie": {site.CookieName + "=" + ada.Cookie()}}
	form := url.Values{"name": {"Ada"}, "password": {"a wrong guess"}}.Encode()
	if page := s.request(jar, "POST", "/account/sign-in", formType, form, session); page.Status != 422 {
		t.Errorf("a device that is signed in: %d", page.Status)
	}
	if page := s.from(ada, here, "/account/sign-out", nil); known(page) == "" {
		t.Errorf("signing out: %v", page.Header["Set-Cookie"])
	}

	if page := enter(ada, "Ada", secret); page.Status != 303 {
		t.Fatalf("after signing out: %d", page.Status)
	}
	old := known(s.from(family, here, "/account/sign-in", url.Values{"name": {"Ada"}, "password": {secret}}))
	if page := s.from(ada, here, "/account/password", url.Values{"password": {"eight blue turtles"}}); page.Header.Get("Location") != "/account?done=password" || known(page) == "" {
		t.Fatalf("a new password: %d %v", page.Status, page.Header["Set-Cookie"])
	}
	if old == "" {
		t.Error("the family's device got no cookie")
	}
	if page := enter(family, "Ada", "eight blue turtles"); page.Status != 429 {
		t.Errorf("the family's device after a new password: %d", page.Status)
	}
	if page := enter(phone, "Ada", "eight blue turtles"); page.Status != 429 {
		t.Errorf("a new device after a new password: %d", page.Status)
	}
	s.from(ada, here, "/account/sign-out", nil)
	if page := enter(ada, "Ada", "eight blue turtles"); page.Status != 303 {
		t.Errorf("the device that changed it: %d", page.Status)
	}
	if page := s.from(ada, here, "/settings/forget", url.Values{"sure": {"yes"}}); known(page) != "" || !strings.Contains(fmt.Sprint(page.Header["Set-Cookie"]), site.DeviceCookie+"=;") {
		t.Errorf("a deleted account leaves %v", page.Header["Set-Cookie"])
	}
}

// A device remembers a limited number of accounts, so the cookie stays small.
func TestDeviceRemembersOnlySoManyAccounts(t *testing.T) {
	s := serve(t)
	p := s.person()
	var last webtest.Page
	for i := range site.MaxAccounts + 2 {
		name := fmt.Sprint("Player ", string(rune('A'+i)))
		s.account(s.person(), name)
		last = s.from(p, "10.1.0.1", "/account/sign-in", url.Values{"name": {name}, "password": {secret}})
	}
	if cookie := known(last); strings.Count(cookie, site.DeviceSplit) != site.MaxAccounts-1 || len(cookie) > 1500 {
		t.Errorf("the cookie has %d bytes: %s", len(cookie), cookie)
	}
}

// While a player is signed in, the guest of that device is kept.
func TestGuestWaits(t *testing.T) {
	s := serve(t)
	s.account(s.person(), "Ada")
	p := s.person()
	_, err := p.Make(s.ctx, nil)
	s.must(err)
	guest := s.me(p)
	page, err := p.Get(s.ctx, "/account/sign-in")
	s.must(err)
	if !strings.Contains(page.Body, "waits here, and is back when you sign out") {
		t.Error("the page does not say what becomes of the guest")
	}
	s.signIn(p, "Ada", secret)
	if !strings.Contains(s.me(p), `"Ada"`) {
		t.Fatalf("signed in as %s", s.me(p))
	}
	s.signIn(p, "Ada", secret) // signing in again keeps the guest too
	s.post(p, "/account/sign-out", "")
	if s.me(p) != guest {
		t.Errorf("after signing out it is %s, want %s", s.me(p), guest)
	}
}

// A session that is ended on another device is over at once. Its cookie is a
// stranger's cookie, and its sockets are closed.
func TestEndedSession(t *testing.T) {
	s := serve(t)
	ada, thief := s.person(), s.person()
	s.account(ada, "Ada")
	s.signIn(thief, "Ada", secret)
	id, err := ada.Make(s.ctx, nil)
	s.must(err)
	talk := s.talk(s.bare(thief, nil))
	talk.say(`{"t":"sub","room":%q}`, id)
	if f := talk.hear("sync"); *f.Me == "" {
		t.Fatal("the other device is nobody")
	}
	mine := s.talk(s.bare(ada, nil))
	cookie := thief.Cookie()
	session := strings.Split(cookie, ".")[3]
	ben := s.person()
	s.account(ben, "Ben")
	for who, form := range map[*webtest.Person]string{ben: "id=" + session, s.person(): "others=yes", thief: "id=nonsense"} {
		s.post(who, "/account/sessions", form)
	}
	if s.me(thief) == "" {
		t.Fatal("somebody else ended a session")
	}
	s.post(ada, "/account/sessions", "id="+session)
	if code := talk.closed(); code != websocket.StatusCode(socket.SignedOut) {
		t.Errorf("the other device's socket was closed with %d", code)
	}
	for path, want := range map[string]int{"/api/v1/me": 401, "/api/v1/me/games": 401} {
		if page := s.as(cookie, path); page.Status != want {
			t.Errorf("%s with the cookie of an ended session: %d", path, page.Status)
		}
	}
	again := s.talk(s.bare(webtest.NewPerson(s.base), http.Header{"Cookie": {site.CookieName + "=" + cookie}}))
	again.say(`{"t":"sub","room":%q}`, id)
	if f := again.hear("sync"); *f.Me != "" {
		t.Error("a socket was opened by an ended session")
	}
	mine.say(`{"t":"sub","room":%q}`, id)
	if f := mine.hear("sync"); *f.Me == "" {
		t.Error("the session that was not ended is")
	}
	// A signed token cannot hold another player's session. A token with a wrong
	// signature identifies no player.
	if page := s.as(strings.Replace(ada.Cookie(), strings.Split(ada.Cookie(), ".")[2], strings.Split(ben.Cookie(), ".")[2], 1), "/api/v1/me"); page.Status != 401 {
		t.Errorf("a forged token: %d", page.Status)
	}
}

// A guest's open pages reconnect by themselves as the account.
func TestUpgradeRenewsSockets(t *testing.T) {
	s := serve(t)
	ada := s.person()
	id, err := ada.Make(s.ctx, nil)
	s.must(err)
	talk := s.talk(s.bare(ada, nil))
	talk.say(`{"t":"sub","room":%q}`, id)
	was := *talk.hear("sync").Me
	s.account(ada, "Ada")
	if code := talk.closed(); code != websocket.StatusCode(socket.Renewed) {
		t.Errorf("the guest's socket was closed with %d", code)
	}
	talk = s.talk(s.bare(ada, nil))
	talk.say(`{"t":"sub","room":%q}`, id)
	if f := talk.hear("sync"); *f.Me != was || was == "" {
		t.Errorf("came back as %q, was %q", *f.Me, was)
	}
}

// A person who borrows a signed-in device cannot change how the account signs
// in.
func TestOnlyFreshSessionsChangeKeys(t *testing.T) {
	s := serve(t)
	ada := s.person()
	s.account(ada, "Ada")
	if page := s.post(ada, "/account/codes", ""); len(shownCode.FindAllString(page.Body, -1)) != 8 {
		t.Errorf("fresh: %d", page.Status)
	}
	s.later(11 * time.Minute)
	for path, form := range map[string]string{"/account/codes": "", "/account/password": "password=eight+blue+turtles"} {
		page := s.post(ada, path, form)
		if page.Status != http.StatusSeeOther || page.Header.Get("Location") != "/account/sign-in?confirm" {
			t.Errorf("%s after eleven minutes: %d %s", path, page.Status, page.Header.Get("Location"))
		}
	}
	before := ada.Cookie()
	tab := s.talk(s.bare(ada, nil))
	tab.say(`{"t":"ping"}`)
	tab.hear("pong")
	if page := s.signIn(ada, "Ada", secret); page.Header.Get("Location") != "/account?done=confirmed" {
		t.Errorf("once more: %d %s", page.Status, page.Header.Get("Location"))
	}
	if code := tab.closed(); code != websocket.StatusCode(socket.Renewed) {
		t.Errorf("her other tab was closed with %d", code)
	}
	if page := s.as(before, "/api/v1/me"); page.Status != 401 {
		t.Errorf("the session before is still good: %d", page.Status)
	}
	if page := s.post(ada, "/account/codes", ""); len(shownCode.FindAllString(page.Body, -1)) != 8 {
		t.Errorf("fresh again: %d", page.Status)
	}
}

// Another site cannot make, enter, leave or change an account. A GET changes
// nothing.
func TestAccountFromElsewhere(t *testing.T) {
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
		t.Error("she was signed out")
	}
}

func TestDeletingAnAccount(t *testing.T) {
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
		t.Error("somebody is left")
	}
	if page := s.signIn(phone, "Ada", secret); page.Status != 422 {
		t.Errorf("signs in again: %d", page.Status)
	}
	if page := s.post(phone, "/account/recover", url.Values{"name": {"Ada"}, "code": {codes[0]}}.Encode()); page.Status != 422 {
		t.Errorf("by code: %d", page.Status)
	}
	form := url.Values{"name": {"Ada"}, "password": {secret}}.Encode()
	if page := s.post(s.person(), "/account/create", form); page.Status != 422 || !strings.Contains(page.Body, "Somebody has that name") {
		t.Errorf("another one takes the name at once: %d", page.Status)
	}
}

// A person who borrows a signed-in device can neither rename nor delete the
// account: not by a page, the API or a program's token. A guest can do both.
func TestRenamingAndDeletingAskForAFreshSession(t *testing.T) {
	s := serve(t)
	ada, guest := s.person(), s.person()
	s.account(ada, "Ada")
	token := shownToken.FindStringSubmatch(s.post(ada, "/account/tokens", "name=Bot&scope=settings").Body)[1]
	program := http.Header{"Authorization": {"Bearer " + token}}
	patch := func(p *webtest.Person, name string, h http.Header) webtest.Page {
		t.Helper()
		return s.request(p, "PATCH", "/api/v1/me", "application/json", `{"name":"`+name+`"}`, h)
	}
	if page := s.post(ada, "/settings", "name=Zoe"); page.Header.Get("Location") != "/settings?saved" {
		t.Errorf("fresh, by the page: %d %s", page.Status, page.Header.Get("Location"))
	}
	if page := patch(ada, "Ada", nil); page.Status != http.StatusOK {
		t.Errorf("fresh, by the API: %d %s", page.Status, page.Body)
	}
	shows := func(path, want, not string) {
		t.Helper()
		page, err := ada.Get(s.ctx, path)
		s.must(err)
		if key := missingText.FindString(page.Body); page.Status != 200 || key != "" || !strings.Contains(page.Body, want) || strings.Contains(page.Body, not) {
			t.Errorf("%s: %d, key %q; want %q and no %q: %.3000s", path, page.Status, key, want, not, page.Body)
		}
	}
	shows("/settings", `name="name"`, "Sign in once more")
	shows("/account", `name="sure"`, "Sign in once more")

	s.later(11 * time.Minute)
	if page := s.post(ada, "/settings", "name=Zoe"); page.Status != http.StatusSeeOther || page.Header.Get("Location") != "/account/sign-in?confirm=name" {
		t.Errorf("renaming by the page: %d %s", page.Status, page.Header.Get("Location"))
	}
	if page := s.post(ada, "/settings/forget", "sure=yes"); page.Status != http.StatusSeeOther || page.Header.Get("Location") != "/account/sign-in?confirm" {
		t.Errorf("deleting: %d %s", page.Status, page.Header.Get("Location"))
	}
	for who, h := range map[*webtest.Person]http.Header{ada: nil, s.person(): program} {
		if page := patch(who, "Zoe", h); page.Status != http.StatusForbidden || !strings.HasPrefix(page.Body, `{"code":"sign-in-again"`) {
			t.Errorf("renaming by the API with %v: %d %s", h, page.Status, page.Body)
		}
	}
	if page := s.request(s.person(), "PATCH", "/api/v1/me/settings", "application/json", `{"theme":"dark"}`, program); page.Status != http.StatusOK {
		t.Errorf("a program's settings: %d %s", page.Status, page.Body)
	}
	if page := s.post(ada, "/settings", "theme=wood"); page.Header.Get("Location") != "/settings?saved" {
		t.Errorf("a setting: %d %s", page.Status, page.Header.Get("Location"))
	}
	if me := s.me(ada); !strings.Contains(me, `"Ada"`) {
		t.Fatalf("she is %s", me)
	}
	shows("/settings", `href="/account/sign-in?confirm=name"`, `name="name"`)
	shows("/settings", "Sign in once more to delete the account", `name="sure"`)
	shows("/settings?confirmed", "Settings", "for ten minutes")
	shows("/account", "Sign in once more to delete the account", `name="sure"`)
	shows("/account/sign-in?confirm=name", `name="then" value="name"`, "waits here")
	shows("/account/sign-in?confirm=//evil.example", "Show once more", `name="then"`)

	form := url.Values{"name": {"Ada"}, "password": {"not " + secret}, "then": {"name"}}
	if page := s.post(ada, "/account/sign-in", form.Encode()); page.Status != 422 || strings.Count(page.Body, `name="then" value="name"`) != 2 {
		t.Errorf("a wrong password: %d %.3000s", page.Status, page.Body)
	}
	form.Set("password", secret)
	if page := s.post(ada, "/account/sign-in", form.Encode()); page.Header.Get("Location") != "/settings?confirmed" {
		t.Errorf("confirmed for the name: %d %s", page.Status, page.Header.Get("Location"))
	}
	shows("/settings?confirmed", "You can change your name for ten minutes", "Sign in once more")
	if page := s.post(ada, "/settings", "name=Zoe"); page.Header.Get("Location") != "/settings?saved" {
		t.Errorf("fresh again, by the page: %d %s", page.Status, page.Header.Get("Location"))
	}
	form = url.Values{"name": {"Zoe"}, "password": {secret}, "then": {"//evil.example"}}
	if page := s.post(ada, "/account/sign-in", form.Encode()); page.Header.Get("Location") != "/account?done=confirmed" {
		t.Errorf("confirmed for somewhere else: %d %s", page.Status, page.Header.Get("Location"))
	}
	if page := s.post(ada, "/settings/forget", "sure=yes"); page.Header.Get("Location") != "/settings?forgotten" || s.me(ada) != "" {
		t.Errorf("fresh again, deleting: %d %s", page.Status, page.Header.Get("Location"))
	}

	_, err := guest.Make(s.ctx, nil)
	s.must(err)
	s.later(time.Hour)
	if page := patch(guest, "Ben", nil); page.Status != http.StatusOK {
		t.Errorf("a guest's name: %d %s", page.Status, page.Body)
	}
	if page := s.post(guest, "/settings/forget", "sure=yes"); page.Header.Get("Location") != "/settings?forgotten" {
		t.Errorf("a guest deletes what is known: %d %s", page.Status, page.Header.Get("Location"))
	}
}

// A change of password ends programs' tokens, their open sockets and the link
// to another device. The page states this before and after.
func TestChangeOfPasswordOnThePage(t *testing.T) {
	s := serve(t)
	ada := s.person()
	s.account(ada, "Ada")
	token := shownToken.FindStringSubmatch(s.post(ada, "/account/tokens", "name=Bot&scope=read&scope=play").Body)[1]
	program := http.Header{"Authorization": {"Bearer " + token}}
	offer := regexp.MustCompile(`value="http[^"]*(/account/move/[^"]+)"`).FindStringSubmatch(s.post(ada, "/account/move", "").Body)[1]
	talk := s.talk(s.bare(s.person(), program))
	talk.say(`{"t":"ping"}`)
	talk.hear("pong")
	page, err := ada.Get(s.ctx, "/account")
	s.must(err)
	if !strings.Contains(page.Body, "A new password signs out all other devices. It also ends your tokens for programs and a way to another device") {
		t.Errorf("the page does not say what a new password ends: %.3000s", page.Body)
	}
	page = s.post(ada, "/account/password", "password=eight+blue+turtles")
	if to := page.Header.Get("Location"); to != "/account?done=password" {
		t.Fatalf("a new password: %d %s", page.Status, to)
	}
	page, err = ada.Get(s.ctx, "/account?done=password")
	s.must(err)
	if !strings.Contains(page.Body, "Tokens for programs and the way to another device have ended.") || strings.Contains(page.Body, "data-token") {
		t.Errorf("the page afterwards: %.3000s", page.Body)
	}
	if code := talk.closed(); code != websocket.StatusCode(socket.SignedOut) {
		t.Errorf("the program's socket was closed with %d", code)
	}
	if page := s.request(s.person(), "GET", "/api/v1/me", "", "", program); page.Status != http.StatusUnauthorized {
		t.Errorf("the token: %d", page.Status)
	}
	phone := s.person()
	if page := s.post(phone, offer, ""); page.Status != http.StatusGone || phone.Cookie() != "" {
		t.Errorf("the way to another device: %d, cookie %q", page.Status, phone.Cookie())
	}
}

// A move to another device needs a click there and works once. Guests can move
// too.
func TestMovingToAnotherDevice(t *testing.T) {
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
func TestPasskeysThatAreMadeUp(t *testing.T) {
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
func TestClosedAccount(t *testing.T) {
	s := serve(t)
	ada := s.person()
	codes := s.account(ada, "Ada")
	token := shownToken.FindStringSubmatch(s.post(ada, "/account/tokens", "name=Bot&scope=read").Body)[1]
	link := regexp.MustCompile(`value="http[^"]*(/account/move/[^"]+)"`).FindStringSubmatch(s.post(ada, "/account/move", "").Body)[1]
	player := strings.Split(ada.Cookie(), ".")[2]
	s.must(s.Desk.Act(s.ctx, moderation.Action{Who: "Operator", What: moderation.Close, Player: player}))
	if got := s.me(ada); got != "" {
		t.Errorf("her session is %s", got)
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
func TestManyAccountsOfOneAddress(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) {
		c.Limits[site.LimitSignInsPerAddress] = lobby.Rate{N: 1, Per: time.Hour}
	})
	s.account(s.person(), "Ada")
	page := s.post(s.person(), "/account/create", "name=Ben&password="+url.QueryEscape(secret))
	if after, err := strconv.Atoi(page.Header.Get("Retry-After")); page.Status != 429 || err != nil || after < 3000 || after > 3600 {
		t.Errorf("the second is answered with %d, %q", page.Status, page.Header.Get("Retry-After"))
	}
}
