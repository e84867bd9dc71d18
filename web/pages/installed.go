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
	"time"

	"mancala/engine"
	"mancala/web/messages"
)

// installed is the manifest and the service worker of one language. With them a browser
// can install the site as an app.
type installed struct {
	manifest, worker file
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
	srv.installed[srv.Catalog(r).Lang].manifest.serve(w, r)
	return nil
}

// ServiceWorker serves the service worker in the client's language. Each language has
// its own release, so a browser that changes language replaces the pages it keeps.
func (srv *Pages) ServiceWorker(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Vary", "Accept-Language, Cookie")
	srv.installed[srv.Catalog(r).Lang].worker.serve(w, r)
	return nil
}

func loadInstalled(srv *Pages) (map[string]*installed, error) {
	all := map[string]*installed{}
	for _, c := range srv.Languages.Catalogs {
		one, err := srv.installedIn(c)
		if err != nil {
			return nil, err
		}
		all[c.Lang] = one
	}
	return all, nil
}

func (srv *Pages) installedIn(c *messages.Catalog) (*installed, error) {
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
		return nil, fmt.Errorf("web: manifest: %w", err)
	}
	worker, err := srv.worker(c)
	return &installed{newFile("application/manifest+json", manifest), newFile("text/javascript; charset=utf-8", worker)}, err
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

// worker returns the service worker's script. Its version is a hash of what it keeps,
// so browsers detect a new release.
func (srv *Pages) worker(c *messages.Catalog) ([]byte, error) {
	shell := []string{"/offline"}
	sum := sha256.New()
	fmt.Fprintln(sum, c.Lang)
	for _, name := range slices.Sorted(maps.Keys(srv.Assets.Hashed)) {
		if strings.HasPrefix(name, "messages.") && name != c.Asset() {
			continue // the texts of another language
		}
		hashed := srv.Assets.Hashed[name]
		fmt.Fprintln(sum, hashed)
		if !strings.HasSuffix(name, ".png") && !strings.HasPrefix(name, "embed.") && name != "sw.js" {
			shell = append(shell, "/static/"+hashed)
		}
	}
	templates, err := fs.Glob(pageFiles, "page/*.html")
	if err != nil {
		return nil, fmt.Errorf("web: worker: %w", err)
	}
	for _, name := range templates {
		body, err := pageFiles.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("web: worker: %w", err)
		}
		sum.Write(body)
	}
	release, err := json.Marshal(map[string]any{"version": hex.EncodeToString(sum.Sum(nil)[:8]), "shell": shell, "pages": offlinePages()})
	if err != nil {
		return nil, fmt.Errorf("web: worker: %w", err)
	}
	script := srv.Assets.Bodies[srv.Assets.Hashed["sw.js"]].Body
	return fmt.Appendf(nil, "self.release=%s;\n%s", release, script), nil
}

// Offline serves the page that the service worker shows when a page cannot be loaded.
func (srv *Pages) Offline(w http.ResponseWriter, r *http.Request) error {
	return srv.render(w, r, http.StatusOK, "offline", srv.head(r, srv.Catalog(r).T("offline.heading"), ""))
}
