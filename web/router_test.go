package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"mancala/web/site"
	"mancala/web/webtest"
)

// Whatever a client puts into a path, a query, a form or a text, the server does not fail
// on it and does not link to another host.
func TestNoRequestMakesTheServerFail(t *testing.T) {
	s := serve(t)
	p := s.guest()
	for _, h := range webtest.HostileRequests(s.hosted(p)) {
		if err := h.Check(s.ctx, p); err != nil {
			t.Error(err)
		}
	}
}

// hosted makes a game and a tournament of a person.
func (s *service) hosted(p *webtest.Person) (game, cup string) {
	s.Helper()
	game, err := p.Make(s.ctx, nil)
	s.must(err)
	cup, err = p.Host(s.ctx, url.Values{"name": {"Club evening"}, "format": {"swiss"}, "rounds": {"3"}, "rules": {"kalah"}, "clock": {"none"}})
	s.must(err)
	return game, cup
}

// Every route into which a client can put a value gets hostile ones.
func TestHostileRequestsReachEveryRoute(t *testing.T) {
	s := serve(t)
	mux, left := http.NewServeMux(), map[string]bool{}
	s.routes(func(pattern string, _ site.Handler) {
		mux.HandleFunc(pattern, func(http.ResponseWriter, *http.Request) {})
		method, path, _ := strings.Cut(pattern, " ")
		left[pattern] = strings.Contains(path, "{") && path != "/{$}" || method != "" && method != http.MethodGet && method != http.MethodDelete
	})
	for _, exempt := range []string{ // with the reason
		"POST /settings/forget", "POST /account/sign-out", // no value, and the person would be another one
	} {
		delete(left, exempt)
	}
	for _, h := range webtest.HostileRequests("aaaaaaaaa0", "aaaaaaaaa1") {
		_, pattern := mux.Handler(httptest.NewRequest(h.Method, h.Target, nil))
		delete(left, pattern)
	}
	for pattern, takesValues := range left {
		if takesValues {
			t.Errorf("%s gets no hostile request", pattern)
		}
	}
}

func TestOnlyPlayersHaveFaces(t *testing.T) {
	s := serve(t)
	p := s.guest()
	for path, want := range map[string]int{
		"/face/paaaaaaaaaaaa": http.StatusOK, "/face/x": http.StatusNotFound, "/face/..%2fx": http.StatusNotFound,
		"/face/" + strings.Repeat("a", 3000): http.StatusNotFound,
	} {
		page, err := p.Get(s.ctx, path)
		s.must(err)
		if page.Status != want {
			t.Errorf("%.40s: %d, want %d", path, page.Status, want)
		}
	}
}

// FuzzRouter sends any target with any form. The seeds are the hostile requests.
func FuzzRouter(f *testing.F) {
	s := serve(f)
	p := s.guest()
	for i, h := range webtest.HostileRequests(s.hosted(p)) {
		if i%7 == 0 { // running all of them is another test's work
			f.Add(h.Method, h.Target, h.Type, h.Body)
		}
	}
	f.Fuzz(func(t *testing.T, method, target, kind, body string) {
		if target == "" || target[0] != '/' || !token(method) || !line(target) || !line(kind) {
			t.Skip() // the client's library does not send it
		}
		if err := (webtest.Hostile{Method: method, Target: target, Type: kind, Body: body}).Check(s.ctx, p); err != nil {
			t.Error(err)
		}
	})
}

// token reports whether s is a method that the library sends.
func token(s string) bool {
	for _, c := range s {
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	return s != "" && s != "CONNECT"
}

// line reports whether s can stand in a line of a request.
func line(s string) bool {
	for _, c := range []byte(s) {
		if c <= ' ' || c >= 0x7f {
			return false
		}
	}
	return true
}
