package search_test

import (
	"context"
	"testing"

	"mancala/engine"
	"mancala/engine/search"
)

// TestLevelsPlayEveryGame lets each level make some moves of every system, twice: they
// are legal, and the same.
func TestLevelsPlayEveryGame(t *testing.T) {
	for _, row := range engine.Systems {
		g := game(t, row.Name)
		for i, level := range search.Levels[:6] {
			player, again := level.Player(g), level.Player(g)
			p, h := g.Start(), &engine.History{}
			for range 4 {
				m, _ := player.Move(context.Background(), p, h, 42)
				if n, _ := again.Move(context.Background(), p, h, 42); n != m {
					t.Errorf("%s, level %d: %v in %v, and then %v", row.Name, i+1, m, p, n)
				}
				if err := g.Play(&p, h, m, nil); err != nil {
					t.Fatalf("%s, level %d: %v", row.Name, i+1, err)
				}
				if p.Phase == engine.Over {
					break
				}
			}
		}
	}
}

// TestPipErrsLikePeople: a move that wins five seeds at once from a pit with one seed
// is seen, a lap right round the board mostly is not.
func TestPipErrsLikePeople(t *testing.T) {
	g := game(t, "kalah")
	short := position(t, g, "1,0,0,1,1,4/4,4,4,4,6,4 5/10 S play 0 20")  // a captures 7
	long := position(t, g, "13,0,1,0,2,0/3,1,0,2,1,4 10/11 S play 0 20") // a goes round and captures 6
	if n := plays(g, short, "a"); n < 80 {
		t.Errorf("sees a near capture %d times in 100", n)
	}
	if n := plays(g, long, "a"); n > 60 {
		t.Errorf("sees a far capture %d times in 100", n)
	}
}

// plays is how often of 100 the second level chooses a move.
func plays(g *engine.Game, p engine.Position, move string) (n int) {
	player := search.Levels[1].Player(g)
	for number := range uint64(100) {
		if m, _ := player.Move(context.Background(), p, nil, number); m.String() == move {
			n++
		}
	}
	return n
}

// TestDuel: who looks further wins, and a duel is the same when it is fought again.
func TestDuel(t *testing.T) {
	for _, rules := range []string{"kalah", "oware"} {
		g := game(t, rules)
		fight := func() search.Tally {
			d := search.Duel{Game: g, Openings: 5, Random: 4, Number: 1, Movers: [2]search.Mover{search.Levels[4].Player(g), search.Levels[0].Player(g)}}
			tally, err := d.Run(context.Background(), func(search.Tally) {})
			if err != nil {
				t.Fatal(err)
			}
			return tally
		}
		a, b := fight(), fight()
		if points, games := a.Score(); games != 10 || points < 8 {
			t.Errorf("%s: Sorrel gets %v of %d against Pip", rules, points, games)
		}
		if a.Nodes != b.Nodes || a.Won != b.Won {
			t.Errorf("%s: %+v, and again %+v", rules, a, b)
		}
	}
}
