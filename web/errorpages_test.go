package web

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/web/site"
	"mancala/web/socket"
)

// An error page has one button. It has none if the page reloads by itself.
func TestErrorPagesHaveOneButton(t *testing.T) {
	s := serve(t)
	id, err := s.person().Make(s.ctx, nil)
	s.must(err)
	s.must(s.person().Sit(s.ctx, id))
	late := s.person()
	_, err = late.Make(s.ctx, nil) // gives them a cookie
	s.must(err)
	answer, err := late.Post(s.ctx, "/"+id+"/sit", nil)
	s.must(err)
	if answer.Status != http.StatusConflict || !strings.Contains(answer.Body, "Somebody was faster.") || !strings.Contains(answer.Body, "You can watch.") || !strings.Contains(answer.Body, `href="/`+id+`" data-action="back">Watch<`) {
		t.Errorf("the late player: %d %s", answer.Status, answer.Body)
	}
	for name, page := range map[string]string{"409": answer.Body, "404": s.plain("/nothing", nil).Body} {
		if n := len(regexp.MustCompile(`class="button`).FindAllString(page, -1)); n != 1 {
			t.Errorf("%s has %d buttons", name, n)
		}
	}
}

// An address that leads to nothing says what it would lead to only if that is a game.
func TestMissingTournamentsAndRuleSetsAreNoMissingGames(t *testing.T) {
	s := serve(t)
	for path, want := range map[string]string{
		"/zzzzzzzzz9": "No game here.", "/t/zzzzzzzzz9": "Nothing here.", "/rules/zzzzzzzzz9": "Nothing here.",
		"/puzzles/zzzzzzzzz9": "Nothing here.", "/learn/zzzzzzzzz9": "Nothing here.", "/learn/zzzzzzzzz9/lesson": "Nothing here.",
	} {
		if page := s.plain(path, nil); page.Status != http.StatusNotFound || !strings.Contains(page.Body, want) {
			t.Errorf("%s: %d %s", path, page.Status, page.Body)
		}
	}
}

// A visitor who opens a withdrawn invitation is told so, in every way of
// opening it.
func TestWithdrawnInvitationSaysSo(t *testing.T) {
	s := serve(t)
	ada, ben := s.person(), s.person()
	id, err := ada.Make(s.ctx, nil)
	s.must(err)
	_, err = ben.Make(s.ctx, nil) // gives Ben a cookie
	s.must(err)
	s.must(s.open(ada, id).Must(s.ctx, "abort", nil))
	get, err := ben.Get(s.ctx, "/"+id)
	s.must(err)
	sit, err := ben.Post(s.ctx, "/"+id+"/sit", nil)
	s.must(err)
	for name, page := range map[string]string{"GET": get.Body, "POST": sit.Body} {
		if !strings.Contains(page, "This invitation is over.") || !strings.Contains(page, "Ask for a new link, or start your own.") || !strings.Contains(page, ">New game<") {
			t.Errorf("%s: %s", name, page)
		}
	}
	if get.Status != http.StatusGone || sit.Status != http.StatusGone {
		t.Errorf("%d and %d", get.Status, sit.Status)
	}
}

// A client over its rate limit is told how long to wait and which page to try
// again.
func TestClientOverItsLimitIsToldHowLongToWait(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) {
		c.Limits[site.LimitRequests] = lobby.Rate{N: 1, Per: 20 * time.Second}
	})
	for range 2 { // what a browser requests beside a page is not counted
		for _, path := range []string{"/manifest.webmanifest", "/sw.js"} {
			if page := s.plain(path, nil); page.Status != http.StatusOK {
				t.Errorf("%s: %d", path, page.Status)
			}
		}
	}
	s.plain("/", nil)
	elsewhere := s.plain("/%5Cevil.example", nil) // browsers read /\ as //, which leads to another host
	if !strings.Contains(elsewhere.Body, `href="/%5Cevil.example" data-action="back"`) {
		t.Errorf("the button leads elsewhere: %s", elsewhere.Body)
	}
	page := s.plain("/j?code=ABCDEF", nil)
	if page.Status != http.StatusTooManyRequests || page.Header.Get("Retry-After") != "20" ||
		!strings.Contains(page.Body, `data-seconds="20"`) || !strings.Contains(page.Body, `"help":{"one":"Try again in {n} second.",`) || !strings.Contains(page.Body, "Try again in 20 seconds.") || !strings.Contains(page.Body, `href="/j?code=ABCDEF" data-action="back"`) {
		t.Errorf("%d %v %s", page.Status, page.Header, page.Body)
	}
}

// An error page for a failure on the server states the failure without internal
// details.
func TestServerFaultPageHidesInternalDetails(t *testing.T) {
	s := serve(t)
	for path, want := range map[string][]string{
		"/x":     {"Something went wrong on our side.", "Your game is safe. Try again in a moment.", `href="/x" data-action="back">Try again<`},
		"/api/x": {`"code":"internal"`},
	} {
		w := httptest.NewRecorder()
		s.recovered(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("secret") })).ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		body := w.Body.String()
		if w.Code != http.StatusInternalServerError || strings.Contains(body, "secret") || strings.Contains(body, "goroutine") {
			t.Errorf("%s: %d %s", path, w.Code, body)
		}
		for _, text := range want {
			if !strings.Contains(body, text) {
				t.Errorf("%s lacks %s: %s", path, text, body)
			}
		}
	}
}
