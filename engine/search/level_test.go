package search_test

import (
	"cmp"
	"context"
	"os"
	"testing"

	"mancala/engine"
	"mancala/engine/search"
)

// TestLevelsMakeTheSameLegalMoveTwice lets each level make some moves of every
// system, twice.
func TestLevelsMakeTheSameLegalMoveTwice(t *testing.T) {
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

// TestWeakLevelSeesNearCapturesAndOverlooksFarOnes has a capture from a pit with one
// seed, and one by a lap round the whole board.
func TestWeakLevelSeesNearCapturesAndOverlooksFarOnes(t *testing.T) {
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

// plays returns how many times in 100 the second level chooses a move.
func plays(g *engine.Game, p engine.Position, move string) (n int) {
	player := search.Levels[1].Player(g)
	for number := range uint64(100) {
		if m, _ := player.Move(context.Background(), p, nil, number); m.String() == move {
			n++
		}
	}
	return n
}

// TestStrongerLevelBeatsTheNextWeakerOne lets each level play the next one. The
// openings and numbers are always the same, and budgets are in nodes, so the score is
// the same too. With MANCALA_TEST_LONG six levels play in all systems. Games of
// levels 7 and 8 take too long for the race detector: deploy/test.sh --long lets them
// duel.
func TestStrongerLevelBeatsTheNextWeakerOne(t *testing.T) {
	const enough = 60 // enough openings to distinguish levels
	systems, most, openings := []string{"kalah", "oware", "basic-four"}, 4, enough
	if os.Getenv("MANCALA_TEST_LONG") != "" {
		systems, most, openings = nil, 6, 30
		for _, row := range engine.Systems {
			systems = append(systems, row.Name)
		}
	}
	for _, rules := range systems {
		g := game(t, rules)
		for weaker := range most - 1 {
			stronger, n := weaker+1, openings
			if g.Shape().Sides == 4 {
				n *= 2 // with four sides the result is more random
			}
			d := search.Duel{Game: g, Openings: n, Random: 6, Within: 3, Number: 1,
				Movers: [2]search.Mover{search.Levels[stronger].Player(g), search.Levels[weaker].Player(g)}}
			tally, err := d.Run(context.Background(), func(search.Tally) {})
			if err != nil {
				t.Fatal(err)
			}
			points, games := tally.Score()
			t.Logf("%s: %s gets %.3f ± %.3f against %s", rules, search.Levels[stronger].Name, points/float64(games), tally.Interval(), search.Levels[weaker].Name)
			share, clear := points/float64(games), openings == enough // with fewer games the interval is too wide
			if share <= 0.5 || clear && share-tally.Interval() <= 0.5 {
				t.Errorf("%s: level %d gets %v of %d against level %d", rules, stronger+1, points, games, weaker+1)
			}
		}
	}
}

// TestStrongestLevelUsesItsBudgetInEachKindOfGame makes one move at full strength.
func TestStrongestLevelUsesItsBudgetInEachKindOfGame(t *testing.T) {
	for _, rules := range []string{"kalah", "oware", "basic-four"} {
		g := game(t, rules)
		p := g.Start()
		m, a := search.Levels[7].Player(g).Move(context.Background(), p, nil, 1)
		if err := g.Play(&p, nil, m, nil); err != nil || a.Nodes < 1_000_000 || a.Depth < 6 {
			t.Errorf("%s: %v (%v) after %+v", rules, m, err, a)
		}
	}
}

// TestLayOutsVaryFromGameToGame matters because a player who has met a level before
// must not know what it will lay out.
func TestLayOutsVaryFromGameToGame(t *testing.T) {
	for _, rules := range []string{"ignorant", "wise"} {
		g := game(t, rules)
		player, seen := search.Levels[2].Player(g), map[engine.Move]bool{}
		for number := range uint64(20) {
			m, _ := player.Move(context.Background(), g.Start(), nil, number)
			seen[m] = true
		}
		if len(seen) < 10 {
			t.Errorf("%s: %d different lay-outs in 20 games", rules, len(seen))
		}
	}
}

// TestStrongerLevelLaysOutBetter values lay-outs with a longer search of the play
// after them. A strong level tries more lay-outs than a weak one.
func TestStrongerLevelLaysOutBetter(t *testing.T) {
	g := game(t, "ignorant")
	judge := search.New(g, 1<<20)
	worth := func(l search.Level) (seeds float64) {
		player := l.Player(g)
		for number := range uint64(12) {
			p := g.Start()
			who := g.Side(p.Seat)
			m, _ := player.Move(context.Background(), p, nil, number)
			if err := g.Play(&p, nil, m, nil); err != nil {
				t.Fatal(err)
			}
			v := judge.Search(context.Background(), p, nil, search.Limits{Nodes: 20_000}).Value
			if g.Side(p.Seat) != who {
				v = -v
			}
			seeds += v
		}
		return seeds
	}
	weak, strong := worth(search.Levels[4]), worth(search.Levels[6])
	t.Logf("worth %v and %v seeds to the side that lays out", weak, strong)
	if strong <= weak {
		t.Errorf("a strong level's lay-outs are worth %v seeds, a weaker one's %v", strong, weak)
	}
}

// TestDeeperSearchWinsADuelThatCanBeRepeated also compares two runs of the same duel.
func TestDeeperSearchWinsADuelThatCanBeRepeated(t *testing.T) {
	for _, rules := range []string{"kalah", "oware"} {
		g := game(t, rules)
		run := func() search.Tally {
			d := search.Duel{Game: g, Openings: 5, Random: 4, Number: 1, Movers: [2]search.Mover{search.Levels[4].Player(g), search.Levels[0].Player(g)}}
			tally, err := d.Run(context.Background(), func(search.Tally) {})
			if err != nil {
				t.Fatal(err)
			}
			return tally
		}
		a, b := run(), run()
		if points, games := a.Score(); games != 10 || points < 8 {
			t.Errorf("%s: Sorrel gets %v of %d against Pip", rules, points, games)
		}
		if a.Nodes != b.Nodes || a.Won != b.Won {
			t.Errorf("%s: %+v, and again %+v", rules, a, b)
		}
	}
}

// Two equal movers play the same game twice. South wins both, or loses both.
func TestDuelCountsThePointsOfTheFirstMover(t *testing.T) {
	g := game(t, "kalah")
	mover := search.Plain{Game: g, Depth: 3}
	p, h := g.Start(), engine.History{}
	for p.Phase != engine.Over {
		m, _ := mover.Move(t.Context(), p, &h, 0)
		if err := g.Play(&p, &h, m, nil); err != nil {
			t.Fatal(err)
		}
	}
	want := 1 + float64(cmp.Compare(p.Score(0), p.Score(1)))
	tally, err := search.Duel{Game: g, Openings: 1, Movers: [2]search.Mover{mover, mover}}.Run(t.Context(), func(search.Tally) {})
	if points, _ := tally.Score(); err != nil || tally.South != want || points != 1 {
		t.Errorf("South has %g points, not %g, and the first mover has %g: %v", tally.South, want, points, err)
	}
}

// TestDuelByDifferenceCountsBothGamesTogether has a game whose matches are decided by
// the difference of all rounds. Equal movers draw, although the player who lays out
// wins each game.
func TestDuelByDifferenceCountsBothGamesTogether(t *testing.T) {
	g := game(t, "ignorant")
	mover := func() search.Mover {
		return search.Fixed{Searcher: search.New(g, 1<<20), Limits: search.Limits{Nodes: 2000}}
	}
	d := search.Duel{Game: g, Openings: 3, Random: 6, Within: 3, Number: 1, Movers: [2]search.Mover{mover(), mover()}}
	tally, err := d.Run(context.Background(), func(search.Tally) {})
	if err != nil || tally.Drawn != 6 || tally.Interval() != 0 {
		t.Errorf("equals: %+v (%v)", tally, err)
	}
	d.Movers[0] = search.Levels[5].Player(g)
	d.Movers[1] = search.Levels[0].Player(g)
	tally, err = d.Run(context.Background(), func(search.Tally) {})
	if points, games := tally.Score(); err != nil || points != 6 || games != 6 {
		t.Errorf("Juniper against Pip: %+v (%v)", tally, err)
	}
}
