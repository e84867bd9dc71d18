package pages

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"mancala/engine"
	"mancala/web/messages"
	"mancala/web/static"
)

// installed is what a browser needs to install the site as an app: a manifest in each
// language, and the service worker. Each is made when it is first asked for.
type installed struct {
	manifests map[string]func() (file, error) // by language
	worker    func() (file, error)
}

// file is a file whose address stays the same when its content changes.
type file struct {
	kind, tag string
	body      []byte
}

func (f file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", f.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.body))
}

func newFile(kind string, body []byte) file {
	sum := sha256.Sum256(body)
	return file{kind, `"` + hex.EncodeToString(sum[:8]) + `"`, body}
}

// Manifest serves the manifest in the client's language.
func (srv *Pages) Manifest(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Vary", "Accept-Language, Cookie")
	manifest, err := srv.installed.manifests[srv.Catalog(r).Lang]()
	if err != nil {
		return err
	}
	manifest.serve(w, r)
	return nil
}

// ServiceWorker serves the service worker. It is the same in all languages: a browser that
// changes language would replace the worker, and a page that opens in that moment may wait
// for the old one for ever.
func (srv *Pages) ServiceWorker(w http.ResponseWriter, r *http.Request) error {
	worker, err := srv.installed.worker()
	if err != nil {
		return err
	}
	worker.serve(w, r)
	return nil
}

func newInstalled(srv *Pages) *installed {
	manifests := map[string]func() (file, error){}
	for _, c := range srv.Languages.Catalogs {
		manifests[c.Lang] = sync.OnceValues(func() (file, error) { return srv.manifest(c) })
	}
	return &installed{manifests, sync.OnceValues(srv.worker)}
}

func (srv *Pages) manifest(c *messages.Catalog) (file, error) {
	t := c.T
	icon := func(name, size, purpose string) map[string]string {
		return map[string]string{"src": "/static/" + srv.Assets.Hashed[name], "sizes": size, "purpose": purpose}
	}
	manifest, err := json.Marshal(map[string]any{
		"id": "/", "start_url": "/", "scope": "/", "display": "standalone", "lang": c.Lang, "dir": t("direction"),
		"name": t("brand"), "short_name": t("brand"), "description": t("home.description"),
		"background_color": themeColours["light"], "theme_color": themeColours["light"], "categories": []string{"games"},
		"icons": []map[string]string{
			icon("icon-192.png", "192x192", "any"), icon("icon-512.png", "512x512", "any"),
			icon("maskable-512.png", "512x512", "maskable"), icon("icon.svg", "any", "any"),
		},
	})
	if err != nil {
		return file{}, fmt.Errorf("web: manifest: %w", err)
	}
	return newFile("application/manifest+json", manifest), nil
}

// offlinePages returns the addresses of the rules. Every browser with the service
// worker keeps them.
func offlinePages() []string {
	pages := []string{"/learn"}
	for _, row := range engine.Systems {
		pages = append(pages, "/learn/"+row.Name)
	}
	return pages
}

// The page of games without a server, and its two scripts. Only the page of the same release names the second,
// which starts the worker.
const (
	localPath   = "/local"
	localForm   = "device.js"
	localScript = "localplay.js"
)

// worker returns the service worker's script. Its version is a hash of what it keeps,
// so browsers detect a new release.
func (srv *Pages) worker() (file, error) {
	own := map[string][]string{} // the texts of scripts and the typeface, by language
	for _, c := range srv.Languages.Catalogs {
		own[c.Lang] = []string{"/static/" + srv.Assets.Hashed[c.Asset()]}
		if face := srv.Assets.Faces[c.Lang]; face != "" {
			own[c.Lang] = append(own[c.Lang], "/static/"+srv.Assets.Hashed[face])
		}
	}
	shell := []string{"/offline"}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(srv.Assets.Hashed)) {
		hashed := srv.Assets.Hashed[name]
		fmt.Fprintln(sum, hashed)
		if keptOffline(name) {
			shell = append(shell, "/static/"+hashed)
		}
	}
	templates, err := fs.Glob(pageFiles, "page/*.html")
	if err != nil {
		return file{}, fmt.Errorf("web: worker: %w", err)
	}
	for _, name := range templates {
		body, err := pageFiles.ReadFile(name)
		if err != nil {
			return file{}, fmt.Errorf("web: worker: %w", err)
		}
		sum.Write(body)
	}
	address := func(name string) string { return "/static/" + srv.Assets.Hashed[name] }
	release, err := json.Marshal(map[string]any{
		"version": hex.EncodeToString(sum.Sum(nil)[:8]), "shell": shell, "own": own, "pages": offlinePages(),
		"local": map[string]any{
			"page": localPath, "script": address(localScript),
			"files": []string{address(static.LocalModule), address(static.LocalWorker), address(localForm)},
		},
	})
	if err != nil {
		return file{}, fmt.Errorf("web: worker: %w", err)
	}
	script, err := srv.Assets.Body("sw.js")
	if err != nil {
		return file{}, err
	}
	return newFile("text/javascript; charset=utf-8", fmt.Appendf(nil, "self.release=%s;\n%s", release, script)), nil
}

// keptOffline reports whether every browser keeps a file of this release. It keeps the texts and the
// typeface of its language alone. What plays without a server is large: it is kept where it was asked for.
// The projector of a tournament has nothing to show without the server.
func keptOffline(name string) bool {
	for _, first := range []string{"device.", "embed.", "local", "messages.", "screen.", "typeface", "sw.js"} {
		if strings.HasPrefix(name, first) {
			return false
		}
	}
	return !strings.HasSuffix(name, ".png")
}

// Offline serves the page that the service worker shows when a page cannot be loaded.
func (srv *Pages) Offline(w http.ResponseWriter, r *http.Request) error {
	return srv.render(w, r, http.StatusOK, "offline", srv.head(r, srv.Catalog(r).T("offline.heading"), ""))
}
