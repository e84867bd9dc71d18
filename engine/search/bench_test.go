package search_test

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"

	"mancala/engine"
	"mancala/engine/search"
)

// BenchmarkSolve solves Kalah boards from the first position, with an empty table.
func BenchmarkSolve(b *testing.B) {
	for _, rules := range []string{"kalah seeds=2", "kalah seeds=3", "pressman seeds=2", "pressman seeds=3"} {
		b.Run(rules, func(b *testing.B) {
			g := game(b, rules)
			for b.Loop() {
				if a := search.New(g, 256<<20).Search(context.Background(), g.Start(), nil, search.Limits{}); !a.Exact {
					b.Fatalf("%+v", a)
				}
			}
		})
	}
}

// BenchmarkFewSeeds solves Kalah positions with 20 seeds on the board, reached by
// random play; an operation is one position.
func BenchmarkFewSeeds(b *testing.B) {
	g := game(b, "kalah")
	random := rand.New(rand.NewPCG(1, 2))
	s := search.New(g, 64<<20)
	for b.Loop() {
		p := withFewSeeds(b, g, random, 20)
		if a := s.Search(context.Background(), p, nil, search.Limits{}); !a.Exact {
			b.Fatalf("%v: %+v", p, a)
		}
	}
}

// withFewSeeds plays at random until at most so many seeds are left.
func withFewSeeds(b *testing.B, g *engine.Game, random *rand.Rand, most int) engine.Position {
	for {
		p := g.Start()
		for p.Phase == engine.Play && 48-p.Score(0)-p.Score(1) > most {
			legal := g.Legal(&p)
			if err := g.Play(&p, nil, legal.At(random.IntN(legal.Len())), nil); err != nil {
				b.Fatal(err)
			}
		}
		if p.Phase == engine.Play {
			return p
		}
	}
}

// BenchmarkSpeed searches the first position of every system for a million nodes; nodes
// are counted per second of CPU time.
func BenchmarkSpeed(b *testing.B) {
	for _, row := range engine.Systems {
		b.Run(row.Name, func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			g := game(b, row.Name)
			s, nodes, began := search.New(g, 8<<20), uint64(0), search.ThreadTime()
			for b.Loop() {
				s.Forget()
				nodes += s.Search(context.Background(), g.Start(), nil, search.Limits{Nodes: 1_000_000}).Nodes
			}
			b.ReportMetric(float64(nodes)/(search.ThreadTime()-began).Seconds(), "nodes/s")
		})
	}
}
