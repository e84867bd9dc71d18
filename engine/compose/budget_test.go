package compose

import (
	"testing"

	"mancala/engine"
)

// Games by the same rules never part, so the search spends all that it may.
func TestSearchForAPartingSpendsAsManyEventsWhateverTheGame(t *testing.T) {
	for _, rules := range []string{"kalah", "oware", "bao", "omweso", "giuthi"} {
		g := engine.MustCompile(rules)
		s := &search{a: g, b: g, order: 5_000, random: 20_000}
		if found, ok := s.part(); ok {
			t.Fatalf("%s parts from itself in %s", rules, found.Before)
		}
		if all := s.order + s.random; s.spent < all || s.spent > all*3/2 {
			t.Errorf("%s: %d events were spent of %d", rules, s.spent, all)
		}
	}
}

func TestSearchForTheNearestRulesTriesNoMoreRuleSetsThanAreLeft(t *testing.T) {
	r, err := engine.ParseRules("kalah")
	if err != nil {
		t.Fatal(err)
	}
	r, ok := with(r, "rows", "2")
	if !ok || Conflict(r) == nil {
		t.Fatal("Kalah with two rows has no conflict")
	}
	for _, few := range []int{0, 1} {
		left := few
		if _, ok := mend(r, []string{"rows"}, maxChanges, &left); ok || left != 0 {
			t.Errorf("of %d tries %d are left, found: %v", few, left, ok)
		}
		left = few
		if _, ok := beginWith("bao", r, []string{"rows"}, &left); few == 0 && ok || left < 0 {
			t.Errorf("of %d tries %d are left, found: %v", few, left, ok)
		}
	}
}

// All sowings of this board would go on for ever. The engine makes a thousand laps of each before it ends the
// game, and the trace of the move shows none of them.
func TestSearchForAPartingCountsTheLapsOfSowingsThatNeverEnd(t *testing.T) {
	g := engine.MustCompile("basic pits=3 seeds=0 opening=free total=24 swap=loses-first store=false " +
		"relay=reverse again=home stuck=pass keep_first=true")
	s := &search{a: g, b: g}
	p := g.Start()
	for _, move := range []string{"=6.2.5/4.4.3", "swap"} {
		m, ok := engine.ParseMove(move)
		if !ok {
			t.Fatalf("%s is not a move", move)
		}
		if err := s.play(g, &p, nil, m); err != nil {
			t.Fatalf("%s: %v", move, err)
		}
	}
	if p.End != engine.EndAllStuck || len(s.trace.Events) > 20 || s.spent < stuck {
		t.Errorf("the game ended by %q; %d events were counted, the last move has %d", p.End, s.spent, len(s.trace.Events))
	}
}
