package engine

import (
	"slices"
	"testing"
)

func TestRulesAreRecentByWhatTheyNeedAndNotByTheirName(t *testing.T) {
	recent := []string{"toguz-kumalak", "bestemshe", "mangala", "pallanguzhi", "songo", "hus", "omweso", "bao-kujifunza", "bao"}
	for _, row := range Systems {
		rules, _ := System(row.Name)
		if got := rules.Recent(); got != slices.Contains(recent, row.Name) {
			t.Errorf("%s: recent is %v", row.Name, got)
		}
	}
	for _, change := range []string{"keep_first=true", "relay=next", "capture=gap", "remaining=rival", "sow_counts=4", "claim=3"} {
		if rules, err := Default().With(change); err != nil || !rules.Recent() {
			t.Errorf("%s: %v, recent is %v", change, err, rules.Recent())
		}
	}
}
