package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocumentNamesEveryPackage checks that the tables of packages in the document of the
// architecture have every package of the module in their first column, and no other.
func TestDocumentNamesEveryPackage(t *testing.T) {
	const file = "deploy/ARCHITECTURE.md"
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	_, layout, _ := strings.Cut(string(text), "\n## 2 ")
	layout, _, _ = strings.Cut(layout, "\n## 3 ")
	named := map[string]bool{}
	for line := range strings.Lines(layout) {
		first, _, _ := strings.Cut(strings.TrimPrefix(line, "|"), "|")
		if first == line { // no line of a table
			continue
		}
		for _, m := range regexp.MustCompile("`([\\w/-]+)`").FindAllStringSubmatch(first, -1) {
			named[m[1]] = true
		}
	}
	delete(named, "deploy") // a folder without Go code
	for path := range sizesOfPackages(t) {
		if !named[path] {
			t.Errorf("%s, section 2: no table names the package %s", file, path)
		}
		delete(named, path)
	}
	for path := range named {
		t.Errorf("%s, section 2: there is no package %s", file, path)
	}
}

// mostFiles is how many files a package may have, without its tests. A package with more is
// divided, so that a newcomer can read the list of its files.
const mostFiles = 40

func TestPackagesHaveFewFiles(t *testing.T) {
	for path, files := range sizesOfPackages(t) {
		if files > mostFiles {
			t.Errorf("package %s has %d files without its tests, want at most %d", path, files, mostFiles)
		}
	}
}

// sizesOfPackages returns the number of files without tests of each package of the module,
// by its folder. It counts the files for other systems as well.
func sizesOfPackages(t *testing.T) map[string]int {
	t.Helper()
	out, err := exec.Command("go", "list", "-f",
		`{{.ImportPath}} {{join .GoFiles " "}} {{join .IgnoredGoFiles " "}}`, "mancala/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[string]int{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		path := strings.TrimPrefix(words[0], "mancala/")
		sizes[path] = 0
		for _, name := range words[1:] {
			if !strings.HasSuffix(name, "_test.go") {
				sizes[path]++
			}
		}
	}
	return sizes
}
