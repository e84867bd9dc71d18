// Package static holds the scripts and style sheets of the browser, in one folder
// for each purpose (README.md), and the Go code that bundles and serves them.
package static

import (
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
	"strconv"
	"strings"
	"sync"

	"mancala/web/learn"
	"mancala/web/messages"
	"mancala/web/picture"
	"mancala/web/typeface"
)

//go:embed */*.js */*.css *.svg
var files embed.FS

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

// Assets are the files that pages refer to. A file's name changes with its contents,
// so that browsers can cache it forever.
type Assets struct {
	Hashed map[string]string // name → hashed name
	Bodies map[string]asset  // hashed name → file
	Faces  map[string]string // language → name of its typeface; "" if it has the system's
}

// asset is a file. Everything in it is made when it is first asked for, once.
type asset struct {
	kind   string
	policy string // its Content-Security-Policy; "" for none, or that of pages if it can be opened as one
	stored []byte // the Brotli form, if the binary has it; then the body is made only for clients without Brotli
	body   func() ([]byte, error)
	gzip   func() []byte // returns nil if the body is not longer
	brotli func() []byte // returns nil if gzip is shorter
}

// Copy returns a copy to which assets can be added.
func (a *Assets) Copy() *Assets { return &Assets{maps.Clone(a.Hashed), maps.Clone(a.Bodies), a.Faces} }

// LoadAssets names the assets. It does so once for each process.
var LoadAssets = sync.OnceValues(nameAssets)

// nameAssets makes none of what takes long: drawings, typefaces and bundles are made when they are first
// asked for, and named by what they are made of (deploy/decisions/0039).
func nameAssets() (*Assets, error) {
	a := &Assets{Hashed: map[string]string{}, Bodies: map[string]asset{}, Faces: map[string]string{}}
	spoken, err := messages.LoadLanguages()
	if err != nil {
		return nil, err
	}
	icon, err := files.ReadFile("icon.svg")
	if err != nil {
		return nil, fmt.Errorf("web: assets: %w", err)
	}
	a.Add("icon.svg", icon)
	a.Add("coasts.svg", learn.Coasts())
	a.addDrawings()
	for _, c := range spoken.Catalogs {
		a.addLater(c.Asset(), []byte(c.Source()), c.BrowserTexts)
		a.addFace(c, spoken.Usual())
	}
	return a, a.addBundles()
}

// addDrawings adds the icons and the preview picture of pages that show no game.
func (a *Assets) addDrawings() {
	of := fmt.Appendf(nil, "%x %+v", picture.Version(), Hero)
	for name, draw := range map[string]func() []byte{
		"icon-192.png":     func() []byte { return picture.Icon(192, false) },
		"icon-512.png":     func() []byte { return picture.Icon(512, false) },
		"maskable-512.png": func() []byte { return picture.Icon(512, true) },
		"card.png":         Hero.PNG,
	} {
		a.addLater(name, of, func() ([]byte, error) { return draw(), nil })
	}
}

// addFace adds the typeface of a language, if no language before it has the same.
func (a *Assets) addFace(c, english *messages.Catalog) {
	name := faceOf(c, english)
	a.Faces[c.Lang] = name
	if name == "" || a.Hashed[name] != "" {
		return
	}
	letters := c.Letters()
	a.addLater(name, []byte(letters+typeface.Version()), func() ([]byte, error) { return typeface.WOFF2(letters) })
}

// addBundles adds the bundles, after the typefaces that style sheets name.
func (a *Assets) addBundles() error {
	var faces []string
	for _, name := range slices.Sorted(maps.Keys(a.Hashed)) {
		if path.Ext(name) == ".woff2" {
			faces = append(faces, name)
		}
	}
	all := graph{}
	if err := a.addLocal(all); err != nil {
		return err
	}
	for _, entry := range bundles {
		named := faces // no script names a typeface
		if path.Ext(entry) == ".js" {
			sources, err := all.sources(entry)
			if err != nil {
				return err
			}
			if named = nil; slices.Contains(sources, startsWorker) {
				named = []string{LocalWorker}
			}
		}
		if err := a.addBundle(all, entry, named); err != nil {
			return err
		}
	}
	return nil
}

// addBundle adds a bundle that names other assets. Their names become their addresses.
func (a *Assets) addBundle(all graph, entry string, named []string) error {
	sources, err := all.sources(entry)
	if err != nil {
		return err
	}
	var addresses []string // pairs of a name and an address
	for _, name := range named {
		addresses = append(addresses, "/static/"+name, "/static/"+a.Hashed[name])
	}
	of := fmt.Appendf(nil, "%x", bundlerVersion())
	if len(addresses) > 0 {
		of = fmt.Appendln(of, addresses)
	}
	for _, name := range sources {
		of = fmt.Appendf(of, "%x", all[name].sum)
	}
	a.addLater(path.Base(entry), of, func() ([]byte, error) {
		body, err := bundle(entry)
		if len(addresses) > 0 {
			body = []byte(strings.NewReplacer(addresses...).Replace(string(body)))
		}
		return body, err
	})
	return nil
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

// Add adds a file.
func (a *Assets) Add(name string, body []byte) {
	a.addLater(name, body, func() ([]byte, error) { return body, nil })
}

// addLater adds a file that is made when it is first asked for. Its name changes with what it is made of.
func (a *Assets) addLater(name string, of []byte, body func() ([]byte, error)) {
	sum := sha256.Sum256(of)
	stem, ext, _ := strings.Cut(name, ".")
	hashed := stem + "." + hex.EncodeToString(sum[:5]) + "." + ext
	f := asset{kind: cmp.Or(mime.TypeByExtension(path.Ext(name)), "font/woff2"), body: sync.OnceValues(body)}
	f.gzip = sync.OnceValue(func() []byte {
		body, _ := f.body() // callers check the error of body first
		return shorter(compressFile(body), body)
	})
	f.brotli = sync.OnceValue(func() []byte {
		short := f.gzip()
		if short == nil {
			return nil
		}
		body, _ := f.body()
		return shorter(compressBrotli(body), short)
	})
	a.Hashed[name] = hashed
	a.Bodies[hashed] = f
}

// Body returns the contents of a file by its name without the hash.
func (a *Assets) Body(name string) ([]byte, error) {
	f, ok := a.Bodies[a.Hashed[name]]
	if !ok {
		return nil, fmt.Errorf("web: there is no asset %q", name)
	}
	return f.body()
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
func (a *Assets) Serve(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("name")
	f, ok := a.Bodies[name]
	if !ok {
		http.NotFound(w, r)
		return nil
	}
	var body []byte
	if f.stored == nil || !accepts(r, "br") {
		var err error
		if body, err = f.body(); err != nil {
			return err
		}
	}
	h := w.Header()
	if !isDocument(f.kind) {
		for _, header := range documentHeaders {
			h.Del(header)
		}
	}
	if f.policy != "" {
		h.Set("Content-Security-Policy", f.policy)
	}
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "max-age=31536000, immutable")
	h.Set("Vary", "Accept-Encoding")
	tag := "id" // the name identifies the content, so the tag needs the encoding only
	var brotli, gzip []byte
	if accepts(r, "br") {
		brotli = f.brotli()
	}
	if brotli == nil && accepts(r, "gzip") {
		gzip = f.gzip()
	}
	switch {
	case brotli != nil:
		h.Set("Content-Encoding", "br")
		body, tag = brotli, "br"
	case gzip != nil:
		h.Set("Content-Encoding", "gzip")
		body, tag = gzip, "gz"
	}
	tag = `"` + tag + `"`
	h.Set("ETag", tag)
	if strings.TrimPrefix(r.Header.Get("If-None-Match"), "W/") == tag {
		h.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	// http.ServeContent would offer ranges, and send what is compressed in chunks: 50 bytes more.
	h.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // fails only if the client has gone
	return nil
}

// documentHeaders have an effect only on what a browser opens as a document. They are 300 bytes.
var documentHeaders = []string{"Content-Security-Policy", "Cross-Origin-Opener-Policy", "Referrer-Policy"}

// isDocument reports whether a browser can open a file of this type as a document. It shows style sheets,
// scripts, texts and fonts as plain text or not at all.
func isDocument(kind string) bool {
	for _, part := range []string{"text/css", "text/javascript", "application/json", "application/wasm", "font/woff2"} {
		if strings.HasPrefix(kind, part) {
			return false
		}
	}
	return true
}
