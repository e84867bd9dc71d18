package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strings"
	"time"
)

//go:embed static/*.js static/*.css static/*.svg messages/*.json page/*.html
var files embed.FS

// assets are the files that pages refer to, under names that change with their
// contents, so that browsers may keep them for ever.
type assets struct {
	hashed map[string]string // name → hashed name
	bodies map[string]asset  // hashed name → file
}

type asset struct {
	kind string
	body []byte
}

// imports finds the modules that a module names, which must be hashed names too.
var imports = regexp.MustCompile(`(from |import |import\()"\./([a-z0-9.-]+\.js)"`)

func loadAssets() (*assets, error) {
	a := &assets{hashed: map[string]string{}, bodies: map[string]asset{}}
	sources := map[string][]byte{}
	for _, dir := range []string{"static", "messages"} {
		entries, err := fs.ReadDir(files, dir)
		if err != nil {
			return nil, fmt.Errorf("web: assets: %w", err)
		}
		for _, e := range entries {
			name := e.Name()
			if strings.HasSuffix(name, ".test.js") {
				continue
			}
			body, err := files.ReadFile(path.Join(dir, name))
			if err != nil {
				return nil, fmt.Errorf("web: assets: %w", err)
			}
			if dir == "messages" {
				name = "messages." + name
			}
			sources[name] = body
		}
	}
	for name := range sources {
		if err := a.add(name, sources, nil); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// add takes a file in after the modules that it imports, whose hashed names
// become part of it.
func (a *assets) add(name string, sources map[string][]byte, above []string) error {
	if _, done := a.hashed[name]; done {
		return nil
	}
	body, ok := sources[name]
	if !ok || len(above) > 20 {
		return fmt.Errorf("web: assets: %s is missing, or imports itself by way of %v", name, above)
	}
	if strings.HasSuffix(name, ".js") {
		for _, m := range imports.FindAllSubmatch(body, -1) {
			if err := a.add(string(m[2]), sources, append(above, name)); err != nil {
				return err
			}
		}
		body = imports.ReplaceAllFunc(body, func(m []byte) []byte {
			parts := imports.FindSubmatch(m)
			return fmt.Appendf(nil, `%s"./%s"`, parts[1], a.hashed[string(parts[2])])
		})
	}
	sum := sha256.Sum256(body)
	stem, ext, _ := strings.Cut(name, ".")
	hashed := stem + "." + hex.EncodeToString(sum[:5]) + "." + ext
	a.hashed[name] = hashed
	a.bodies[hashed] = asset{mime.TypeByExtension(path.Ext(name)), body}
	return nil
}

// url is where a page finds an asset.
func (a *assets) url(name string) (string, error) {
	hashed, ok := a.hashed[name]
	if !ok {
		return "", fmt.Errorf("web: there is no asset %q", name)
	}
	return "/static/" + hashed, nil
}

func (a *assets) serve(w http.ResponseWriter, r *http.Request) {
	f, ok := a.bodies[r.PathValue("name")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", f.kind)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.body))
}
