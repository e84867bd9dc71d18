package learn

import (
	"testing"

	"mancala/engine"
)

func TestEverySystemOfTwoSidesSaysWhatTheFirstMoveIsWorth(t *testing.T) {
	for _, row := range engine.Systems {
		rules, _ := engine.System(row.Name)
		percent, ok := FirstMoves[row.Name]
		if two := rules.Sides == 2; ok != two || two && (percent < 1 || percent > 100) {
			t.Errorf("%s: %d %%, measured: %v", row.Name, percent, ok)
		}
	}
}
