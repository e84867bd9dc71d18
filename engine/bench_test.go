package engine_test

import (
	"fmt"
	"testing"

	"mancala/engine"
)

// dice is a fast random source: splitmix64, scaled down by the high half of a
// product, so that no number is rejected.
type dice uint64

func (d *dice) roll(n int) int {
	*d += 0x9e3779b97f4a7c15
	x := uint64(*d)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int((x >> 32) * uint64(n) >> 32)
}

// playout plays random moves from p to the end of the game and returns the number of
// plies.
func playout(g *engine.Game, p engine.Position, h *engine.History, t *engine.Trace, d dice) int {
	h.Truncate(0)
	for p.Phase != engine.Over {
		legal := g.Legal(&p)
		if t != nil {
			t.Reset()
		}
		if err := g.Play(&p, h, legal.At(d.roll(legal.Len())), t); err != nil {
			panic(err)
		}
	}
	return int(p.Ply)
}

// benchStart returns the position where playouts start: the first one, or the one
// after a lay-out that players of the Egyptian games might choose.
func benchStart(g *engine.Game) engine.Position {
	p := g.Start()
	if p.Phase == engine.Setup {
		lay := "=6.5.8.4.9.4/7.6.5.8.6.4"
		if g.Rules().Opening == engine.OpeningPaired {
			lay = "=0.9.10.8.9.0/0.10.9.9.8.0"
		}
		m, _ := engine.ParseMove(lay)
		if err := g.Play(&p, nil, m, nil); err != nil {
			panic(err)
		}
		p.Ply = 0
	}
	return p
}

// rounds is the number of different playouts in a benchmark.
const rounds = 4096

// seedsSown returns the plies and the seeds sown in those playouts.
func seedsSown(g *engine.Game, start engine.Position) (plies, seeds int) {
	for i := range rounds {
		p, h, t, d := start, &engine.History{}, &engine.Trace{}, dice(i)
		for p.Phase != engine.Over {
			legal := g.Legal(&p)
			if err := g.Play(&p, h, legal.At(d.roll(legal.Len())), t); err != nil {
				panic(err)
			}
			plies++
		}
		seeds += t.Sown()
	}
	return plies, seeds
}

// BenchmarkPlayout plays random games of every system and lists the legal moves of
// each position. It reports ns/seed, the time for each seed sown, so that games with
// long sowings can be compared with others.
func BenchmarkPlayout(b *testing.B) {
	for _, row := range engine.Systems {
		g := engine.MustCompile(row.Name)
		start := benchStart(g)
		for _, t := range []*engine.Trace{nil, {}} {
			name := map[bool]string{true: "/trace"}[t != nil]
			b.Run(row.Name+name, func(b *testing.B) {
				h, n := &engine.History{}, 0
				b.ReportAllocs()
				report(b, func() (int, int) { return seedsSown(g, start) }, func() int {
					n++
					return playout(g, start, h, t, dice(n%rounds))
				})
			})
		}
	}
}

// BenchmarkPerft counts the sequences of four plies from the first position of every system. It
// reports sequences per second.
func BenchmarkPerft(b *testing.B) {
	for _, row := range engine.Systems {
		b.Run(row.Name, func(b *testing.B) {
			g := engine.MustCompile(row.Name)
			start, sequences := benchStart(g), uint64(0)
			for b.Loop() {
				sequences += uint64(g.Perft(&start, &engine.History{}, 4))
			}
			b.ReportMetric(float64(sequences)/b.Elapsed().Seconds(), "sequences/s")
		})
	}
}

// BenchmarkHandwrittenKalah does the same with a loop that knows only Kalah(6,4).
func BenchmarkHandwrittenKalah(b *testing.B) {
	g := engine.MustCompile("kalah")
	n := 0
	report(b, func() (int, int) { return seedsSown(g, g.Start()) }, func() int {
		n++
		return handwrittenPlayout(dice(n % rounds))
	})
}

// report runs play, which returns the number of plies it played. It reports plies per
// second and ns for each seed.
func report(b *testing.B, sown func() (plies, seeds int), play func() int) {
	b.Helper()
	plies := 0
	for b.Loop() {
		plies += play()
	}
	ns := float64(b.Elapsed().Nanoseconds())
	counted, seeds := sown()
	b.ReportMetric(float64(plies)/ns*1e9, "plies/s")
	b.ReportMetric(ns/float64(plies)*float64(counted)/float64(seeds), "ns/seed")
	b.ReportMetric(0, "ns/op")
}

func ExampleRules_Describe() {
	fmt.Println(engine.MustCompile("kalah").Rules().Describe())
	// Output:
	// For two players: 6 pits a side, 4 seeds each. Seeds are sown one by one counter-clockwise and into one's own store. A last seed in an empty pit of one's own captures the seeds opposite and itself. Play again after a last seed in your store. The game ends when a side is empty, or the player on turn cannot move; the seeds left go to the owner of their side. Most seeds win.
}

// TestPlayDoesNotAllocate plays whole games of every system, lists the legal moves,
// and uses one history again.
func TestPlayDoesNotAllocate(t *testing.T) {
	for _, row := range engine.Systems {
		t.Run(row.Name, func(t *testing.T) {
			g := game(t, row.Name)
			start, h, tr := benchStart(g), &engine.History{}, &engine.Trace{}
			games := func(tr *engine.Trace) func() {
				return func() {
					for number := range dice(20) {
						playout(g, start, h, tr, number)
					}
				}
			}
			if n := testing.AllocsPerRun(3, games(nil)); n > 0 {
				t.Errorf("%v allocations in 20 games", n)
			}
			if n := testing.AllocsPerRun(3, games(tr)); n > 0 {
				t.Errorf("%v allocations in 20 games with a trace that is used again", n)
			}
		})
	}
}
