package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// layers are the folders of the module. A folder may import itself and the folders after
// it.
var layers = []string{"cmd", "web", "lobby", "match", "engine"}

// TestPackagesImportOnlyWhatTheirLayerAllows reads every import in the module, also in tests.
func TestPackagesImportOnlyWhatTheirLayerAllows(t *testing.T) {
	out, err := exec.Command("go", "list", "-e", "-f",
		`{{.ImportPath}} {{join .Imports " "}} {{join .TestImports " "}} {{join .XTestImports " "}}`, "mancala/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		from := layer(words[0])
		if from < 0 {
			t.Errorf("package %s is in none of the folders %v", words[0], layers)
		}
		for _, imported := range words[1:] {
			if to := layer(imported); to >= 0 && to < from {
				t.Errorf("%s imports %s: arrows point from %s", words[0], imported, strings.Join(layers, " to "))
			}
		}
	}
}

// TestWebKnowsNoStorage checks that web does not import the journals: match stores rooms,
// and cmd chooses the journal.
func TestWebKnowsNoStorage(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "mancala/web/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		for _, imported := range words[1:] {
			if strings.HasPrefix(imported, "mancala/match/journal") {
				t.Errorf("%s imports %s", words[0], imported)
			}
		}
	}
}

// TestPartsOfWebKnowOnlyWhatIsBelowThem checks that pages, API and sockets do not know each other, and that
// what all three share knows none of them.
func TestPartsOfWebKnowOnlyWhatIsBelowThem(t *testing.T) {
	parts := map[string][]string{ // each with the parts that it must not know
		"mancala/web/site":  {"mancala/web/live", "mancala/web/pages", "mancala/web/api", "mancala/web"},
		"mancala/web/live":  {"mancala/web/pages", "mancala/web/api", "mancala/web"},
		"mancala/web/pages": {"mancala/web/live", "mancala/web/api", "mancala/web"},
		"mancala/web/api":   {"mancala/web/live", "mancala/web/pages", "mancala/web"},
	}
	for part, unknown := range parts {
		out, err := exec.Command("go", "list", "-deps", part).Output()
		if err != nil {
			t.Fatal(err)
		}
		known := strings.Fields(string(out))
		for _, other := range unknown {
			if slices.Contains(known, other) {
				t.Errorf("%s knows %s", part, other)
			}
		}
	}
}

func TestServerHasNothingThatMeasuresOrTests(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "mancala/cmd/mancala").Output()
	if err != nil {
		t.Fatal(err)
	}
	for path := range strings.Lines(string(out)) {
		path = strings.TrimSpace(path)
		switch {
		case path == "mancala/cmd/mancala", path == "mancala/cmd/internal/cli":
		case layer(path) == slices.Index(layers, "cmd"), path == "mancala/match/testenv", path == "testing",
			strings.HasPrefix(path, "mancala/") && strings.HasSuffix(path, "test"):
			t.Errorf("the server's program has %s", path)
		}
	}
}

// layer returns the index of a package's folder in layers, or -1.
func layer(path string) int {
	inside, ok := strings.CutPrefix(path, "mancala/")
	if !ok {
		return -1
	}
	folder, _, _ := strings.Cut(inside, "/")
	return slices.Index(layers, folder)
}
