package static

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mancala/web/messages"
)

// Scripts get the texts that they use, and none that only the server's pages use.
func TestScriptsGetTheTextsThatTheyUseAndNoOthers(t *testing.T) {
	c, err := messages.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	body, err := c.BrowserTexts()
	if err != nil {
		t.Fatal(err)
	}
	var texts map[string]any
	if err := json.Unmarshal(body, &texts); err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("\\bt\\(\\s*[\"`]([a-z][a-zA-Z-]*)[.\"`]")
	scripts, err := fs.Glob(files, "*/*.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range scripts {
		script, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range named.FindAllSubmatch(script, -1) {
			if slices.Contains(messages.ServerTexts, string(key[1])) {
				t.Errorf("%s uses %s, which no browser gets", name, key[1])
			}
		}
	}
	for _, key := range messages.ServerKeys {
		for _, name := range scripts {
			script, err := files.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(script, []byte(`"`+key+`"`)) || bytes.Contains(script, []byte("`"+key+"`")) {
				t.Errorf("%s uses %s, which no browser gets", name, key)
			}
		}
	}
	for key := range texts {
		if strings.HasPrefix(key, "learn.") {
			t.Fatalf("browsers get %s", key)
		}
	}
	if texts["brand"] != "Mancala" || len(texts) < 200 {
		t.Errorf("%d texts", len(texts))
	}
}

// A browser that accepts every coding gets every file, also one that no coding makes shorter.
func TestEveryFileIsServedToABrowserThatAcceptsBrotli(t *testing.T) {
	assets, err := LoadAssets()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"icon-192.png", "icon-512.png", "maskable-512.png", "card.png", "page.css", faceName} {
		r := httptest.NewRequest("GET", "/static/"+name, nil)
		r.SetPathValue("name", assets.Hashed[name])
		r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
		w := httptest.NewRecorder()
		assets.Serve(w, r)
		if coding := w.Header().Get("Content-Encoding"); w.Code != 200 || w.Body.Len() == 0 || name == "icon-192.png" && coding != "" || name == "page.css" && coding != "br" {
			t.Errorf("%s: %d, %d bytes with the coding %q", name, w.Code, w.Body.Len(), coding)
		}
	}
}

func TestBundleSaysWhatIsWrong(t *testing.T) {
	if _, err := bundle([]string{"nothing.js"}); err == nil || !strings.Contains(err.Error(), "nothing.js") {
		t.Errorf("a script that is not there: %v", err)
	}
}

// The cost of the assets at the start of a server.
func BenchmarkBuildAssets(b *testing.B) {
	for b.Loop() {
		if _, err := buildAssets(); err != nil {
			b.Fatal(err)
		}
	}
}

// The cost of compression for a page.
func BenchmarkCompressPage(b *testing.B) {
	page := bytes.Repeat([]byte(httptest.DefaultRemoteAddr+"<button data-pit=7 data-count=4>"), 400)
	for b.Loop() {
		Compress(page)
	}
}

// With a :has() rule whose subject can be any element, the browser must check the
// whole page again after every change. On a slow phone each falling seed then cost
// the time of a frame.
func TestNoStyleMakesTheBrowserCheckThePageAgain(t *testing.T) {
	names, err := fs.Glob(files, "*/*.css")
	if err != nil || len(names) == 0 {
		t.Fatalf("style sheets: %v, %v", names, err)
	}
	anything := regexp.MustCompile(`[^{};]*:has\([^{};]*[>+~ ]\*\s*[,{]`)
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		if rule := anything.Find(text); rule != nil {
			t.Errorf("%s: %s", name, rule)
		}
	}
}
