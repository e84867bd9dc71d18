package pages

import (
	"slices"
	"testing"

	"mancala/engine"
)

// /learn shows every system in exactly one family.
func TestEverySystemIsInOneFamily(t *testing.T) {
	var shown, all []string
	for _, f := range families {
		shown = append(shown, f.systems...)
	}
	for _, row := range engine.Systems {
		all = append(all, row.Name)
	}
	slices.Sort(shown)
	slices.Sort(all)
	if !slices.Equal(shown, all) {
		t.Errorf("/learn shows %v, there are %v", shown, all)
	}
}
