package static

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	esbuild "github.com/evanw/esbuild/pkg/api"
)

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
	"device/device.css",
	"device/device.js",
	"device/localplay.js",
	"event/event.css",
	"event/event.js",
	"event/newevent.js",
	"game/eventgame.css",
	"game/eventgame.js",
	"game/game.css",
	"game/game.js",
	"lesson/lesson.css",
	"lesson/lesson.js",
	"offline/notify.js",
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
}

// bundler is the code that makes bundles of the sources.
//
//go:embed assets.go bundle.go
var bundler embed.FS

// bundlerVersion returns a hash that changes whenever that code is changed. It is part of the name of every
// bundle: the same sources, bundled in another way, are another file.
var bundlerVersion = sync.OnceValue(func() [sha256.Size]byte {
	sum := sha256.New()
	for _, name := range []string{"assets.go", "bundle.go"} {
		code, err := bundler.ReadFile(name)
		if err != nil {
			panic("static: " + err.Error()) // the code is part of the binary
		}
		sum.Write(code)
	}
	return [sha256.Size]byte(sum.Sum(nil))
})

// graph has the sources of bundles, by their path. It reads each file once.
type graph map[string]source

type source struct {
	sum     [sha256.Size]byte // of the file
	imports []string          // paths
}

// sources returns the paths of an entry and of all files that it imports, in alphabetical order.
func (g graph) sources(entry string) ([]string, error) {
	found := []string{entry}
	for i := 0; i < len(found); i++ { // found grows meanwhile
		if err := g.read(found[i]); err != nil {
			return nil, fmt.Errorf("web: bundle %s: %w", entry, err)
		}
		for _, name := range g[found[i]].imports {
			if !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
	}
	slices.Sort(found)
	return found, nil
}

// read adds a file. Its imports are the files that quoted paths in it name. Some of these paths are in
// comments, for types: a bundle may have a source too many, never one too few. An import of a file that
// is missing is an error of esbuild.
func (g graph) read(name string) error {
	if _, ok := g[name]; ok {
		return nil
	}
	body, err := files.ReadFile(name)
	if err != nil {
		return err
	}
	s := source{sum: sha256.Sum256(body)}
	ext := path.Ext(name)
	parts := strings.Split(string(body), ext+`"`)
	for _, part := range parts[:len(parts)-1] {
		quoted := part[strings.LastIndexByte(part, '"')+1:] + ext
		found := path.Join(path.Dir(name), quoted)
		if f, err := files.Open(found); err == nil {
			f.Close()
			s.imports = append(s.imports, found)
		}
	}
	g[name] = s
	return nil
}

// bundle joins an entry with the modules that it imports, and minifies the result. The server
// does so when the bundle is first asked for, so there is no build step, and no page can load a source
// (deploy/decisions/0039).
func bundle(entry string) ([]byte, error) {
	built := build(entry)
	for _, e := range append(built.Errors, built.Warnings...) {
		return nil, fmt.Errorf("web: bundle %s: %s (%+v)", entry, e.Text, e.Location)
	}
	contents := built.OutputFiles[0].Contents
	if path.Ext(entry) == ".css" {
		contents = beforeValue.ReplaceAll(contents, []byte("$1$2"))
		contents = afterValue.ReplaceAll(contents, []byte("$1$2"))
	}
	return contents, nil
}

// Spaces around the values of custom properties, which esbuild leaves and browsers take away. A value that is only
// a space is kept: without it there would be none.
var (
	beforeValue = regexp.MustCompile(`(--[\w-]+:) +([^ ;}])`)
	afterValue  = regexp.MustCompile(`([^ :]) +([;}])`)
)

// build is bundle with esbuild's own result, which lists the sources.
func build(entry string) esbuild.BuildResult {
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
	return esbuild.Build(esbuild.BuildOptions{
		EntryPoints: []string{entry}, Outdir: "/", Plugins: []esbuild.Plugin{embedded},
		Bundle: true, Format: esbuild.FormatESModule, Target: esbuild.ES2022, Charset: esbuild.CharsetUTF8,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: esbuild.LegalCommentsNone,
		Metafile: true,
	})
}
