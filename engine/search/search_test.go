package search_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"mancala/engine"
	"mancala/engine/search"
)

// game compiles rules, "NAME key=value ...".
func game(t interface{ Fatal(...any) }, rules string) *engine.Game {
	r, err := engine.ParseRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	g, err := engine.Compile(r)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// position reads a position; an empty text means the first position.
func position(t testing.TB, g *engine.Game, text string) engine.Position {
	t.Helper()
	if text == "" {
		return g.Start()
	}
	p, err := g.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// everyGame lists rules to search from the first position: each system, and rule sets
// that are large, slow or never end by themselves.
func everyGame() []string {
	games := []string{
		"oware pits=12 seeds=10 no_progress=0", "maruba pits=13 seeds=4", "giuthi pits=10 seeds=12",
		"wise total=250", "basic-four pits=13 seeds=4", "oware repetition=0 no_progress=1000000",
		"kalah pits=13 seeds=9 relay=reverse",
	}
	for _, row := range engine.Systems {
		games = append(games, row.Name)
	}
	return games
}

// TestSearchAnswersWithAPlayableLineInEveryGame searches games of all kinds within a
// budget. The value must be within the bounds, and the search must stop where it was
// told to.
func TestSearchAnswersWithAPlayableLineInEveryGame(t *testing.T) {
	for _, rules := range everyGame() {
		g := game(t, rules)
		p := g.Start()
		for range 3 { // the lay-out, the choice of a side, a move
			a := search.New(g, 1<<20).Search(context.Background(), p, nil, search.Limits{Nodes: 5000})
			if a.Stop != search.NodesOut && a.Stop != search.Solved && a.Stop != search.Deep || a.Nodes > 5000 {
				t.Errorf("%s: %v stopped for %s after %d nodes", rules, p, a.Stop, a.Nodes)
			}
			if a.Value < float64(a.Low) || a.Value > float64(a.High) {
				t.Errorf("%s: %v: %v is not within %d and %d", rules, p, a.Value, a.Low, a.High)
			}
			q, h := p, &engine.History{}
			for _, m := range a.Line {
				if err := g.Play(&q, h, m, nil); err != nil {
					t.Fatalf("%s: %v: the line %v: %v", rules, p, a.Line, err)
				}
			}
			if err := g.Play(&p, nil, a.Line[0], nil); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestProvingSearchSolvesAnyBoardOfTheKalahFamily also checks a budget that is too
// small: the answer keeps the bounds that have been proven.
func TestProvingSearchSolvesAnyBoardOfTheKalahFamily(t *testing.T) {
	g := game(t, "pressman pits=5 seeds=3") // worth 8
	search := func(limits search.Limits) search.Answer {
		return search.New(g, 16<<20).Search(context.Background(), g.Start(), nil, limits)
	}
	a := search(limits(100_000_000, true))
	if !a.Exact || a.Value != 8 {
		t.Fatalf("got %+v, want exactly 8", a)
	}
	part := search(limits(a.Nodes, true)) // a part of these nodes is kept for the look-ahead
	if part.Exact || part.Stop != "nodes" || part.Low > 8 || part.High < 8 || part.High-part.Low == 60 || len(part.Line) == 0 {
		t.Errorf("with too few nodes: got %+v, want bounds and a line", part)
	}
	if guess := search(limits(a.Nodes, false)); guess.Low != -30 || guess.High != 30 {
		t.Errorf("not told to prove: got %+v", guess)
	}
}

func limits(nodes uint64, prove bool) search.Limits { return search.Limits{Nodes: nodes, Prove: prove} }

// TestProvingSearchKeepsItsBudgetOfNodesAndMemory tries to prove values in games of
// all kinds, most of which are too large.
func TestProvingSearchKeepsItsBudgetOfNodesAndMemory(t *testing.T) {
	const memory = 1 << 20
	for _, rules := range everyGame() {
		g := game(t, rules)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		a := search.New(g, memory).Search(context.Background(), g.Start(), nil, search.Limits{Nodes: 20_000, Prove: true})
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; a.Nodes > 20_000 || took > 4*memory {
			t.Errorf("%s: %d nodes and %d bytes for a table of %d", rules, a.Nodes, took, memory)
		}
	}
}

// TestProvenValueDoesNotDependOnTheSizeOfTheTable solves games with almost no table,
// a small one and a large one.
func TestProvenValueDoesNotDependOnTheSizeOfTheTable(t *testing.T) {
	for _, rules := range []string{"pressman pits=5 seeds=3", "kalah pits=6 seeds=2", "basic pits=5 seeds=2", "oware pits=3 seeds=2", "basic-four pits=3 seeds=1"} {
		g := game(t, rules)
		first := search.Answer{}
		for i, memory := range []int64{0, 1 << 18, 1 << 24} {
			a := search.New(g, memory).Search(context.Background(), g.Start(), nil, search.Limits{Nodes: 3_000_000})
			if i == 0 {
				first = a
			}
			if !a.Exact || a.Value != first.Value {
				t.Errorf("%s: %v, exactly %v, with %d bytes (%s after %d nodes), %v with 0", rules, a.Value, a.Exact, memory, a.Stop, a.Nodes, first.Value)
			}
			t.Logf("%s: %v after %d nodes with %d bytes", rules, a.Value, a.Nodes, memory)
		}
	}
}

func TestSearchWithABudgetOfNodesCanBeRepeated(t *testing.T) {
	g := game(t, "oware")
	limits := search.Limits{Nodes: 20_000}
	a := search.New(g, 1<<20).Search(context.Background(), g.Start(), nil, limits)
	b := search.New(g, 1<<20).Search(context.Background(), g.Start(), nil, limits)
	if a.Value != b.Value || a.Line[0] != b.Line[0] || a.Nodes != b.Nodes {
		t.Errorf("first %+v, then %+v", a, b)
	}
}

// TestForgottenProofDoesNotHelpTheNextSearch solves a position of Oware without a budget, which makes a database of
// all boards with its seven seeds.
func TestForgottenProofDoesNotHelpTheNextSearch(t *testing.T) {
	g := game(t, "oware pits=3 seeds=4")
	p, limits := position(t, g, "2,1,1/1,2,0 8/9 S play 0 30"), search.Limits{Nodes: 60}
	s := search.New(g, 1<<22)
	want := s.Search(context.Background(), p, nil, limits)
	if solved := s.Search(context.Background(), p, nil, search.Limits{}); !solved.Exact || want.Exact {
		t.Fatalf("with the budget %+v, without %+v", want, solved)
	}
	s.Forget()
	if got := s.Search(context.Background(), p, nil, limits); got.Value != want.Value || got.Exact || got.Nodes != want.Nodes {
		t.Errorf("got %+v, before the proof %+v", got, want)
	}
}

// TestCancelledSearchReturnsAMove ends searches that would take for ever. They must
// leave no goroutine.
func TestCancelledSearchReturnsAMove(t *testing.T) {
	before := runtime.NumGoroutine()
	g := game(t, "maruba")
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if a := search.New(g, 1<<20).Search(ctx, g.Start(), nil, search.Limits{}); a.Stop != search.Cancelled || len(a.Line) == 0 {
		t.Errorf("got %+v, want a move, and cancelled", a)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
	cancel()
	if a := search.New(g, 1<<20).Search(ctx, g.Start(), nil, search.Limits{}); a.Stop != search.Cancelled || len(a.Line) != 1 || a.Nodes > 1 {
		t.Errorf("cancelled before it began: got %+v, want a move without thinking", a)
	}
	if a := search.New(g, 1<<20).Search(context.Background(), g.Start(), nil, search.Limits{Time: 10 * time.Millisecond}); a.Stop != search.TimeOut {
		t.Errorf("got %+v, want the time to be out", a)
	}
}

// TestNodesDoNotAllocate compares two searches; one has twenty times the nodes.
func TestNodesDoNotAllocate(t *testing.T) {
	for _, row := range engine.Systems {
		g := game(t, row.Name)
		p := g.Start()
		if p.Phase == engine.Setup {
			a := search.New(g, 0).Search(context.Background(), p, nil, search.Limits{Nodes: 100})
			if err := g.Play(&p, nil, a.Line[0], nil); err != nil {
				t.Fatal(err)
			}
		}
		s := search.New(g, 1<<20)
		searchFor := func(nodes uint64) func() {
			return func() { s.Search(context.Background(), p, nil, search.Limits{Nodes: nodes}) }
		}
		searchFor(40_000)() // the working memory of each ply grows to its size
		few, many := testing.AllocsPerRun(1, searchFor(2000)), testing.AllocsPerRun(1, searchFor(40_000))
		if many > few+300 {
			t.Errorf("%s: %v allocations for 40000 nodes, %v for 2000", row.Name, many, few)
		}
	}
}

func TestSearchOfAFinishedGameReturnsItsResult(t *testing.T) {
	g := game(t, "kalah")
	p := position(t, g, "0,0,0,0,0,0/0,0,0,0,0,0 25/23 S over 0 60")
	a := search.New(g, 0).Search(context.Background(), p, nil, search.Limits{})
	if a.Stop != search.NoMove || !a.Exact || a.Value != 2 || a.Low != 2 || a.High != 2 || len(a.Line) != 0 {
		t.Errorf("got %+v, want exactly 2 and no move", a)
	}
}

// TestPublishedValuesAreProven solves boards whose values the literature gives.
func TestPublishedValuesAreProven(t *testing.T) {
	for _, tt := range []struct {
		rules string
		want  float64
	}{
		// Irving, Donkers, Uiterwijk: Solving Kalah, ICGA Journal 23(3), 2000.
		{"pressman pits=4 seeds=2", 6}, {"pressman pits=4 seeds=3", 8}, {"pressman pits=5 seeds=2", 0},
		{"pressman pits=6 seeds=1", 2}, {"pressman pits=6 seeds=2", 10}, {"pressman pits=5 seeds=3", 8}, {"pressman pits=4 seeds=5", 2},
		{"pressman pits=6 seeds=3", 2},
	} {
		g := game(t, tt.rules)
		if a := search.New(g, 1<<26).Search(context.Background(), g.Start(), nil, search.Limits{}); !a.Exact || a.Value != tt.want {
			t.Errorf("%s: got %+v, want exactly %v", tt.rules, a, tt.want)
		}
	}
}
