package engine_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mancala/engine"
)

// document returns RULES.md.
func document(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("RULES.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// section returns the text of a numbered section of RULES.md.
func section(t *testing.T, number int) string {
	t.Helper()
	_, after, found := strings.Cut(document(t), fmt.Sprintf("\n## %d ", number))
	if !found {
		t.Fatalf("RULES.md has no section %d", number)
	}
	text, _, _ := strings.Cut(after, "\n## ")
	return text
}

// TestDocumentHasEveryOption compares the table of RULES.md §4 with the options: their
// groups, their order, their defaults and their values.
func TestDocumentHasEveryOption(t *testing.T) {
	rows := regexp.MustCompile("(?m)^\\| (\\w*) ?\\| `(\\w+)` \\| ([^|]+) \\| ([^|]+) \\|$").FindAllStringSubmatch(section(t, 4), -1)
	if len(rows) != len(engine.Options()) {
		t.Fatalf("RULES.md §4 has %d options, the engine has %d", len(rows), len(engine.Options()))
	}
	group := ""
	for i, o := range engine.Options() {
		if rows[i][1] != "" {
			group = rows[i][1]
		}
		name, values := rows[i][2], strings.FieldsFunc(rows[i][3], func(c rune) bool { return strings.ContainsRune(" ,;()", c) })
		if name != o.Name || group != o.Group {
			t.Errorf("row %d is option %s of group %s, want %s of %s", i+1, name, group, o.Name, o.Group)
			continue
		}
		if values[0] != o.Get(engine.Default()) {
			t.Errorf("option %s: the row begins with %s, the default is %s", name, values[0], o.Get(engine.Default()))
		}
		for _, v := range o.Values {
			if !slices.Contains(values, v) {
				t.Errorf("option %s: the row does not name the value %s", name, v)
			}
		}
	}
}

// TestDocumentHasEverySystem compares the table of RULES.md §5 with the systems, and looks
// for what RULES.md §8 says about each.
func TestDocumentHasEverySystem(t *testing.T) {
	rows := regexp.MustCompile("(?m)^\\| `([\\w-]+)` \\| ([^|]+) \\| `([^`]+)` \\|$").FindAllStringSubmatch(section(t, 5), -1)
	if len(rows) != len(engine.Systems) {
		t.Fatalf("RULES.md §5 has %d systems, the engine has %d", len(rows), len(engine.Systems))
	}
	about := section(t, 8) + section(t, 9)
	for i, s := range engine.Systems {
		name, source, text := rows[i][1], rows[i][2], rows[i][3]
		if name != s.Name || text != s.Text || !strings.HasSuffix(source, s.Source) {
			t.Errorf("row %d is\n%s (%s): %s, want\n%s (%s): %s", i+1, name, source, text, s.Name, s.Source, s.Text)
		}
		if !strings.Contains(about, "`"+s.Name+"`") {
			t.Errorf("RULES.md says nothing about %s beyond its row", s.Name)
		}
	}
}

// TestDocumentExamplesArePlayed looks for a row of the tests of examples for each numbered
// example of RULES.md §8 and RULES.md §9.
func TestDocumentExamplesArePlayed(t *testing.T) {
	tests, err := os.ReadFile("examples_test.go")
	if err != nil {
		t.Fatal(err)
	}
	heading, found := "", 0
	for line := range strings.Lines(document(t)) {
		if m := regexp.MustCompile(`^##+ ([\d.]+) `).FindStringSubmatch(line); m != nil {
			heading = m[1]
		}
		number := regexp.MustCompile(`^\d+`).FindString(line)
		if number == "" || !strings.HasPrefix(heading, "8.") && heading != "9" {
			continue
		}
		found++
		if example := heading + "." + number; !strings.Contains(string(tests), `{"`+example+" ") {
			t.Errorf("no test plays example %s", example)
		}
	}
	if found < 30 {
		t.Errorf("found only %d examples", found)
	}
}
