package main

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"testing"
)

func TestRedirectKeepsThePageAndRefusesForms(t *testing.T) {
	public := &url.URL{Scheme: "https", Host: "play.example:8443"}
	for name, tt := range map[string]struct {
		public              *url.URL
		method, host, where string
		status              int
		port, tls           int // of the server; 0: 80 and 443
	}{
		"to the public address":    {public, "GET", "10.0.0.7", "https://play.example:8443/abc1?x=%2F", 301, 0, 0},
		"to the same host":         {nil, "GET", "play.example", "https://play.example/abc1?x=%2F", 301, 0, 0},
		"without the port":         {nil, "HEAD", "play.example:80", "https://play.example/abc1?x=%2F", 301, 0, 0},
		"to the port of TLS":       {nil, "GET", "play.example", "https://play.example:8443/abc1?x=%2F", 301, 0, 8443},
		"from another port":        {nil, "GET", "play.example:8080", "https://play.example:8443/abc1?x=%2F", 301, 8080, 8443},
		"from a mapped port":       {nil, "GET", "play.example", "https://play.example/abc1?x=%2F", 301, 8080, 8443},
		"IPv6":                     {nil, "GET", "[::1]", "https://[::1]/abc1?x=%2F", 301, 0, 0},
		"IPv6 with a port":         {nil, "GET", "[::1]:80", "https://[::1]/abc1?x=%2F", 301, 0, 0},
		"IPv6, to the port of TLS": {nil, "GET", "[::1]:8080", "https://[::1]:8443/abc1?x=%2F", 301, 8080, 8443},
		"a form was sent":          {public, "POST", "play.example", "", 400, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			local := &net.TCPAddr{Port: cmp.Or(tt.port, 80)}
			r := httptest.NewRequest(tt.method, "http://"+tt.host+"/abc1?x=%2F", nil)
			r = r.WithContext(context.WithValue(t.Context(), http.LocalAddrContextKey, local))
			w := httptest.NewRecorder()
			sendOn(tt.public, strconv.Itoa(cmp.Or(tt.tls, 443))).ServeHTTP(w, r)
			if got := w.Header().Get("Location"); w.Code != tt.status || got != tt.where {
				t.Errorf("%d to %q, want %d to %q", w.Code, got, tt.status, tt.where)
			}
		})
	}
}
