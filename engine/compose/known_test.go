package compose

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"mancala/engine"
)

// The table of RULES.md §5 states each of the named house rules twice: as changes of a row, and as a whole.
func TestNamedHouseRulesAreThoseOfTheDocument(t *testing.T) {
	document, err := os.ReadFile("../RULES.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| ([^|]+) \\| `([^`|]+)` \\| `([^`|]*=[^`|]*)` \\| `([0-9a-f]{16})` \\|$").FindAllStringSubmatch(string(document), -1)
	if len(rows) != len(KnownRules) {
		t.Fatalf("RULES.md §5 has %d named house rules, there are %d", len(rows), len(KnownRules))
	}
	for i, k := range KnownRules {
		r := k.Rules()
		if title, text, whole, hash := rows[i][1], rows[i][2], rows[i][3], rows[i][4]; title != k.Title || text != k.Text() || whole != r.String() || hash != r.Hash() {
			t.Errorf("row %d is %s: %s = %s (%s), want %s: %s = %s (%s)", i+1, title, text, whole, hash, k.Title, k.Text(), r, r.Hash())
		}
	}
}

func TestNamedHouseRulesArePlayableAndHaveOneName(t *testing.T) {
	named := map[string]string{}
	for _, row := range engine.Systems {
		r, _ := engine.System(row.Name)
		named[r.Hash()] = row.Name
	}
	for _, k := range KnownRules {
		base, ok := engine.System(k.System)
		if !ok {
			t.Errorf("%s changes the system %s, which does not exist", k.Name, k.System)
			continue
		}
		r := k.Rules()
		if _, err := engine.Compile(r); err != nil || Conflict(r) != nil {
			t.Errorf("%s cannot be played: %v", k.Name, err)
		}
		if changes := strings.Join(r.Changes(base), " "); changes != k.Options {
			t.Errorf("%s has the options %q, in canonical form they are %q", k.Name, k.Options, changes)
		}
		if other := named[r.Hash()]; other != "" && (k.Options != "" || other != k.System) {
			t.Errorf("%s are the rules of %s", k.Name, other)
		}
		named[r.Hash()] = k.Name
		if found, ok := KnownAs(r); !ok || found != k {
			t.Errorf("the rules of %s are known as %q", k.Name, found.Name)
		}
		for _, row := range engine.Systems {
			if near, _ := engine.System(row.Name); len(r.Changes(near)) < len(r.Changes(base)) {
				t.Errorf("%s is nearer to %s than to %s", k.Name, row.Name, k.System)
			}
		}
	}
}
