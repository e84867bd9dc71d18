package web

import (
	"net/http"
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

// code returns the join code on the page of a waiting game.
func (s *service) code(p *webtest.Person, id string) string {
	s.Helper()
	page, err := p.Get(s.ctx, "/"+id)
	s.must(err)
	found := regexp.MustCompile(`class="code">([^<]*)<`).FindStringSubmatch(page.Body)
	if found == nil {
		return ""
	}
	return found[1]
}

func TestCodeLeadsToTheGame(t *testing.T) {
	s := serve(t)
	ada, ben := s.person(), s.person()
	id, err := ada.Make(s.ctx, nil)
	s.must(err)
	code := s.code(ada, id)
	if !regexp.MustCompile(`^[A-HJKMNP-Z2-9]{6}$`).MatchString(code) || s.code(ben, id) != code {
		t.Fatalf("the code is %q", code)
	}
	for _, typed := range []string{code, strings.ToLower(code), " " + code[:3] + "-" + code[3:] + " "} {
		for name, ask := range map[string]func() (webtest.Page, error){
			"GET":  func() (webtest.Page, error) { return ben.Get(s.ctx, "/j?code="+url.QueryEscape(typed)) },
			"POST": func() (webtest.Page, error) { return ben.Post(s.ctx, "/j", url.Values{"code": {typed}}) },
		} {
			page, err := ask()
			s.must(err)
			if page.Status != http.StatusSeeOther || page.Header.Get("Location") != "/"+id {
				t.Errorf("%s %q: %d %s", name, typed, page.Status, page.Header.Get("Location"))
			}
		}
	}
	if ben.Cookie() != "" {
		t.Error("viewing a page made the visitor a guest")
	}
	s.must(ben.Sit(s.ctx, id))
	if code := s.code(ada, id); code != "" {
		t.Errorf("the game goes on and still shows %q", code)
	}
}

func TestWrongInvitationCodesAreExplained(t *testing.T) {
	s := serve(t)
	p := s.person()
	for _, typed := range []string{"ABCDEF", "0OIL11", "kx7p2", `"><script>alert(1)</script>`, strings.Repeat("é", 5000), "%00%ff", "'; DROP TABLE invitations"} {
		page := s.request(p, "GET", "/j?code="+url.QueryEscape(typed), "", "", nil)
		if page.Status != http.StatusNotFound || !strings.Contains(page.Body, "No game or tournament with this code.") ||
			!strings.Contains(page.Body, "Codes have 6 characters.") || !strings.Contains(page.Body, "autofocus") || strings.Contains(page.Body, "<script>") || len(page.Body) > 8<<10 {
			t.Errorf("%.20q: %d, %d bytes", typed, page.Status, len(page.Body))
		}
	}
	page := s.request(p, "GET", "/j?code=kx7p2m", "", "", nil)
	if !strings.Contains(page.Body, `value="kx7p2m"`) {
		t.Error("what was typed is gone")
	}
	for _, path := range []string{"/j", "/j?code=", "/j?code=%20"} {
		if page := s.request(p, "GET", path, "", "", nil); page.Status != 200 || strings.Contains(page.Body, "No game") {
			t.Errorf("%s: %d", path, page.Status)
		}
	}
}

func TestCodesCannotBeGuessed(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) { c.Limits[site.LimitCodes] = lobby.Rate{N: 5, Per: time.Hour} })
	p := s.person()
	id, err := p.Make(s.ctx, nil)
	s.must(err)
	for range 5 {
		s.request(p, "GET", "/j?code=ABCDEF", "", "", nil)
	}
	for _, code := range []string{"ABCDEF", s.code(p, id)} {
		if page := s.request(p, "GET", "/j?code="+code, "", "", nil); page.Status != http.StatusTooManyRequests {
			t.Errorf("the sixth code: %d", page.Status)
		}
	}
	if page := s.request(p, "GET", "/j", "", "", nil); page.Status != 200 {
		t.Errorf("the empty form: %d", page.Status)
	}
}
