package web

import (
	"net/http"
	"strings"
	"testing"

	"mancala/web/webtest"
)

// Whatever a client puts into a path, a query, a form or a text, the server does not fail
// on it and does not link to another host.
func TestNoRequestMakesTheServerFail(t *testing.T) {
	s := serve(t)
	p := s.guest()
	for _, h := range webtest.HostileRequests() {
		if err := h.Check(s.ctx, p); err != nil {
			t.Error(err)
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
	for i, h := range webtest.HostileRequests() {
		if i%7 == 0 { // running all of them is another test's work
			f.Add(h.Method, h.Target, h.Type, h.Body)
		}
	}
	s := serve(f)
	p := s.guest()
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
