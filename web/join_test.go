package web

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"rsc.io/qr"

	"mancala/lobby"
	"mancala/web/socket"
	"mancala/web/webtest"
)

// code is the code on the page of a game that waits.
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
		t.Error("looking made somebody a guest")
	}
	s.must(ben.Sit(s.ctx, id))
	if code := s.code(ada, id); code != "" {
		t.Errorf("the game goes on and still shows %q", code)
	}
}

func TestWrongCodes(t *testing.T) {
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
	s := serve(t, func(c *Config, _ *socket.Config) { c.Limits.Codes = lobby.Rate{N: 5, Per: time.Hour} })
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

// The picture in the page has the modules of the code that it should be.
func TestQRCode(t *testing.T) {
	const link = "https://play.example/k3v9qa2mx1"
	svg, err := qrCode(link, `a "name"`)
	if err != nil {
		t.Fatal(err)
	}
	want, err := qr.Encode(link, qr.M)
	if err != nil {
		t.Fatal(err)
	}
	black := 0
	for y := range want.Size {
		for x := range want.Size {
			if want.Black(x, y) {
				black++
			}
		}
	}
	for _, run := range regexp.MustCompile(`h(\d+)v1h`).FindAllStringSubmatch(string(svg), -1) {
		n := 0
		for _, d := range run[1] {
			n = 10*n + int(d-'0')
		}
		black -= n
	}
	if black != 0 {
		t.Errorf("%d modules are missing", black)
	}
	if !strings.Contains(string(svg), `role="img" aria-label="a &#34;name&#34;"`) || strings.Contains(string(svg), "style=") {
		t.Errorf("%.200s", svg)
	}
	if size := qrPixels(want.Size + 8); size < 200 || size%(want.Size+8) != 0 {
		t.Errorf("%d pixels for %d modules", size, want.Size+8)
	}
	if _, err := qrCode(strings.Repeat("x", 5000), ""); err == nil {
		t.Error("a text that is too long has a code")
	}
}
