package static

import (
	"compress/gzip"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

// served returns an asset as a client with these codings gets it.
func served(t *testing.T, name, codings string) *httptest.ResponseRecorder {
	t.Helper()
	assets, err := LoadAssets()
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("GET", "/static/"+name, nil)
	r.SetPathValue("name", assets.Hashed[name])
	r.Header.Set("Accept-Encoding", codings)
	w := httptest.NewRecorder()
	w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'") // of pages
	if err := assets.Serve(w, r); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return w
}

// Browsers compile a module while it arrives only if its type is right.
func TestModuleIsServedInEveryCoding(t *testing.T) {
	plain := served(t, LocalModule, "").Body.String()
	if !strings.HasPrefix(plain, "\x00asm\x01\x00\x00\x00") {
		t.Errorf("the module begins with %.8q", plain)
	}
	for _, tt := range []struct{ accepted, coding string }{{"gzip, deflate, br, zstd", "br"}, {"br;q=0, gzip", "gzip"}, {"identity", ""}} {
		w := served(t, LocalModule, tt.accepted)
		h := w.Header()
		if h.Get("Content-Encoding") != tt.coding || h.Get("Content-Type") != "application/wasm" || !strings.Contains(h.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %v", tt.accepted, h)
		}
		var body io.Reader = w.Body
		switch tt.coding {
		case "br":
			body = brotli.NewReader(body)
		case "gzip":
			var err error
			if body, err = gzip.NewReader(body); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := io.ReadAll(body); err != nil || string(got) != plain {
			t.Errorf("%s: %d bytes, %v; want %d", tt.accepted, len(got), err, len(plain))
		}
	}
}

// A script starts the worker of its own release, and that loads the module of its own.
func TestWorkerLoadsTheModuleOfItsRelease(t *testing.T) {
	assets, err := LoadAssets()
	if err != nil {
		t.Fatal(err)
	}
	if worker := served(t, LocalWorker, "").Body.String(); !strings.Contains(worker, `"/static/`+assets.Hashed[LocalModule]+`"`) {
		t.Errorf("the worker names no module: %s", worker)
	}
	page := assets.Copy()
	if err := page.addBundle(graph{}, "local/engine.js", []string{LocalWorker}); err != nil {
		t.Fatal(err)
	}
	if body, err := page.Body("engine.js"); err != nil || !strings.Contains(string(body), `"/static/`+assets.Hashed[LocalWorker]+`"`) {
		t.Errorf("a page runs %s, %v", body, err)
	}
}

// Only the worker may compile WebAssembly.
func TestOnlyTheWorkerMayCompile(t *testing.T) {
	assets, err := LoadAssets()
	if err != nil {
		t.Fatal(err)
	}
	for name := range assets.Hashed {
		policy := served(t, name, "br").Header().Get("Content-Security-Policy")
		if strings.Contains(policy, "wasm-unsafe-eval") != (name == LocalWorker) || strings.Contains(policy, "'unsafe-eval'") {
			t.Errorf("%s: %q", name, policy)
		}
	}
}
