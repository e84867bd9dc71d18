package web

import (
	"cmp"
	"compress/gzip"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"mancala/web/webtest"
)

// plain requests a path without the automatic compression of Go's client.
func (s *service) plain(path string, header map[string]string) webtest.Page {
	s.Helper()
	h := http.Header{"Accept-Encoding": {"identity"}}
	for name, value := range header {
		h.Set(name, value)
	}
	return s.request(s.person(), "GET", path, "", "", h)
}

// asset returns the address of an asset that a page refers to.
func (s *service) asset(page, pattern string) string {
	s.Helper()
	found := regexp.MustCompile(`/static/` + pattern).FindString(s.plain(page, nil).Body)
	if found == "" {
		s.Fatalf("%s refers to no %s", page, pattern)
	}
	return found
}

func TestAssetsAreKeptForEver(t *testing.T) {
	s := serve(t)
	id, err := s.person().Make(s.ctx, nil)
	s.must(err)
	for _, pattern := range []string{`game\.[0-9a-f]{10}\.js`, `game\.[0-9a-f]{10}\.css`, `messages\.[0-9a-f]{10}\.en\.json`, `icon\.[0-9a-f]{10}\.svg`} {
		path := s.asset("/"+id, pattern)
		page := s.plain(path, nil)
		if page.Status != 200 || page.Header.Get("Cache-Control") != "max-age=31536000, immutable" || page.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: %d %v", path, page.Status, page.Header)
		}
		short := s.plain(path, map[string]string{"Accept-Encoding": "gzip"})
		if short.Header.Get("Content-Encoding") != "gzip" || len(short.Body) >= len(page.Body) || unzip(t, short.Body) != page.Body {
			t.Errorf("%s: %d bytes compressed, %d otherwise", path, len(short.Body), len(page.Body))
		}
		shortest := s.plain(path, map[string]string{"Accept-Encoding": "gzip, br"})
		if shortest.Header.Get("Content-Encoding") != "br" || len(shortest.Body) >= len(short.Body) || unbrotli(t, shortest.Body) != page.Body {
			t.Errorf("%s: %d bytes with Brotli, %d with gzip", path, len(shortest.Body), len(short.Body))
		}
		for _, answer := range []webtest.Page{page, short, shortest} {
			if n := answer.Header.Get("Content-Length"); n != strconv.Itoa(len(answer.Body)) {
				t.Errorf("%s: %d bytes, the length is said to be %q", path, len(answer.Body), n)
			}
			again := s.plain(path, map[string]string{"Accept-Encoding": cmp.Or(answer.Header.Get("Content-Encoding"), "identity"), "If-None-Match": "W/" + answer.Header.Get("ETag")}) // as a proxy sends it
			if again.Status != http.StatusNotModified || again.Body != "" {
				t.Errorf("%s asked again: %d", path, again.Status)
			}
		}
		if page.Header.Get("ETag") == short.Header.Get("ETag") || short.Header.Get("ETag") == shortest.Header.Get("ETag") {
			t.Errorf("%s: two bodies, one tag", path)
		}
	}
}

// Pages are compressed for clients that accept Brotli or gzip, and are plain for other
// clients.
func TestPagesAreCompressed(t *testing.T) {
	s := serve(t)
	for accept, want := range map[string]string{
		"gzip": "gzip", "deflate, GZIP;q=0.5": "gzip", "*": "br", "identity, *;q=0.1": "br",
		"identity": "", "br": "br", "gzip, deflate, br, zstd": "br", "gzip, br;q=0": "gzip", "gzip;q=0": "",
		"gzip; q=0.000, *": "br", "*;q=0": "", "gzip;q=": "gzip", ";;,,": "",
	} {
		for _, path := range []string{"/", "/nothing"} {
			page := s.plain(path, map[string]string{"Accept-Encoding": accept})
			body := page.Body
			switch page.Header.Get("Content-Encoding") {
			case "br":
				body = unbrotli(t, body)
			case "gzip":
				body = unzip(t, body)
			}
			if page.Header.Get("Content-Encoding") != want || !strings.Contains(body, "</html>") || !strings.Contains(page.Header.Get("Vary"), "Accept-Encoding") {
				t.Errorf("%s for %q: %v", path, accept, page.Header)
			}
		}
	}
}

func unbrotli(t *testing.T, body string) string {
	t.Helper()
	plain, err := io.ReadAll(brotli.NewReader(strings.NewReader(body)))
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

func unzip(t *testing.T, body string) string {
	t.Helper()
	r, err := gzip.NewReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A page loads one script, and that script loads no other. The settings also load the switch for messages
// about turns, which few pages have. A game without a server is loaded when it begins.
func TestScriptsAreWhole(t *testing.T) {
	s := serve(t)
	id, err := s.person().Make(s.ctx, nil)
	s.must(err)
	for _, path := range []string{"/", "/" + id, "/settings", "/nothing"} {
		page := s.plain(path, nil).Body
		if n := strings.Count(page, "<script") - strings.Count(page, "application/json"); n > 1 && path != "/settings" || n > 2 {
			t.Errorf("%s has %d scripts", path, n)
		}
		if n := strings.Count(page, `rel="stylesheet"`); n != 1 {
			t.Errorf("%s has %d style sheets", path, n)
		}
	}
	for name := range s.Assets.Hashed {
		made, err := s.Assets.Body(name)
		s.must(err)
		body := string(made)
		if name == "device.js" {
			continue
		}
		if strings.HasSuffix(name, ".js") && regexp.MustCompile(`\b(from|import)\s*"\./|\bimport\(`).MatchString(body) || strings.Contains(body, "@import") {
			t.Errorf("%s asks for more", name)
		}
	}
}
