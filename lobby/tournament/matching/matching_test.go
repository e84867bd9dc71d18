package matching

import (
	"math/rand/v2"
	"testing"
)

func TestCompleteFindsTheLargestPairing(t *testing.T) {
	for run := range uint64(3000) {
		r := rand.New(rand.NewPCG(run, 1))
		n := 1 + r.IntN(10)
		w := randomWeights(r, n, 1)
		allowed := func(u, v int) bool { return w[u][v] > 0 }
		mates, complete := Complete(n, allowed)
		pairs := 0
		for u, v := range mates {
			if v >= 0 {
				pairs++
				if mates[v] != u || !allowed(u, v) {
					t.Fatalf("run %d: %v", run, mates)
				}
			}
		}
		if most := bestOf(w, 0, make([]bool, n)); pairs/2 != int(most) || complete != (2*int(most) == n) {
			t.Fatalf("run %d: %d pairs (%v), want %d of %v", run, pairs/2, complete, most, w)
		}
	}
}

func TestSettledPairsLeaveAPairingOfAll(t *testing.T) {
	for run := range uint64(2000) {
		r := rand.New(rand.NewPCG(run, 4))
		n := 2 * (1 + r.IntN(5))
		w := randomWeights(r, n, 1)
		p, complete := NewPerfect(n, func(u, v int) bool { return w[u][v] > 0 })
		if !complete {
			continue
		}
		settled := make([]bool, n)
		for range 2 * n {
			u, v := r.IntN(n), r.IntN(n)
			if settled[u] || u == v {
				continue
			}
			without := append([]bool(nil), settled...)
			without[u], without[v] = true, true
			left := 0
			for _, is := range without {
				if !is {
					left++
				}
			}
			want := !settled[v] && w[u][v] > 0 && int(bestOf(w, 0, without)) == left/2
			if p.Settle(u, v) != want {
				t.Fatalf("run %d: settling %d and %d of %v should be %v", run, u, v, w, want)
			}
			if want {
				settled[u], settled[v] = true, true
			}
			for x := range n {
				if y := p.Mate(x); y < 0 || p.Mate(y) != x || w[x][y] == 0 {
					t.Fatalf("run %d: %d has the mate %d", run, x, y)
				}
			}
		}
	}
}

func TestHeaviestHasTheGreatestWeight(t *testing.T) {
	for run := range uint64(6000) {
		r := rand.New(rand.NewPCG(run, 2))
		n := 1 + r.IntN(11)
		most := []uint64{2, 5, 100, 1 << 40}[r.IntN(4)]
		w := randomWeights(r, n, most)
		words := 1 + r.IntN(3)
		g := NewGraph(n, words)
		for u := range n {
			for v := range u {
				g.Weight(v, u)[words-1] = w[u][v]
			}
		}
		var sum uint64
		mates := g.Heaviest()
		for u, v := range mates {
			if v >= 0 {
				if mates[v] != u || w[u][v] == 0 {
					t.Fatalf("run %d: %v of %v", run, mates, w)
				}
				if u < v {
					sum += w[u][v]
				}
			}
		}
		if want := bestOf(w, 0, make([]bool, n)); sum != want {
			t.Fatalf("run %d: weight %d, want %d of %v", run, sum, want, w)
		}
	}
}

// randomWeights returns a symmetric table in which some pairs have no weight.
func randomWeights(r *rand.Rand, n int, most uint64) [][]uint64 {
	w := make([][]uint64, n)
	density := r.Float64()
	for u := range n {
		w[u] = make([]uint64, n)
		for v := range u {
			if r.Float64() < density {
				w[u][v] = 1 + r.Uint64N(most)
				w[v][u] = w[u][v]
			}
		}
	}
	return w
}

// bestOf tries all matchings of the vertices from u on.
func bestOf(w [][]uint64, u int, used []bool) uint64 {
	for u < len(w) && used[u] {
		u++
	}
	if u == len(w) {
		return 0
	}
	used[u] = true
	best := bestOf(w, u+1, used)
	for v := u + 1; v < len(w); v++ {
		if !used[v] && w[u][v] > 0 {
			used[v] = true
			best = max(best, w[u][v]+bestOf(w, u+1, used))
			used[v] = false
		}
	}
	used[u] = false
	return best
}

func BenchmarkHeaviest(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 3))
	const n, words = 200, 8
	w := randomWeights(r, n, 1000)
	for b.Loop() {
		g := NewGraph(n, words)
		for u := range n {
			for v := range u {
				g.Weight(v, u)[words-2] = w[u][v]
			}
		}
		g.Heaviest()
	}
}
