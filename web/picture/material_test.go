package picture

import (
	"testing"

	"mancala/engine"
)

func TestShapeAndOptionsDecideWhatABoardIsMadeOf(t *testing.T) {
	for text, want := range map[string]Material{
		"store=true capture=cross again=store end=side-empty": Maple,
		"skip_origin=true capture=count counts=2,3 feed=must": Boat,
		"rows=2 pits=8 store=true":                            Sand,
		"rows=2 pits=8 direction=choice":                      Plank,
		"sides=4 store=true":                                  Clay,
		"seeds=0 opening=free total=72":                       Stone,
		"seeds=0 opening=paired total=72 store=true":          Stone,
	} {
		rules, err := engine.ParseRules(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got := MadeOf(rules); got != want {
			t.Errorf("%s: a board of %s, want %s", text, got, want)
		}
	}
	for name, want := range map[string]Material{"hus": Sand, "maruba": Sand, "omweso": Plank, "bao": Plank, "wise": Stone} {
		rules, ok := engine.System(name)
		if got := MadeOf(rules); !ok || got != want {
			t.Errorf("%s: a board of %s, want %s", name, got, want)
		}
	}
}
