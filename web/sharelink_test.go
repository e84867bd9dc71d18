package web

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"mancala/web/site"
	"mancala/web/socket"
)

// The page of a game shows the link that most devices can open, and states
// which devices these are.
func TestGamePageShowsTheLinkThatOthersCanOpen(t *testing.T) {
	for _, tt := range []struct {
		name, public, local string
		host, link, says    string
	}{
		{"nothing but this machine", "", "", "localhost:8080", "http://localhost:8080/", "works only on this computer"},
		{"a machine in a network", "", "http://192.168.1.5:8080", "localhost:8080", "http://192.168.1.5:8080/", "works only in your network"},
		{"from the network", "", "http://192.168.1.5:8080", "192.168.1.5:8080", "http://192.168.1.5:8080/", "works only in your network"},
		{"by a name of its own", "", "", "play.example", "http://play.example/", ""},
		{"public", "https://play.example", "http://192.168.1.5:8080", "localhost:8080", "https://play.example/", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, func(c *site.Config, _ *socket.Config) {
				c.LocalURL = tt.local
				if tt.public != "" {
					c.PublicURL, _ = url.Parse(tt.public)
				}
			})
			id, err := s.person().Make(s.ctx, nil)
			s.must(err)
			r := httptest.NewRequest("GET", "/"+id, nil)
			r.Host = tt.host
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, r)
			page := w.Body.String()
			if !strings.Contains(page, `id="link" readonly value="`+tt.link+id+`"`) {
				t.Errorf("the link is not %s", tt.link)
			}
			if says := strings.Contains(page, "This link "); says != (tt.says != "") || !strings.Contains(page, tt.says) {
				t.Errorf("says something: %v, want %q", says, tt.says)
			}
			if qr := strings.Contains(page, `<svg class="qr"`); qr != (tt.says != "works only on this computer") {
				t.Errorf("a QR code: %v", qr)
			}
			if _, host, _ := strings.Cut(tt.link, "://"); !strings.Contains(page, "opens "+host+"j and types") {
				t.Errorf("it does not tell where to type the code")
			}
		})
	}
}
