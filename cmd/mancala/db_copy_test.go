package main

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mancala/lobby/lobbytest"
)

// TestCopyKnowsTheTablesOfEveryPackage: a copy into PostgreSQL fails at a table that only a server makes.
func TestCopyKnowsTheTablesOfEveryPackage(t *testing.T) {
	db := lobbytest.SQLite(t)
	if err := updateTables(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	made, err := tablesOf(t.Context(), db.Reader())
	if err != nil {
		t.Fatal(err)
	}
	source := os.DirFS("../../lobby")
	create := regexp.MustCompile(`CREATE TABLE (?:IF NOT EXISTS )?([a-z_]+) \(`)
	found := 0
	err = fs.WalkDir(source, ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(source, path)
		for _, name := range create.FindAllSubmatch(text, -1) {
			found++
			if !slices.ContainsFunc(made, func(m table) bool { return m.name == string(name[1]) }) {
				t.Errorf("%s: the table %s is not made for a copy", path, name[1])
			}
		}
		return err
	})
	if err != nil || found == 0 {
		t.Errorf("%d tables, %v", found, err)
	}
}
