package search_test

import (
	"context"
	"testing"

	"mancala/engine"
	"mancala/engine/search"
)

// TestOwareEndingsAreSolvedWithAPlayableLine solves Oware positions in which play
// could go on for ever.
func TestOwareEndingsAreSolvedWithAPlayableLine(t *testing.T) {
	for _, tt := range []struct {
		rules, from string
		want        float64
	}{
		{"oware", "2,0,0,0,0,3/1,1,1,0,0,0 20/20 S play 0 50", 8}, // a grand slam: RULES.md §8.6, example 2
		{"oware", "1,0,0,1,0,2/2,1,0,0,0,1 20/20 S play 0 80", 4},
	} {
		g := game(t, tt.rules)
		p := position(t, g, tt.from)
		a := search.New(g, 64<<20).Search(context.Background(), p, nil, search.Limits{})
		if !a.Exact || a.Value != tt.want {
			t.Errorf("%s: %v: got %+v, want exactly %v", tt.rules, p, a, tt.want)
		}
		for _, m := range a.Line {
			if err := g.Play(&p, nil, m, nil); err != nil {
				t.Fatalf("%s: the line %v: %v", tt.rules, a.Line, err)
			}
		}
	}
}

// TestNoProgressEndsTheGameBeforeTheLastSeedIsWon has a position where, after a pass
// and a sowing, the last seed could not be fed back and would be North's. But
// no_progress ends the game before.
func TestNoProgressEndsTheGameBeforeTheLastSeedIsWon(t *testing.T) {
	g := game(t, "oware pits=2 seeds=2 stuck=pass repetition=2 no_progress=10 cycle_remaining=split")
	for clock, want := range map[string]float64{"7": -2, "8": -3} {
		p := position(t, g, "0,1/0,0 3/0 N play "+clock+" 11")
		a := search.New(g, 1<<20).Search(context.Background(), p, nil, search.Limits{Nodes: 10_000})
		if !a.Exact || a.Value != want {
			t.Errorf("after %s quiet plies: got %+v, want exactly %v", clock, a, want)
		}
	}
}

// TestCycleIsCutWhenThePositionComesBack has two seeds that go round for ever, and no
// side can win the other's. The search must see this when both are back, long before
// no_progress ends the game. end=majority keeps the endgame database out of it.
func TestCycleIsCutWhenThePositionComesBack(t *testing.T) {
	g := game(t, "oware pits=3 seeds=2 end=majority repetition=3 no_progress=1000")
	p := position(t, g, "1,0,0/1,0,0 5/5 S play 0 40")
	a := search.New(g, 1<<20).Search(context.Background(), p, nil, search.Limits{Nodes: 100_000})
	if !a.Exact || a.Value != 0 || a.Depth > 20 {
		t.Errorf("got %+v, want exactly 0, seen when the seeds are back", a)
	}
}

// TestValueStaysTheSameWhileACycleIsPlayedOut plays until the rules end the game.
func TestValueStaysTheSameWhileACycleIsPlayedOut(t *testing.T) {
	g := game(t, "oware pits=3 seeds=2 end=majority repetition=3 no_progress=1000")
	p, h := position(t, g, "1,0,0/1,0,0 5/5 S play 0 40"), &engine.History{}
	for p.Phase == engine.Play && h.Len() < 100 {
		a := search.New(g, 1<<20).Search(context.Background(), p, h, search.Limits{Nodes: 10_000})
		if a.Stop != search.Solved || a.Value != 0 {
			t.Fatalf("%v: got %+v, want 0, and nothing more to find", p, a)
		}
		if err := g.Play(&p, h, a.Line[0], nil); err != nil {
			t.Fatal(err)
		}
	}
	if p.Phase != engine.Over {
		t.Errorf("%v: the seeds go round for ever", p)
	}
}
