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

// Scripts get the texts that they name, and not those that only pages have.
func TestBrowserTexts(t *testing.T) {
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
	for key := range texts {
		if strings.HasPrefix(key, "learn.") {
			t.Fatalf("browsers get %s", key)
		}
	}
	if texts["brand"] != "Mancala" || len(texts) < 200 {
		t.Errorf("%d texts", len(texts))
	}
}

func TestBundleSaysWhatIsWrong(t *testing.T) {
	if _, err := bundle([]string{"nothing.js"}); err == nil || !strings.Contains(err.Error(), "nothing.js") {
		t.Errorf("a script that is not there: %v", err)
	}
}

// What the start costs for it.
func BenchmarkBuildAssets(b *testing.B) {
	for b.Loop() {
		if _, err := buildAssets(); err != nil {
			b.Fatal(err)
		}
	}
}

// What a page costs for it.
func BenchmarkCompressPage(b *testing.B) {
	page := bytes.Repeat([]byte(httptest.DefaultRemoteAddr+"<button data-pit=7 data-count=4>"), 400)
	for b.Loop() {
		Compress(page)
	}
}

// A rule with :has() whose subject may be anything lets every change of a page
// make the browser look at all of it again: each seed that fell cost a slow phone
// the time of a frame.
func TestNoStyleLooksAtEverything(t *testing.T) {
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
