package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/web/site"
	"mancala/web/socket"
	"mancala/web/webtest"
)

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
		t.Errorf("the right password from an unknown device, among too many: %d", got)
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
func TestGuessesFromOneAddressDoNotLockOutAnother(t *testing.T) {
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
		t.Fatalf("an unknown device: %d", page.Status)
	}
	if page := enter(ben, "Ada", secret); page.Status != 429 {
		t.Errorf("another account's device: %d", page.Status)
	}
	page := enter(ada, "Ada", secret)
	if page.Status != 303 || !strings.Contains(s.me(ada), `"Ada"`) {
		t.Fatalf("Ada's device, at the address of the guesses: %d %s", page.Status, s.me(ada))
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
