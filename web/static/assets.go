// Package static holds the scripts and style sheets of the browser, in one folder
// for each purpose (README.md), and the Go code that bundles and serves them.
package static

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	esbuild "github.com/evanw/esbuild/pkg/api"

	"mancala/web/learn"
	"mancala/web/messages"
	"mancala/web/picture"
	"mancala/web/typeface"
)

//go:embed */*.js */*.css *.svg
var files embed.FS

// bundles are the entries of the pages' scripts and style sheets, in the folder
// static. A bundle holds everything that its entry imports, so a page loads one
// script and one style sheet. A bundle is served under its base name.
var bundles = []string{
	"analysis/analysis.css",
	"analysis/analysis.js",
	"desk/desk.css",
	"desk/desk.js",
	"desk/screen.css",
	"desk/screen.js",
	"event/event.css",
	"event/event.js",
	"game/eventgame.css",
	"game/eventgame.js",
	"game/game.css",
	"game/game.js",
	"lesson/lesson.css",
	"lesson/lesson.js",
	"offline/sw.js",
	"pages/account.js",
	"pages/composer.css",
	"pages/composer.js",
	"pages/page.css",
	"pages/page.js",
	"pages/paper.css",
	"pages/paper.js",
	"watch/embed.css",
	"watch/embed.js",
	"watch/embedreplay.js",
}

// faceOf returns the name by which pages and style sheets refer to the typeface in a language. A language
// with letters that English has not has a typeface of its own. It is empty for a language that is not
// written in Latin letters, which has the system's face.
func faceOf(c, english *messages.Catalog) string {
	switch {
	case !c.Latin():
		return ""
	case strings.Trim(c.Letters(), english.Letters()) == "":
		return "typeface.woff2"
	}
	return "typeface-" + c.Lang + ".woff2"
}

// face is a typeface that was cut.
type face struct {
	name string
	body []byte
	err  error
}

// faces cuts the typeface of each language, at the same time.
func faces(spoken *messages.Languages) []face {
	cut := map[string]*face{}
	var group sync.WaitGroup
	for _, c := range spoken.Catalogs {
		f := &face{name: faceOf(c, spoken.Usual())}
		if f.name == "" || cut[f.name] != nil {
			continue
		}
		cut[f.name] = f
		group.Go(func() { f.body, f.err = typeface.WOFF2(c.Letters()) })
	}
	group.Wait()
	var all []face
	for _, name := range slices.Sorted(maps.Keys(cut)) {
		all = append(all, *cut[name])
	}
	return all
}

// Assets are the files that pages refer to. A file's name changes with its contents,
// so that browsers can cache it forever.
type Assets struct {
	Hashed map[string]string // name → hashed name
	Bodies map[string]asset  // hashed name → file
	Faces  map[string]string // language → name of its typeface; "" if it has the system's
}

type asset struct {
	kind   string
	Body   []byte
	gzip   func() []byte // made when it is first asked for; it returns nil if Body is not longer
	brotli func() []byte // the same; it returns nil if gzip is shorter
}

// Copy returns a copy to which assets can be added.
func (a *Assets) Copy() *Assets { return &Assets{maps.Clone(a.Hashed), maps.Clone(a.Bodies), a.Faces} }

// LoadAssets builds the assets. It does so once for each process.
var LoadAssets = sync.OnceValues(buildAssets)

// buildAssets draws, bundles and cuts the typeface at the same time, since the server starts
// only then.
func buildAssets() (*Assets, error) {
	a := &Assets{Hashed: map[string]string{}, Bodies: map[string]asset{}, Faces: map[string]string{}}
	var group sync.WaitGroup
	var pictures, bundled map[string][]byte
	var cut []face
	var failed error
	group.Go(func() { pictures = drawAssets() })
	group.Go(func() { bundled, failed = bundle(bundles) })
	defer group.Wait()
	spoken, err := messages.LoadLanguages()
	if err != nil {
		return nil, err
	}
	group.Go(func() { cut = faces(spoken) })
	icon, err := files.ReadFile("icon.svg")
	if err != nil {
		return nil, fmt.Errorf("web: assets: %w", err)
	}
	a.Add("icon.svg", icon)
	for _, c := range spoken.Catalogs {
		texts, err := c.BrowserTexts()
		if err != nil {
			return nil, err
		}
		a.Add(c.Asset(), texts)
		a.Faces[c.Lang] = faceOf(c, spoken.Usual())
	}
	group.Wait()
	if failed != nil {
		return nil, failed
	}
	for name, body := range pictures {
		a.Add(name, body)
	}
	var hashed []string // pairs of a typeface's name and its address
	for _, f := range cut {
		if f.err != nil {
			return nil, f.err
		}
		a.Add(f.name, f.body)
		hashed = append(hashed, "/static/"+f.name, "/static/"+a.Hashed[f.name])
	}
	faces := strings.NewReplacer(hashed...)
	for name, body := range bundled {
		if path.Ext(name) == ".css" { // no script names a typeface
			body = []byte(faces.Replace(string(body)))
		}
		a.Add(name, body)
	}
	return a, nil
}

// Mark returns the mark as a part of a page. It is the icon with other names for its
// gradients, without a request of its own.
func Mark() (string, error) {
	icon, err := files.ReadFile("icon.svg")
	if err != nil {
		return "", fmt.Errorf("web: mark: %w", err)
	}
	return strings.NewReplacer(
		`<svg xmlns="http://www.w3.org/2000/svg"`, `<svg width="26" height="26" aria-hidden="true"`,
		`id="`, `id="mark-`, `url(#`, `url(#mark-`, "\n", "",
	).Replace(string(icon)), nil
}

// bundle joins each entry with the modules that it imports, and minifies the
// result. It returns the bundles by base name. The server bundles when it starts, so
// there is no build step, and no page can load a source (deploy/decisions/0005).
func bundle(entries []string) (map[string][]byte, error) {
	embedded := esbuild.Plugin{Name: "embedded", Setup: func(b esbuild.PluginBuild) {
		b.OnResolve(esbuild.OnResolveOptions{Filter: `\.(js|css)$`}, func(r esbuild.OnResolveArgs) (esbuild.OnResolveResult, error) {
			folder := "."
			if r.Kind != esbuild.ResolveEntryPoint {
				folder = path.Dir(r.Importer)
			}
			return esbuild.OnResolveResult{Path: path.Join(folder, r.Path), Namespace: "embedded"}, nil
		})
		b.OnResolve(esbuild.OnResolveOptions{Filter: `\.woff2$`}, func(r esbuild.OnResolveArgs) (esbuild.OnResolveResult, error) {
			return esbuild.OnResolveResult{Path: r.Path, External: true}, nil
		})
		b.OnLoad(esbuild.OnLoadOptions{Filter: ".", Namespace: "embedded"}, func(r esbuild.OnLoadArgs) (esbuild.OnLoadResult, error) {
			body, err := files.ReadFile(r.Path)
			text := string(body)
			loader := esbuild.LoaderJS
			if path.Ext(r.Path) == ".css" {
				loader = esbuild.LoaderCSS
			}
			return esbuild.OnLoadResult{Contents: &text, Loader: loader}, err
		})
	}}
	built := esbuild.Build(esbuild.BuildOptions{
		EntryPoints: entries, Outdir: "/", Plugins: []esbuild.Plugin{embedded},
		Bundle: true, Format: esbuild.FormatESModule, Target: esbuild.ES2022, Charset: esbuild.CharsetUTF8,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: esbuild.LegalCommentsNone,
	})
	for _, e := range append(built.Errors, built.Warnings...) {
		return nil, fmt.Errorf("web: bundle: %s (%+v)", e.Text, e.Location)
	}
	bodies := map[string][]byte{}
	for _, f := range built.OutputFiles {
		bodies[path.Base(f.Path)] = f.Contents
	}
	return bodies, nil
}

// Add adds a file.
func (a *Assets) Add(name string, body []byte) {
	sum := sha256.Sum256(body)
	stem, ext, _ := strings.Cut(name, ".")
	hashed := stem + "." + hex.EncodeToString(sum[:5]) + "." + ext
	f := asset{kind: cmp.Or(mime.TypeByExtension(path.Ext(name)), "font/woff2"), Body: body}
	f.gzip = sync.OnceValue(func() []byte { return shorter(compressFile(body), body) })
	f.brotli = sync.OnceValue(func() []byte {
		short := f.gzip()
		if short == nil {
			return nil
		}
		return shorter(compressBrotli(body), short)
	})
	a.Hashed[name] = hashed
	a.Bodies[hashed] = f
}

// shorter returns a if it is shorter than b, and nil otherwise.
func shorter(a, b []byte) []byte {
	if len(a) < len(b) {
		return a
	}
	return nil
}

// Url returns the path of an asset.
func (a *Assets) Url(name string) (string, error) {
	hashed, ok := a.Hashed[name]
	if !ok {
		return "", fmt.Errorf("web: there is no asset %q", name)
	}
	return "/static/" + hashed, nil
}

// Serve answers with an asset.
func (a *Assets) Serve(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	f, ok := a.Bodies[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	if !isDocument(f.kind) {
		for _, header := range documentHeaders {
			h.Del(header)
		}
	}
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Vary", "Accept-Encoding")
	body, tag := f.Body, name
	var brotli, gzip []byte
	if accepts(r, "br") {
		brotli = f.brotli()
	}
	if brotli == nil && AcceptsGzip(r) {
		gzip = f.gzip()
	}
	switch {
	case brotli != nil:
		h.Set("Content-Encoding", "br")
		body, tag = brotli, name+".br"
	case gzip != nil:
		h.Set("Content-Encoding", "gzip")
		body, tag = gzip, name+".gz"
	}
	h.Set("ETag", `"`+tag+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// documentHeaders have an effect only on what a browser opens as a document. They are 300 bytes.
var documentHeaders = []string{"Content-Security-Policy", "Cross-Origin-Opener-Policy", "Referrer-Policy"}

// isDocument reports whether a browser can open a file of this type as a document. It shows style sheets,
// scripts, texts and fonts as plain text or not at all.
func isDocument(kind string) bool {
	for _, part := range []string{"text/css", "text/javascript", "application/json", "font/woff2"} {
		if strings.HasPrefix(kind, part) {
			return false
		}
	}
	return true
}

// drawAssets draws the icons and the preview picture of pages that show no game.
func drawAssets() map[string][]byte {
	return map[string][]byte{
		"icon-192.png":     picture.Icon(192, false),
		"icon-512.png":     picture.Icon(512, false),
		"maskable-512.png": picture.Icon(512, true),
		"card.png":         Hero.PNG(),
		"coasts.svg":       learn.Coasts(),
	}
}
