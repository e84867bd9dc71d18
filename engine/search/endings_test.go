package search_test

import (
	"context"
	"testing"

	"mancala/engine/search"
)

// TestOwareEndings solves Oware positions, in which play may go round for ever, and
// plays the line that it is told.
func TestOwareEndings(t *testing.T) {
	for _, tt := range []struct {
		rules, from string
		want        float64
	}{
		{"oware", "2,0,0,0,0,3/1,1,1,0,0,0 20/20 S play 0 50", 8}, // a grand slam: §8.6, example 2
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
