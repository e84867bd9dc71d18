package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// A client that is told to wait asks again. Every other answer is final.
func TestChecksAskAgainWhereTheyAreToldToWait(t *testing.T) {
	for _, tt := range []struct {
		status int
		after  string
		asked  int64
	}{
		{http.StatusServiceUnavailable, "0", 3},
		{http.StatusServiceUnavailable, "", 1},
		{http.StatusInternalServerError, "0", 1},
		{http.StatusNotFound, "", 1},
	} {
		var asked atomic.Int64
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if asked.Add(1) < 3 {
				if tt.after != "" {
					w.Header().Set("Retry-After", tt.after)
				}
				w.WriteHeader(tt.status)
			}
		}))
		b := &balancer{addrs: []string{strings.TrimPrefix(server.URL, "http://")}, out: make([]atomic.Bool, 1)}
		_, err := b.get(t.Context(), "/")
		if asked.Load() != tt.asked || (err == nil) != (tt.asked == 3) {
			t.Errorf("%d, Retry-After %q: asked %d times, %v", tt.status, tt.after, asked.Load(), err)
		}
		server.Close()
	}
}
