package web

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"mancala/lobby"
	"mancala/web/site"
	"mancala/web/socket"
	"mancala/web/webtest"
)

// A token gives a program the rights of its scopes, and no rights once it is
// revoked.
func TestTokenGivesTheRightsOfItsScopes(t *testing.T) {
	s := serve(t)
	ada := s.person()
	s.account(ada, "Ada")
	token := func(scopes string) string {
		t.Helper()
		page := s.post(ada, "/account/tokens", "name=My+bot"+scopes)
		found := shownToken.FindStringSubmatch(page.Body)
		if found == nil {
			t.Fatalf("no token: %d %.2000s", page.Status, page.Body)
		}
		if again, err := ada.Get(s.ctx, "/account"); err != nil || strings.Contains(again.Body, found[1]) {
			t.Error("the page shows the token again")
		}
		return found[1]
	}
	read, play, settings := token("&scope=read"), token("&scope=read&scope=play"), token("&scope=settings")
	with := func(token, method, path, body string) webtest.Page {
		t.Helper()
		kind := ""
		if body != "" {
			kind = "application/json"
		}
		page := s.request(s.person(), method, path, kind, body, http.Header{"Authorization": {"Bearer " + token}})
		if page.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s %s gives a cookie", method, path)
		}
		return page
	}
	for _, tt := range []struct {
		token, method, path, body string
		status                    int
	}{
		{read, "GET", "/api/v1/me", "", 200}, {read, "GET", "/api/v1/me/games", "", 200},
		{read, "POST", "/api/v1/games", "{}", 403}, {read, "PATCH", "/api/v1/me", `{"name":"Zoe"}`, 403},
		{play, "POST", "/api/v1/games", "{}", 201}, {play, "PATCH", "/api/v1/me/settings", `{"theme":"dark"}`, 403},
		{settings, "PATCH", "/api/v1/me/settings", `{"theme":"dark"}`, 200}, {settings, "GET", "/api/v1/me", "", 403},
		{"", "GET", "/api/v1/me", "", 401}, {"mancala_NONE", "GET", "/api/v1/me", "", 401},
		{strings.Repeat("x", 9000), "GET", "/api/v1/me", "", 401}, {read + "A", "GET", "/api/v1/rules", "", 401},
	} {
		page := with(tt.token, tt.method, tt.path, tt.body)
		if page.Status != tt.status {
			t.Errorf("%s %s with %.12s: %d %s", tt.method, tt.path, tt.token, page.Status, page.Body)
		}
	}
	if page := with(read, "GET", "/api/v1/me", ""); !strings.Contains(page.Body, `"Ada"`) {
		t.Errorf("the program is %s", page.Body)
	}
	if page := with(play, "GET", "/account", ""); strings.Contains(page.Body, "Ada") { // tokens do not work for pages
		t.Error("a page took a token for a cookie")
	}
	if page := with(play, "POST", "/account/codes", ""); len(shownCode.FindAllString(page.Body, -1)) > 0 {
		t.Error("a token gave recovery codes")
	}

	talk := s.talk(s.bare(s.person(), http.Header{"Authorization": {"Bearer " + play}}))
	s.eventually("the program to be connected", func() bool { return len(s.Presence.Devices(s.id(ada))) == 1 })
	if s.Presence.Open(s.id(ada)) { // or the player would not be told of their turn
		t.Error("the program's socket counts as an open page")
	}
	talk.say(`{"t":"ping"}`)
	talk.hear("pong")
	ids := regexp.MustCompile(`name="revoke" value="(t[a-z0-9]+)"`)
	page, err := ada.Get(s.ctx, "/account")
	s.must(err)
	found := ids.FindAllStringSubmatch(page.Body, -1)
	if len(found) != 3 {
		t.Fatalf("%d tokens are listed", len(found))
	}
	ben := s.person()
	s.account(ben, "Ben")
	s.post(ben, "/account/tokens", "revoke="+found[1][1])
	if page := with(play, "GET", "/api/v1/me", ""); page.Status != 200 {
		t.Error("another player revoked a token")
	}
	for _, id := range found {
		s.post(ada, "/account/tokens", "revoke="+id[1])
	}
	if code := talk.closed(); code != websocket.StatusCode(socket.SignedOut) {
		t.Errorf("the program's socket was closed with %d", code)
	}
	for _, token := range []string{read, play, settings} {
		if page := with(token, "GET", "/api/v1/me", ""); page.Status != 401 || page.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("a revoked token: %d", page.Status)
		}
	}
	for form, want := range map[string]string{"name=Bot": "Choose what", "name=Bot&scope=everything": "Choose what", "name=&scope=read": ""} {
		if page := s.post(ada, "/account/tokens", form); page.Status != 422 || !strings.Contains(page.Body, want) {
			t.Errorf("%s: %d", form, page.Status)
		}
	}
}

// One token has one rate limit, however many addresses use it.
func TestTokenHasOneLimitOnAllAddresses(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) { c.Limits[site.LimitToken] = lobby.Rate{N: 3, Per: time.Hour} })
	ada := s.person()
	s.account(ada, "Ada")
	token := shownToken.FindStringSubmatch(s.post(ada, "/account/tokens", "name=Bot&scope=read").Body)[1]
	for i, want := range []int{200, 200, 200, 429} {
		page := s.request(s.person(), "GET", "/api/v1/me", "", "", http.Header{"Authorization": {"bearer " + token}})
		if page.Status != want {
			t.Errorf("request %d: %d, want %d", i, page.Status, want)
		}
	}
}
