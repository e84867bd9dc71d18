package search_test

import (
	"slices"
	"testing"

	"mancala/engine"
	"mancala/engine/search"
)

// A weight counts only where the options imply what it weighs.
func TestWeightsAreThoseThatTheOptionsImply(t *testing.T) {
	for rules, want := range map[string][]string{
		"kalah": {"own"}, "toguz-kumalak": {"own", "claim"}, "maruba": {"own"}, "songo": {"own"},
		"hus": {"own", "exposed", "inner"}, "omweso": {"own", "exposed", "inner"},
		"bao-kujifunza": {"own", "exposed", "inner"}, "bao": {"own", "exposed", "inner", "hand"},
	} {
		r := game(t, rules).Rules()
		var got []string
		w := search.WeightsOf(r)
		for _, f := range w.Features(r) {
			got = append(got, f.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", rules, got, want)
		}
	}
}

// TestEvaluationSeesWhatDecidesGamesOnOwnTracks looks at each feature alone: its worth in sixteenths of a seed for
// South.
func TestEvaluationSeesWhatDecidesGamesOnOwnTracks(t *testing.T) {
	const (
		hus  = "0,3,0,0,0,0,2,4,1,0,2,0,0,0,0,0/9,9,9,9,9,0,0,0,0,0,0,0,0,0,0,0 0/0 S play 0 0"
		full = "0,3,0,0,0,4,2,4,1,3,2,0,0,0,0,0/9,9,9,9,9,0,0,0,0,0,0,0,0,0,0,0 0/0 S play 0 0"
		bao  = "0,0,0,0,0,0,0,0,0,2,3,6h,1,0,0,0/0,0,0,0,0,0,0,0,0,0,0,6h,0,0,0,0 20/26 S play 0 0"
	)
	for _, tt := range []struct {
		name, rules, position string
		weights               search.Weights
		want                  int32
	}{
		{"a seed on the own side", "hus", hus, search.Weights{Own: 8}, 8 * (12 - 45)},
		{"exposed with the outer pit", "hus", hus, search.Weights{Exposed: -1}, -((1 + 4) + (2 + 0))},
		{"exposed if both hold seeds", "omweso", full, search.Weights{Exposed: -1}, -((1 + 4) + (3 + 2) + (2 + 4))},
		{"exposed without the outer pit", "bao", bao, search.Weights{Exposed: -1}, -((2 + 3 + 6 + 1) - 6)},
		{"an inner pit of two or more", "hus", hus, search.Weights{Inner: 3}, 3},
		{"inner pits of both sides", "bao", bao, search.Weights{Inner: 3}, 3 * (3 - 1)},
		{"seeds in hand", "bao", bao, search.Weights{Hand: 2}, 2 * (20 - 26)},
	} {
		g := game(t, tt.rules)
		p := position(t, g, tt.position)
		if got := search.Evaluate(g, tt.weights, p, 0); got != tt.want {
			t.Errorf("%s, %s: %d, want %d", tt.rules, tt.name, got, tt.want)
		}
		if got := search.Evaluate(g, tt.weights, p, 1); got != -tt.want {
			t.Errorf("%s, %s: %d for North, want %d", tt.rules, tt.name, got, -tt.want)
		}
	}
}

// TestMovesThatBringSeedsHomeAreTriedFirst: where captured seeds stay on the board, they are no points.
func TestMovesThatBringSeedsHomeAreTriedFirst(t *testing.T) {
	for rules, text := range map[string]string{
		"hus":    "0,3,0,3,3,0,3,3,0,3,3,0,1,1,1,0/2,2,2,2,2,2,2,2,2,2,2,2,0,0,0,0 0/0 N play 1 1",
		"omweso": "0,5,1,6,0,6,1,6,2,2,0,2,1,0,0,0/4,4,4,0,5,5,5,0,1,1,1,1,1,0,0,0 0/0 N play 3 3",
	} {
		g := game(t, rules)
		p := position(t, g, text)
		side := func(p engine.Position) (n int) {
			for i := range int(p.Shape.Pits) {
				n += int(p.Slots[p.Shape.Slot(1, i)])
			}
			return n
		}
		last := 1000
		for _, m := range search.Ordered(g, p) {
			q := p
			if err := g.Play(&q, nil, m, nil); err != nil {
				t.Fatal(err)
			}
			if got := side(q); got > last {
				t.Errorf("%s: %v brings %d seeds, and the move before it %d", rules, m, got, last)
			} else {
				last = got
			}
		}
	}
}

// A duel between equals may not be called decided, and one that a side wins every time must be.
func TestSequentialVerdictFollowsTheGames(t *testing.T) {
	g := game(t, "kalah")
	duel := func(a, b int, openings int) search.Tally {
		d := search.Duel{Game: g, Openings: openings, Random: 6, Within: 3, Number: 1, Sequential: true,
			Movers: [2]search.Mover{search.Levels[a].Player(g), search.Levels[b].Player(g)}}
		tally, err := d.Run(t.Context(), func(search.Tally) {})
		if err != nil {
			t.Fatal(err)
		}
		return tally
	}
	if tally := duel(4, 0, 40); tally.Verdict() != 1 {
		t.Errorf("level 5 against level 1: %d after %+v", tally.Verdict(), tally)
	} else if _, games := tally.Score(); games == 80 {
		t.Error("a clear duel was played to its end")
	}
	if tally := duel(0, 4, 40); tally.Verdict() != -1 {
		t.Errorf("level 1 against level 5: %d after %+v", tally.Verdict(), tally)
	}
	if tally := duel(1, 1, 12); tally.Verdict() == 1 {
		t.Errorf("a level is better than itself: %+v", tally)
	}
}
