package main

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
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

// A newcomer looks for a file in the table of the package's comment. A file that is missing there is not found.
func TestTablesOfFilesNameEveryFile(t *testing.T) {
	packages := map[string][]string{} // the files of a folder
	comments := map[string]string{}   // of the package, by the folder
	commented := map[string]string{}  // the file that has it
	tree(t, func(file, text string) {
		if path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") || strings.Contains(file, "testdata/") {
			return
		}
		folder := path.Dir(file)
		packages[folder] = append(packages[folder], path.Base(file))
		if m := regexp.MustCompile(`(?m)^// Package (?:.*\n(?://.*\n)*)package `).FindString(text); m != "" {
			comments[folder], commented[folder] = m, path.Base(file)
		}
	})
	fileName, inTable := regexp.MustCompile(`\b\w+\.go\b`), regexp.MustCompile(`(?m)^//\t.*$`)
	tables := 0
	for folder, comment := range comments {
		if len(fileName.FindAllString(strings.Join(inTable.FindAllString(comment, -1), "\n"), -1)) < 5 {
			continue // no table of files
		}
		tables++
		named := fileName.FindAllString(comment, -1)
		for _, file := range packages[folder] {
			common := regexp.MustCompile(`_(linux|unix|windows|other|wasip1)\.go$`).ReplaceAllString(file, ".go")
			if file != commented[folder] && !slices.Contains(named, common) {
				t.Errorf("%s: the table of files in %s does not have it", path.Join(folder, file), commented[folder])
			}
		}
		for _, file := range named {
			if !slices.Contains(packages[folder], file) {
				t.Errorf("%s: the package's comment names %s, which is not there", folder, file)
			}
		}
	}
	if tables < 8 {
		t.Errorf("found only %d tables", tables)
	}
}
