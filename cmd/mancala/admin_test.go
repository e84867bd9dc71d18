package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// A page of another site reaches the admin address through a host name of its own that
// it points at this machine. It is answered nothing, metrics and profiles included.
func TestAdminAddressAnswersNoForeignHost(t *testing.T) {
	h := onlyNamed(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), "admin.internal:8081", []string{"metrics.example.org"})
	for host, want := range map[string]int{
		"localhost:8081": 200, "127.0.0.1:8081": 200, "[::1]:8081": 200, "[::1]": 200, "10.1.2.3": 200, "mancala:8081": 200, "": 200,
		"admin.internal:8081": 200, "Metrics.example.org": 200,
		"evil.example:8081": 421, "evil.example": 421, "localhost.evil.example": 421, "admin.internal.evil.example": 421, "evil.": 421,
	} {
		for _, path := range []string{"/metrics", "/healthz", "/debug/pprof/profile", "/moderation", "/static/base.css"} {
			q := httptest.NewRequest(http.MethodGet, path, nil)
			q.Host = host
			w := httptest.NewRecorder()
			h.ServeHTTP(w, q)
			if w.Code != want {
				t.Errorf("%s at %q: %d, want %d", path, host, w.Code, want)
			}
		}
	}
}
