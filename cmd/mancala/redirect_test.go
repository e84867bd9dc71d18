package main

import (
	"net/http/httptest"
	"net/url"
	"testing"
)

func TestRedirectKeepsThePageAndRefusesForms(t *testing.T) {
	public := &url.URL{Scheme: "https", Host: "play.example:8443"}
	for name, tt := range map[string]struct {
		public              *url.URL
		method, host, where string
		status              int
	}{
		"to the public address": {public, "GET", "10.0.0.7", "https://play.example:8443/abc1?x=%2F", 301},
		"to the same host":      {nil, "GET", "play.example", "https://play.example/abc1?x=%2F", 301},
		"without the port":      {nil, "HEAD", "play.example:80", "https://play.example/abc1?x=%2F", 301},
		"a form was sent":       {public, "POST", "play.example", "", 400},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(tt.method, "http://"+tt.host+"/abc1?x=%2F", nil)
			w := httptest.NewRecorder()
			sendOn(tt.public).ServeHTTP(w, r)
			if got := w.Header().Get("Location"); w.Code != tt.status || got != tt.where {
				t.Errorf("%d to %q, want %d to %q", w.Code, got, tt.status, tt.where)
			}
		})
	}
}
