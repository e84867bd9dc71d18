package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"mancala/lobby/account"
	"mancala/web/site"
	"mancala/web/socket"
	"mancala/web/webtest"
)

// While a player is signed in, the guest of that device is kept.
func TestGuestOfTheDeviceIsKeptWhileSignedIn(t *testing.T) {
	s := serve(t)
	s.account(s.person(), "Ada")
	p := s.person()
	_, err := p.Make(s.ctx, nil)
	s.must(err)
	guest := s.me(p)
	page, err := p.Get(s.ctx, "/account/sign-in")
	s.must(err)
	if !strings.Contains(page.Body, "waits here, and is back when you sign out") {
		t.Error("the page does not tell what becomes of the guest")
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

	s.signIn(p, "Ada", secret)
	phone := s.person()
	s.signIn(phone, "Ada", secret)
	s.post(phone, "/account/sessions", "others=yes")
	if s.me(p) != guest {
		t.Errorf("after signing out on another device it is %s, want %s", s.me(p), guest)
	}
	ended := p.Cookie()
	s.post(p, "/settings", "theme=dark")
	if s.me(p) != guest || p.Cookie() == ended {
		t.Errorf("after an action it is %s, want %s with a cookie of its own", s.me(p), guest)
	}

	s.signIn(p, "Ada", secret)
	if page := s.post(p, "/settings/forget", "sure=yes"); page.Header.Get("Location") != "/settings?forgotten" {
		t.Fatalf("deleting the account: %d %s", page.Status, page.Header.Get("Location"))
	}
	page, err = p.Get(s.ctx, "/settings?forgotten")
	s.must(err)
	if s.me(p) != guest || !strings.Contains(page.Body, "Your data is deleted") {
		t.Errorf("after deleting the account it is %s, want %s", s.me(p), guest)
	}
	s.post(p, "/settings/forget", "sure=yes")
	if s.me(p) != "" {
		t.Errorf("after deleting the guest it is %s", s.me(p))
	}
}

// A session that is ended on another device is over at once. Its cookie is a
// stranger's cookie, and its sockets are closed.
func TestSessionEndedElsewhereIsOverAtOnce(t *testing.T) {
	s := serve(t)
	ada, thief := s.person(), s.person()
	s.account(ada, "Ada")
	s.signIn(thief, "Ada", secret)
	id, err := ada.Make(s.ctx, nil)
	s.must(err)
	talk := s.talk(s.bare(thief, nil))
	talk.say(`{"t":"sub","room":%q}`, id)
	if f := talk.hear("sync"); *f.Me == "" {
		t.Fatal("the other device has no identity")
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
		t.Fatal("another player ended a session")
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

// A player may sign in once more through another instance than the one of their other
// tabs.
func TestTabsOnOtherInstancesReconnectAfterSigningInOnceMore(t *testing.T) {
	s := serve(t)
	ada := s.person()
	s.account(ada, "Ada")
	tab := s.talk(s.bare(ada, nil))
	tab.say(`{"t":"ping"}`)
	tab.hear("pong")
	other, err := account.Open(s.ctx, s.tables, s.People, account.Options{}) // of another instance
	s.must(err)
	var me struct{ ID string }
	s.must(json.Unmarshal([]byte(s.me(ada)), &me))
	sessions, err := other.Sessions(s.ctx, me.ID)
	s.must(err)
	s.must(other.Replace(s.ctx, sessions[0]))
	s.must(s.Accounts.Poll(s.ctx))
	if code := tab.closed(); code != websocket.StatusCode(socket.Renewed) {
		t.Errorf("the tab was closed with %d", code)
	}
}

// While the database does not answer, an account's client on an instance that does not
// know its session is told to try again, not that it is a stranger.
func TestPlayerWithAnUnreadableSessionIsToldToTryAgain(t *testing.T) {
	s := serve(t)
	ada := s.person()
	id, err := ada.Make(s.ctx, nil)
	s.must(err)
	s.account(ada, "Ada")
	var me struct{ ID string }
	s.must(json.Unmarshal([]byte(s.me(ada)), &me))
	session, err := s.Accounts.Begin(s.ctx, me.ID, "a phone") // not cached yet
	s.must(err)
	token, err := s.Tokens.SignSession(me.ID, session.ID)
	s.must(err)
	cookie := http.Header{"Cookie": {site.CookieName + "=" + token}}
	phone := s.person()

	s.tables.unread.Store(true)
	if code := s.talk(s.bare(phone, cookie)).closed(); code != websocket.StatusCode(socket.Restarting) {
		t.Errorf("the socket was closed with %d", code)
	}
	for _, q := range [][]string{
		{"GET", "/api/v1/me"}, {"GET", "/me"}, {"POST", "/settings/forget", "sure=yes"},
		{"POST", "/api/v1/games/" + id + "/commands", `{"id":"c1","kind":"resign"}`},
	} {
		page := s.request(phone, q[0], q[1], formType, strings.Join(q[2:], ""), cookie)
		if page.Status != http.StatusServiceUnavailable {
			t.Errorf("%s: %d, %.300s", q[1], page.Status, page.Body)
		}
	}
	if page := s.request(phone, "GET", "/api/v1/rules", "", "", cookie); page.Status != http.StatusOK {
		t.Errorf("what needs no identity: %d", page.Status)
	}
	s.tables.unread.Store(false)
	talk := s.talk(s.bare(phone, cookie))
	talk.say(`{"t":"sub","room":%q}`, id)
	if f := talk.hear("sync"); *f.Me != me.ID {
		t.Errorf("the next socket got %s", f.Raw)
	}
}

// A guest's open pages reconnect by themselves as the account.
func TestOpenPagesReconnectAsTheAccount(t *testing.T) {
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
		t.Errorf("Ada's other tab was closed with %d", code)
	}
	if page := s.as(before, "/api/v1/me"); page.Status != 401 {
		t.Errorf("the session before is still good: %d", page.Status)
	}
	if page := s.post(ada, "/account/codes", ""); len(shownCode.FindAllString(page.Body, -1)) != 8 {
		t.Errorf("fresh again: %d", page.Status)
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
		t.Fatalf("Ada is %s", me)
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
func TestChangeOfPasswordEndsTokensAndTransfers(t *testing.T) {
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
		t.Errorf("the page does not list what a new password ends: %.3000s", page.Body)
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
