package main

import (
	"context"
	"flag"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mancala/match/journal/sqljournal"
)

func TestReadmeNamesFlagsAndFilesThatExist(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var f serveFlags
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	f.register(fs)
	for _, line := range regexp.MustCompile(`(?m)^    mancala (--.*)`).FindAllStringSubmatch(string(text), -1) {
		if err := fs.Parse(strings.Fields(line[1])); err != nil {
			t.Error(err)
		}
	}
	paths := regexp.MustCompile("[ (`|](deploy/[\\w./-]+)|\\]\\(([\\w./-]+)\\)").FindAllStringSubmatch(string(text), -1)
	for _, m := range paths {
		if _, err := os.Stat("../../" + m[1] + m[2]); err != nil {
			t.Error(err)
		}
	}
	if len(paths) < 10 {
		t.Errorf("found only %d paths", len(paths))
	}
}

// ignored returns the patterns of a file such as .gitignore, without comments.
func ignored(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(strings.Fields(string(text)), func(line string) bool { return strings.HasPrefix(line, "#") })
}

// The first command of the README writes into the top folder of a clone. "git add" must not pick that up.
func TestFilesOfAServerAreIgnoredByGit(t *testing.T) {
	folder := t.TempDir()
	db, err := sqljournal.Open(context.Background(), sqljournal.Options{Path: filepath.Join(folder, defaultDatabase)})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var f serveFlags
	f.register(flag.NewFlagSet("serve", flag.ContinueOnError))
	names := []string{"/" + f.certCache + "/"}
	for _, file := range files {
		names = append(names, file.Name())
	}
	if len(names) < 4 {
		t.Errorf("found only %q", names)
	}
	patterns := ignored(t, ".gitignore")
	for _, name := range names {
		if !slices.ContainsFunc(patterns, func(pattern string) bool { ok, _ := path.Match(pattern, name); return ok }) {
			t.Errorf(".gitignore does not have %s", name)
		}
	}
}
