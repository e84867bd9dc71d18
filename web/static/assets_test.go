package static

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
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
	for _, name := range scripts {
		script, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range regexp.MustCompile("[\"`](error\\.[a-z-]+)[\"`]").FindAllSubmatch(script, -1) {
			if texts[string(key[1])] == nil {
				t.Errorf("%s tells of %s, which no browser gets", name, key[1])
			}
		}
	}
	literal := regexp.MustCompile("[\"`]([a-z][a-zA-Z0-9.-]*)([\"`]|\\$\\{)")
	whole, begun := map[string]bool{"store.your": true, "store.other": true, "hand.your": true, "hand.other": true}, []string{}
	for _, name := range scripts {
		script, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range literal.FindAllSubmatch(script, -1) {
			if key := string(m[1]); len(m[2]) == 1 {
				whole[key] = true
			} else if texts[key] != nil || strings.Contains(key, ".") { // a template goes on with a part of the key
				begun = append(begun, key)
			}
		}
	}
	for key := range texts {
		if !whole[key] && !slices.ContainsFunc(begun, func(part string) bool { return strings.HasPrefix(key, part) }) {
			t.Errorf("browsers get %s, which no script names: add it to messages.ServerKeys", key)
		}
	}
	if texts["reconnecting"] == nil || len(texts) < 200 {
		t.Errorf("%d texts", len(texts))
	}
}

// A language with letters that English has not has a typeface of its own, which the style sheets name.
func TestStyleSheetsNameTheTypefaceOfEachLanguage(t *testing.T) {
	assets, err := LoadAssets()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"page.css", "game.css", "screen.css"} {
		body, err := assets.Body(name)
		if err != nil {
			t.Fatal(err)
		}
		css := string(body)
		for lang, face := range assets.Faces {
			own := strings.Contains(css, ":lang("+lang+"){")
			if face != "" && !strings.Contains(css, "/static/"+assets.Hashed[face]) || own == (face == "typeface.woff2") {
				t.Errorf("%s: %s should have the typeface %q", name, lang, face)
			}
		}
		if strings.Contains(css, "typeface.woff2") || strings.Contains(css, "typeface-") && regexp.MustCompile(`typeface-\w+\.woff2`).MatchString(css) {
			t.Errorf("%s names a typeface that no language has", name)
		}
	}
}

// What a language adds to the first view of a game. The page has 90 kB (UX.md §11, Q3), of which
// TestFirstViewStaysWithinItsBudget measures all in English.
func TestTextsAndTypefaceOfEachLanguageAreSmall(t *testing.T) {
	assets, err := LoadAssets()
	if err != nil {
		t.Fatal(err)
	}
	size := func(name string) int {
		f, ok := assets.Bodies[assets.Hashed[name]]
		if !ok {
			return 0 // the language has the system's typeface
		}
		body, err := f.body()
		if err != nil {
			t.Fatal(err)
		}
		if small := f.brotli(); small != nil {
			return len(small)
		}
		return len(body)
	}
	const most = 19_500
	for lang, face := range assets.Faces {
		texts := size("messages." + lang + ".json")
		t.Logf("%s: texts of %d bytes, a typeface of %d", lang, texts, size(face))
		if sum := texts + size(face); sum > most || texts < 4000 {
			t.Errorf("%s: the texts and the typeface have %d bytes, %d allowed", lang, sum, most)
		}
	}
}

// A browser that accepts every coding gets every file, also one that no coding makes shorter.
func TestEveryFileIsServedToABrowserThatAcceptsBrotli(t *testing.T) {
	assets, err := LoadAssets()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"icon-192.png", "icon-512.png", "maskable-512.png", "card.png", "page.css", "typeface.woff2"} {
		r := httptest.NewRequest("GET", "/static/"+name, nil)
		r.SetPathValue("name", assets.Hashed[name])
		r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
		w := httptest.NewRecorder()
		if err := assets.Serve(w, r); err != nil {
			t.Fatal(err)
		}
		if coding := w.Header().Get("Content-Encoding"); w.Code != 200 || w.Body.Len() == 0 || name == "icon-192.png" && coding != "" || name == "page.css" && coding != "br" {
			t.Errorf("%s: %d, %d bytes with the coding %q", name, w.Code, w.Body.Len(), coding)
		}
	}
}

func TestBundleSaysWhatIsWrong(t *testing.T) {
	if _, err := bundle("nothing.js"); err == nil || !strings.Contains(err.Error(), "nothing.js") {
		t.Errorf("a script that is not there: %v", err)
	}
}

// The name of a bundle is a hash of the sources that [graph] finds. With one too few, browsers would keep
// an old bundle for ever after a change of that source.
func TestNameOfABundleCoversAllThatEsbuildReads(t *testing.T) {
	all := graph{}
	for _, entry := range bundles {
		built := build(entry)
		if len(built.Errors)+len(built.Warnings) > 0 {
			t.Fatalf("%s: %+v %+v", entry, built.Errors, built.Warnings)
		}
		var read struct{ Inputs map[string]any }
		if err := json.Unmarshal([]byte(built.Metafile), &read); err != nil {
			t.Fatal(err)
		}
		sources, err := all.sources(entry)
		if err != nil {
			t.Fatal(err)
		}
		for name := range read.Inputs {
			if name = strings.TrimPrefix(name, "embedded:"); !slices.Contains(sources, name) {
				t.Errorf("%s: the name does not cover %s", entry, name)
			}
		}
		t.Logf("%s: %d sources, of which esbuild reads %d", entry, len(sources), len(read.Inputs))
		if len(read.Inputs) == 0 {
			t.Errorf("%s: esbuild has read nothing", entry)
		}
	}
}

func TestNameOfAnAssetChangesWithWhatItIsMadeOf(t *testing.T) {
	a := &Assets{Hashed: map[string]string{}, Bodies: map[string]asset{}}
	body := func() ([]byte, error) { return []byte("the same"), nil }
	a.addLater("a.js", []byte("one"), body)
	before := a.Hashed["a.js"]
	a.addLater("a.js", []byte("two"), body)
	if before == a.Hashed["a.js"] {
		t.Errorf("the name stays %s", before)
	}
}

// A server whose code joins the same sources in another way gives the result another name.
func TestNameOfABundleChangesWithTheCodeThatMakesIt(t *testing.T) {
	named := func() string {
		a := &Assets{Hashed: map[string]string{}, Bodies: map[string]asset{}}
		if err := a.addBundle(graph{}, "pages/paper.js", nil); err != nil {
			t.Fatal(err)
		}
		return a.Hashed["paper.js"]
	}
	before, version := named(), bundlerVersion
	t.Cleanup(func() { bundlerVersion = version })
	bundlerVersion = func() [sha256.Size]byte { return [sha256.Size]byte{1} }
	if named() == before {
		t.Errorf("the name stays %s", before)
	}
}

// What keeps a file from being made is an error of each request, not an empty file that browsers keep.
func TestBrokenAssetIsAnError(t *testing.T) {
	a := &Assets{Hashed: map[string]string{}, Bodies: map[string]asset{}}
	a.addLater("a.js", nil, func() ([]byte, error) { return nil, errors.New("broken") })
	r := httptest.NewRequest("GET", "/static/a.js", nil)
	r.SetPathValue("name", a.Hashed["a.js"])
	for range 2 {
		w := httptest.NewRecorder()
		if err := a.Serve(w, r); err == nil || w.Header().Get("Cache-Control") != "" {
			t.Errorf("%v with the headers %v", err, w.Header())
		}
	}
}

// The cost of the assets at the start of a server.
func BenchmarkNameAssets(b *testing.B) {
	for b.Loop() {
		if _, err := nameAssets(); err != nil {
			b.Fatal(err)
		}
	}
}

// The cost of compression for a page.
func BenchmarkCompressPage(b *testing.B) {
	page := bytes.Repeat([]byte(httptest.DefaultRemoteAddr+"<button data-pit=7 data-count=4>"), 400)
	for coding := range compressors {
		b.Run(coding, func(b *testing.B) {
			for b.Loop() {
				compress(page, coding)
			}
		})
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
