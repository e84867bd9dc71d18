package web

import (
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

// root returns the opening tag of a page.
func (s *service) root(p *webtest.Person, path string) string {
	s.Helper()
	page, err := p.Get(s.ctx, path)
	s.must(err)
	_, tag, _ := strings.Cut(page.Body, "<html")
	tag, _, _ = strings.Cut(tag, ">")
	return tag
}

func TestAPIChangesSettingsOneByOne(t *testing.T) {
	s := serve(t)
	ada, ben := s.person(), s.person()
	if tag := s.root(ada, "/"); !strings.Contains(tag, ` data-theme="system"`) || !strings.Contains(tag, ` data-volume="60"`) {
		t.Errorf("a stranger's page begins with %s", tag)
	}
	page, err := ada.Patch(s.ctx, "/api/v1/me/settings", `{"theme":"dark","volume":"0"}`)
	s.must(err)
	if page.Status != http.StatusOK || ada.Cookie() == "" {
		t.Fatalf("the first change: %d %s, cookie %q", page.Status, page.Body, ada.Cookie())
	}
	page, err = ada.Patch(s.ctx, "/api/v1/me/settings", `{"speed":"slow"}`) // as another tab would, without knowledge of the first change
	s.must(err)
	if want := `{"speed":"slow","theme":"dark","volume":"0"}`; strings.TrimSpace(page.Body) != want {
		t.Errorf("the second change: %s, want %s", page.Body, want)
	}
	for _, path := range []string{"/", "/nothing"} {
		for _, want := range []string{` data-theme="dark"`, ` data-volume="0"`, ` data-speed="slow"`, ` data-keys="on"`} {
			if tag := s.root(ada, path); !strings.Contains(tag, want) {
				t.Errorf("%s begins with %s, want%s", path, tag, want)
			}
		}
	}
	if tag := s.root(ben, "/"); strings.Contains(tag, "dark") {
		t.Errorf("another player's page begins with %s", tag)
	}
}

func TestInvalidSettingsAreRefused(t *testing.T) {
	s := serve(t)
	p := s.person()
	for body, want := range map[string]string{
		`{"theme":"\"><script>"}`:                  "bad-setting",
		`{"theme":"dark","seat":"0"}`:              "bad-setting",
		`{"volume":"1000"}`:                        "bad-setting",
		`{"volume":50}`:                            "bad-frame",
		`["theme"]`:                                "bad-frame",
		`theme=dark`:                               "bad-frame",
		`{"x":"` + strings.Repeat("x", 1e5) + `"}`: "too-large",
	} {
		page, err := p.Patch(s.ctx, "/api/v1/me/settings", body)
		s.must(err)
		if !strings.HasPrefix(page.Body, `{"code":"`+want+`"`) {
			t.Errorf("%.40s: %s, want %s", body, page.Body, want)
		}
	}
	if p.Cookie() != "" {
		t.Error("a client with invalid settings was made a guest")
	}
	forged := http.Header{"Cookie": {site.CookieName + "=1.1.p234567890abcdef.c2lnbmF0dXJl"}}
	if page := s.request(p, "GET", "/", "", "", forged); page.Status != 200 || !strings.Contains(page.Body, ` data-theme="system"`) {
		t.Errorf("a forged cookie: %d", page.Status)
	}
	if page := s.request(p, "PATCH", "/api/v1/me/settings", "application/json", `{"theme":"dark"}`, http.Header{"Origin": {"https://evil.example"}}); page.Status != http.StatusForbidden {
		t.Errorf("another site: %d", page.Status)
	}
}

func TestChangesOfSettingsAreLimited(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) {
		c.Limits[site.LimitSettings] = lobby.Rate{N: 2, Per: time.Hour}
	})
	p := s.person()
	for i := range 3 {
		page, err := p.Patch(s.ctx, "/api/v1/me/settings", `{"theme":"dark"}`)
		s.must(err)
		if (page.Status == 429) != (i == 2) {
			t.Errorf("change %d: %d", i, page.Status)
		}
	}
}

// Two players of a game with the same name are shown with different names. A
// new name reaches the open pages.
func TestPlayersWithOneNameAreToldApart(t *testing.T) {
	s := serve(t)
	people := []*webtest.Person{s.person(), s.person()}
	id, err := people[0].Make(s.ctx, url.Values{"start": {"creator"}})
	s.must(err)
	s.must(people[1].Sit(s.ctx, id))
	tabs := []*webtest.Client{s.open(people[0], id), s.open(people[1], id), s.open(s.person(), id)}
	rename := func(seat int, name string) {
		t.Helper()
		page, err := people[seat].Patch(s.ctx, "/api/v1/me", `{"name":"`+name+`"}`)
		s.must(err)
		if page.Status != http.StatusOK {
			t.Fatalf("renaming: %d %s", page.Status, page.Body)
		}
	}
	called := func(first, second string) {
		t.Helper()
		for _, c := range tabs {
			s.must(c.Until(s.ctx, first+" and "+second, func(g *webtest.Game) bool {
				seats := g.Texts("seats")
				return g.Names[seats[0]] == first && g.Names[seats[1]] == second
			}))
		}
	}
	rename(1, "Ada")
	rename(0, "ADA")
	called("ADA", "Ada 2")
	rename(0, "Ben")
	called("Ben", "Ada")
}
