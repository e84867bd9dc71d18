package web

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// sources returns the texts of the browser's modules, the style sheets and the
// templates of pages.
func sources(t *testing.T, patterns ...string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range patterns {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(names), err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			texts[name] = string(text)
		}
	}
	return texts
}

// rowsOf returns the first column of the table in a README of web/static.
func rowsOf(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllSubmatch(text, -1) {
		rows = append(rows, string(row[1]))
	}
	return rows
}

func TestModulesImportFromTheirOwnFolderAndThoseAboveInTheTable(t *testing.T) {
	folders := rowsOf(t, "static/README.md")
	imports := regexp.MustCompile(`(?:\bfrom |\bimport |import\()"(\.[^"]+)"`)
	found := 0
	for name, text := range sources(t, "static/*/*.js", "static/*/*.css") {
		if strings.HasSuffix(name, ".test.js") {
			continue
		}
		own := slices.Index(folders, path.Base(path.Dir(name)))
		if own < 0 {
			t.Errorf("%s: static/README.md does not name its folder", name)
		}
		for _, to := range imports.FindAllStringSubmatch(text, -1) {
			found++
			if folder := path.Base(path.Dir(path.Join(path.Dir(name), to[1]))); slices.Index(folders, folder) > own {
				t.Errorf("%s imports %s: %s is below in the table of static/README.md", name, to[1], folder)
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d imports were found", found)
	}
}

func TestEachFolderListsItsFiles(t *testing.T) {
	listed := map[string][]string{}
	for name := range sources(t, "static/*/*.js", "static/*/*.css") {
		folder, file := path.Dir(name), path.Base(name)
		if listed[folder] == nil {
			listed[folder] = rowsOf(t, folder+"/README.md")
		}
		if !strings.HasSuffix(name, ".test.js") && !slices.Contains(listed[folder], file) {
			t.Errorf("the README of %s does not say what %s holds", folder, file)
		}
	}
	for folder, files := range listed {
		for _, file := range files {
			if _, err := os.Stat(path.Join(folder, file)); err != nil {
				t.Errorf("the README of %s: %v", folder, err)
			}
		}
	}
}

func TestSourcesAreReadWithoutScrollingSideways(t *testing.T) {
	const lines, columns = 300, 120
	for name, text := range sources(t, "static/*/*.js", "static/*/*.css", "pages/page/*.html", "../cmd/mancala/e2e/testdata/*.js") {
		if n := strings.Count(text, "\n"); n > lines {
			t.Errorf("%s has %d lines, more than %d", name, n, lines)
		}
		for i, line := range strings.Split(text, "\n") {
			if n := utf8.RuneCountInString(line); n > columns {
				t.Errorf("%s:%d has %d columns, more than %d", name, i+1, n, columns)
			}
		}
	}
}

// A style of an element that contains the board, or of a part of the board, that depends on
// content made Chromium check 130 elements for each seed that falls.
func TestNoStyleAroundABoardDependsOnItsContent(t *testing.T) {
	has := regexp.MustCompile(`([^\s>+~,{}]*):has\(`)
	around := regexp.MustCompile(`^(html|body|main|button|mancala-board|\.game|\.table|\.row|\.cell|\.store|\.bowl|\.seeds)\b|^$`)
	found := 0
	for name, text := range sources(t, "static/board/*.css", "static/table/*.css", "static/game/*.css") {
		for _, match := range has.FindAllStringSubmatch(text, -1) {
			found++
			if around.MatchString(match[1]) {
				t.Errorf("%s: %s", name, match[0])
			}
		}
	}
	if found < 10 {
		t.Errorf("%d styles depend on content; the pattern no longer finds them", found)
	}
}
