package learn

import (
	"slices"
	"strings"
	"testing"

	"mancala/engine"
	"mancala/web/messages"
)

func TestEverySystemHasItsBackgroundInEveryLanguage(t *testing.T) {
	spoken, err := messages.LoadLanguages()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range engine.Systems {
		b := BackgroundOf(row.Name)
		if len(b.Sources) == 0 || slices.ContainsFunc(b.Sources, func(s Source) bool { return s.Title == "" }) {
			t.Errorf("%s: the sources are %v", row.Name, b.Sources)
		}
		for _, c := range spoken.Catalogs {
			for _, kind := range []string{"origin", "since", "differs"} {
				key := "learn." + kind + "." + row.Name
				if text := c.T(key); text == key || !strings.HasSuffix(text, ".") {
					t.Errorf("%s in %s: %s is %q", row.Name, c.Lang, kind, text)
				}
			}
		}
	}
	if len(backgrounds) != len(engine.Systems) {
		t.Errorf("%d backgrounds of %d systems", len(backgrounds), len(engine.Systems))
	}
}

// Each option that the text about the difference names has another value in the other game. A text that names all
// of them is followed by the sentence that everything else is the same.
func TestDifferencesFromTheNeighbourAreThoseOfTheRules(t *testing.T) {
	// Of these games the text about the difference names every option.
	all := map[string]bool{
		"kalah": true, "pressman": true, "pressman-beginner": true, "clockwise": true, "basic": true,
		"basic-first-out": true, "basic-teams": true, "basic-four": true, "avalanche": true, "congkak": true,
		"sungka": true, "bao-kujifunza": true,
	}
	for _, row := range engine.Systems {
		b := BackgroundOf(row.Name)
		rules, _ := engine.System(row.Name)
		neighbour, ok := engine.System(b.Neighbour)
		if !ok || b.Neighbour == row.Name {
			t.Errorf("%s: the neighbour is %q", row.Name, b.Neighbour)
			continue
		}
		var differ []string
		for _, d := range engine.Differences(rules, neighbour) {
			differ = append(differ, d.Option.Name)
		}
		for _, option := range b.differs {
			if !slices.Contains(differ, option) {
				t.Errorf("%s has the same %s as %s", row.Name, option, b.Neighbour)
			}
		}
		if got := b.Only(rules); got != all[row.Name] {
			t.Errorf("%s names the options %v of %v: its value in the map all of this test must be %v", row.Name, b.differs, differ, got)
		}
	}
}
