package web

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/web/site"
	"mancala/web/socket"
	"mancala/web/webtest"
)

func TestFloodOfRequestsIsRefused(t *testing.T) {
	s := serve(t, behind, func(c *site.Config, _ *socket.Config) {
		c.Limits[site.LimitRequests] = lobby.Rate{N: 50, Per: 1000 * time.Hour}
	})
	flood := http.Header{"X-Forwarded-For": {"198.51.100.1, 203.0.113.7"}}
	p := s.person()
	var page webtest.Page
	for range 60 {
		page = s.request(p, "GET", "/", "", "", flood)
	}
	if page.Status != 429 || page.Header.Get("Retry-After") == "" || !strings.Contains(page.Body, "A little slower, please.") {
		t.Errorf("the flood ended with %d %s", page.Status, page.Body)
	}
	if page = s.request(p, "GET", "/api/v1/games/zzzzzzzzz9", "", "", flood); page.Status != 429 || !strings.Contains(page.Body, `"slow-down"`) {
		t.Errorf("the API says %d %s", page.Status, page.Body)
	}
	if page = s.request(p, "GET", "//evil.example/x", "", "", flood); strings.Contains(page.Body, `href="//evil`) {
		t.Errorf("the button leads to another site: %s", page.Body)
	}
	if got := s.counted("refused_total", "slow-down"); got != 12 {
		t.Errorf("counted %v", got)
	}
	s.innocent(func() {}) // plays from another address
}

// Scripts and styles do not count against the rate limit. So a school class
// behind one address can open the same page at once.
func TestAssetsAreNotCounted(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) {
		c.Limits[site.LimitRequests] = lobby.Rate{N: 1, Per: time.Hour}
	})
	page := s.plain("/", nil)
	assets := regexp.MustCompile(`"(/static/[^"]*)"`).FindAllStringSubmatch(page.Body, -1)
	if page.Status != 200 || len(assets) < 4 {
		t.Fatalf("%d, assets %v", page.Status, assets)
	}
	for _, path := range assets {
		if got := s.plain(path[1], nil); got.Status != 200 {
			t.Errorf("%s: %d", path[1], got.Status)
		}
	}
	if got := s.plain("/", nil); got.Status != 429 {
		t.Errorf("the second page: %d", got.Status)
	}
}

// Without trusted proxies a client cannot choose its own address.
func TestForwardedAddressesAreNotBelieved(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) {
		c.Limits[site.LimitRequests] = lobby.Rate{N: 5, Per: time.Hour}
	})
	for i := range 6 {
		page := s.request(s.person(), "GET", "/", "", "", http.Header{"X-Forwarded-For": {fmt.Sprintf("203.0.113.%d", i)}})
		if (page.Status == 429) != (i == 5) {
			t.Errorf("request %d: %d", i, page.Status)
		}
	}
}

func TestGamesAndGuestsAreLimited(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) {
		c.Limits[site.LimitGames], c.Limits[site.LimitGuests] = lobby.Rate{N: 3, Per: time.Hour}, lobby.Rate{N: 2, Per: time.Hour}
	})
	ada := s.person()
	for i := range 4 {
		page, err := ada.Post(s.ctx, "/new", nil)
		s.must(err)
		if (page.Status == 429) != (i == 3) {
			t.Errorf("game %d: %d", i, page.Status)
		}
	}
	id := "/zzzzzzzzz9/sit"
	for i := range 2 {
		page, err := s.person().Post(s.ctx, id, nil)
		s.must(err)
		if (page.Status == 429) != (i == 1) || page.Status == 429 && page.Header.Get("Set-Cookie") != "" {
			t.Errorf("guest %d: %d", i, page.Status)
		}
	}
}

// Reading a whole game is the most expensive thing that a stranger can ask for.
func TestReplaysAreLimitedByAddress(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) { c.Limits[site.LimitReplays] = lobby.Rate{N: 3, Per: time.Hour} })
	id, _ := s.game("rules=kalah")
	for i, path := range []string{"/" + id + "/record", "/api/v1/games/" + id + "/replay", "/api/v1/games/" + id + "/record", "/api/v1/games/" + id + "/replay", "/" + id + "/record", "/" + id + "/analysis"} {
		page, err := s.person().Get(s.ctx, path)
		s.must(err)
		if limited := page.Status == http.StatusTooManyRequests; limited != (i >= 3) {
			t.Errorf("request %d, %s: %d", i+1, path, page.Status)
		}
	}
}

// A client without a cookie has many addresses in its IPv6 network, and one limit.
func TestEvaluationsWithoutACookieAreLimitedByNetwork(t *testing.T) {
	s := serve(t, behind, func(c *site.Config, _ *socket.Config) { c.Limits[site.LimitLooks] = lobby.Rate{N: 1, Per: time.Hour} })
	for i, address := range []string{"2001:db8:0:1::1", "2001:db8:0:1::2", "2001:db8:0:2::1"} {
		from := http.Header{"X-Forwarded-For": {address}}
		page := s.request(s.person(), "POST", "/api/v1/positions", "application/json", `{"rules":"kalah","worth":true}`, from)
		if limited := page.Status == http.StatusTooManyRequests; limited != (i == 1) {
			t.Errorf("from %s: %d %s", address, page.Status, page.Body)
		}
	}
}
