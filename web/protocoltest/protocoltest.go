// Package protocoltest reads PROTOCOL.md for the tests that compare the code
// with it.
package protocoltest

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Section is the description of a message in PROTOCOL.md, or of an object
// within messages.
type Section struct {
	Fields   []string // the first column of its table of fields
	Examples []map[string]any
}

// Document returns the text of PROTOCOL.md at path.
func Document(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Sections returns the sections of PROTOCOL.md. The key of a message is its
// chapter and heading ("Games: server messages/note presence"). The key of an
// object is its heading ("Object: seek").
func Sections(t testing.TB, path string) map[string]*Section {
	t.Helper()
	found := map[string]*Section{}
	var chapter string
	var at *Section
	var inTable, inExample bool
	row := regexp.MustCompile("^\\| `(\\w+)` \\|")
	for line := range strings.Lines(Document(t, path)) {
		line = strings.TrimSuffix(line, "\n")
		name := strings.ReplaceAll(strings.TrimLeft(line, "# "), "`", "")
		switch {
		case inExample && line == "```":
			inExample = false
		case inExample:
			var m map[string]any
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Fatalf("%v in %s", err, line)
			}
			at.Examples = append(at.Examples, m)
		case strings.HasPrefix(line, "```json "):
			inExample = true
		case strings.HasPrefix(line, "## "):
			chapter = name
		case strings.HasPrefix(line, "### "):
			at = new(Section)
			found[chapter+"/"+name] = at
		case strings.HasPrefix(line, "#### "):
			at = new(Section)
			found[name] = at
		case line == "| field | type | meaning |":
			inTable = true
		case inTable && row.MatchString(line):
			at.Fields = append(at.Fields, row.FindStringSubmatch(line)[1])
		case !strings.HasPrefix(line, "|---"):
			inTable = false
		}
	}
	return found
}

// CheckFields reports an error for each field of a frame that its section does
// not list.
func CheckFields(t testing.TB, all map[string]*Section, raw string) {
	t.Helper()
	var f struct {
		T, Room, Kind string
		Ev            struct{ Opened, Change map[string]any }
		Snap          struct{ Kind string }
	}
	var m map[string]any
	if err := json.Unmarshal([]byte(raw), &f); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	if err := json.Unmarshal([]byte(raw), &m); err != nil {
		t.Fatal(err)
	}
	chapter := map[string]string{"lobby": "Lobby", "people": "People"}[f.Room]
	if chapter == "" {
		chapter = "Games"
	}
	name, entry := strings.TrimSpace(f.T+" "+f.Kind), "Object: entry"
	switch {
	case f.Ev.Opened != nil:
		name, entry = "ev opened", "Object: opening"
	case f.Ev.Change != nil:
		chapter, entry = "Tournaments", "Object: entry of a tournament"
	case f.Snap.Kind == "tournament":
		chapter = "Tournaments"
	}
	var s *Section
	for _, chapter := range []string{chapter, "Tournaments", "All rooms"} {
		if s == nil {
			s = all[chapter+": server messages/"+name]
		}
	}
	if s == nil {
		t.Errorf("PROTOCOL.md does not describe %s", raw)
		return
	}
	within := func(object any, s *Section) {
		if fields, ok := object.(map[string]any); ok {
			for field := range fields {
				if !slices.Contains(s.Fields, field) {
					t.Errorf("PROTOCOL.md does not describe the field %q of %s", field, raw)
				}
			}
		}
	}
	within(m, s)
	within(m["ev"], all[entry])
	within(f.Ev.Change, all["Object: change"])
	within(m["you"], all["Object: you"])
	if you, ok := m["you"].(map[string]any); ok {
		for _, move := range you["legal"].([]any) {
			within(move, all["Object: legal move"])
		}
	}
}
