package search_test

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"mancala/engine"
	"mancala/engine/search"
)

// BenchmarkSolve solves Kalah boards from the first position with an empty table.
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

// BenchmarkFewSeeds solves positions with few seeds on the board, reached by random
// play, after the tables were made. An operation is one position. It reports the
// slowest one in CPU time.
func BenchmarkFewSeeds(b *testing.B) {
	for _, tt := range []struct {
		rules string
		seeds int
	}{{"kalah", 20}, {"oware", 12}} {
		b.Run(tt.rules, func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			g, random := game(b, tt.rules), rand.New(rand.NewPCG(1, 2))
			s, slowest := search.New(g, 256<<20), time.Duration(0)
			solve := func() time.Duration {
				p, began := withFewSeeds(b, g, random, tt.seeds), search.ThreadTime()
				if a := s.Search(context.Background(), p, nil, search.Limits{}); !a.Exact {
					b.Fatalf("%v: %+v", p, a)
				}
				return search.ThreadTime() - began
			}
			tables := solve()
			for b.Loop() {
				slowest = max(slowest, solve())
			}
			b.ReportMetric(tables.Seconds(), "s/tables")
			b.ReportMetric(float64(slowest.Microseconds())/1000, "ms/slowest")
		})
	}
}

// BenchmarkLevels lets level 5 and the weaker ones move in every system. It reports
// the slowest answer in CPU time.
func BenchmarkLevels(b *testing.B) {
	for _, row := range engine.Systems {
		b.Run(row.Name, func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			g, slowest := game(b, row.Name), time.Duration(0)
			for b.Loop() {
				for _, level := range search.Levels[:5] {
					player, p, h := level.Player(g), g.Start(), &engine.History{}
					for ply := 0; ply < 40 && p.Phase != engine.Over; ply++ {
						began := search.ThreadTime()
						m, _ := player.Move(context.Background(), p, h, 1)
						slowest = max(slowest, search.ThreadTime()-began)
						if err := g.Play(&p, h, m, nil); err != nil {
							b.Fatal(err)
						}
					}
				}
			}
			b.ReportMetric(float64(slowest.Microseconds())/1000, "ms/slowest")
		})
	}
}

// withFewSeeds plays at random until no more than most seeds are left.
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

// BenchmarkSpeed searches the first position of every system for a million nodes. It
// reports nodes per second of CPU time.
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
