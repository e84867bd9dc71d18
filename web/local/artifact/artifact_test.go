package artifact

import (
	"bytes"
	"compress/gzip"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

var update = flag.Bool("update", false, "build the artifact, and write it and sources.txt")

const (
	program = "mancala/web/local/wasm"
	stored  = "local.wasm.br"
	listed  = "sources.txt"
	remedy  = "run `go generate ./web/local/artifact` and commit what it writes"
)

// flags are how the module is built. The same sources and the same Go give the same bytes on
// every machine.
var flags = []string{"-buildmode=c-shared", "-trimpath", "-buildvcs=false", "-pgo=off", "-ldflags=-s -w"}

// forBrowsers returns a command of the go tool that compiles for browsers. No setting of the
// machine has an effect on it.
func forBrowsers(args ...string) *exec.Cmd {
	c := exec.Command("go", args...)
	c.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOWASM=", "GOFLAGS=", "GOEXPERIMENT=", "GODEBUG=", "CGO_ENABLED=0")
	return c
}

// build compiles the module.
func build(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "local.wasm")
	args := append([]string{"build", "-o", path}, flags...)
	if out, err := forBrowsers(append(args, program)...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	module, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return module
}

// compressed takes some ten seconds, and gives the fewest bytes.
func compressed(t *testing.T, module []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
	if _, err := w.Write(module); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The artifact is as new as the code of the repository. A comment does not make it stale.
// Where the sources and Go are exactly those of the last build, building again gives the
// same bytes: so the artifact holds what the sources say, and nothing else.
func TestArtifactIsBuiltOfTheseSources(t *testing.T) {
	now, module := inputs(t), build(t)
	if *update {
		br := compressed(t, module)
		now = append(now, line{"artifact", digest(br)})
		for name, body := range map[string][]byte{stored: br, listed: []byte(format(now))} {
			if err := os.WriteFile(name, body, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	text, err := os.ReadFile(listed)
	if err != nil {
		t.Fatal(err)
	}
	now = append(now, line{"artifact", digest(Brotli)})
	same, changed := compare(parse(string(text)), now)
	if len(changed) > 0 {
		t.Fatalf("the artifact was built of other sources (%s): %s", strings.Join(changed, ", "), remedy)
	}
	was, err := Module()
	if err != nil {
		t.Fatal(err)
	}
	if same && !bytes.Equal(was, module) {
		t.Errorf("the artifact has %d bytes, and another build of the same sources has %d others: %s", len(was), len(module), remedy)
	}
}

// A browser loads the module when a game without a network is asked for. Every browser that can keep it
// has a secure connection, and so takes Brotli. The length with gzip is for the others.
func TestArtifactIsSmall(t *testing.T) {
	const most = 1_500_000
	module, err := Module()
	if err != nil {
		t.Fatal(err)
	}
	var gz bytes.Buffer
	w, err := gzip.NewWriterLevel(&gz, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(module); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes: %d with gzip, %d with Brotli", len(module), gz.Len(), len(Brotli))
	if len(Brotli) > most {
		t.Errorf("%d bytes with Brotli, %d allowed", len(Brotli), most)
	}
}
