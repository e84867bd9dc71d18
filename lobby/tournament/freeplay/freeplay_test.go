package freeplay_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"mancala/lobby/tournament/crosstable"
	"mancala/lobby/tournament/freeplay"
)

// class are the players of a class, by number less one.
type class []freeplay.Player

func newClass(n int) class {
	c := make(class, n)
	for i := range c {
		c[i].Number = i + 1
	}
	return c
}

// play pairs all, and counts what came of it.
func (c class) play(run uint64) (pairings []crosstable.Pairing, left []int) {
	pairings, left = freeplay.Pair(c, nil, run)
	c.add(pairings, left)
	return pairings, left
}

// add counts what came of a wave.
func (c class) add(pairings []crosstable.Pairing, left []int) {
	for _, p := range pairings {
		first, second := &c[p.First-1], &c[p.Second-1]
		first.Opponents = append(first.Opponents, p.Second)
		second.Opponents = append(second.Opponents, p.First)
		first.First++
	}
	for _, n := range left {
		c[n-1].LeftOver++
	}
}

func TestEverybodyPlaysAndNobodyIsLeftOverTwice(t *testing.T) {
	for run := range uint64(200) {
		n := 2 + int(run%29)
		c := newClass(n)
		for round := range n {
			pairings, left := c.play(run)
			if len(pairings) != n/2 || len(left) != n%2 {
				t.Fatalf("%d players, round %d: %d pairings, left over %v", n, round+1, len(pairings), left)
			}
		}
		for _, p := range c {
			if p.LeftOver > n%2 {
				t.Errorf("%d players, run %d: number %d was left over %d times in %d rounds", n, run, p.Number, p.LeftOver, n)
			}
		}
	}
}

// While there is a pairing of all players with new opponents, there are no others. A class of 24
// has one for at least half of its rounds.
func TestOpponentsAreNewForAsLongAsCanBe(t *testing.T) {
	for run := range uint64(20) {
		c := newClass(24)
		met := map[[2]int]bool{}
		for round := range 12 {
			pairings, _ := c.play(run)
			for _, p := range pairings {
				pair := [2]int{min(p.First, p.Second), max(p.First, p.Second)}
				if met[pair] {
					t.Fatalf("run %d, round %d: %v meet again", run, round+1, pair)
				}
				met[pair] = true
			}
		}
		for _, p := range c {
			if p.First < 4 || p.First > 8 {
				t.Errorf("run %d: number %d moved first in %d games of 12", run, p.Number, p.First)
			}
		}
	}
}

func TestPlayersWhoMustMeetAgainHaveNotMetForLong(t *testing.T) {
	for run := range uint64(50) {
		c := newClass(4)
		for range 3 {
			c.play(run)
		}
		earliest := c[0].Opponents[0]
		if c.play(run); c[0].Opponents[3] != earliest {
			t.Errorf("run %d: number 1 meets %v", run, c[0].Opponents)
		}
	}
}

// Who has met once meets again before others who have met twice, however long ago that was.
func TestPlayersMeetEqualTimes(t *testing.T) {
	c := newClass(4)
	for i, opponents := range [][]int{{2, 2, 4, 4, 3}, {1, 1, 3, 3, 4}, {4, 4, 2, 2, 1}, {3, 3, 1, 1, 2}} {
		c[i].Opponents, c[i].First = opponents, 2
	}
	if c.play(1); c[0].Opponents[5] != 3 || c[1].Opponents[5] != 4 {
		t.Errorf("number 1 meets %v, number 2 %v", c[0].Opponents, c[1].Opponents)
	}
}

func TestPlayersWhoAreKeptApartDoNotMeet(t *testing.T) {
	for run := range uint64(200) {
		r := rand.New(rand.NewPCG(run, 3))
		keep := r.IntN(5) + 1
		apart := func(a, b int) bool { return (a+b)%keep == 0 }
		c := newClass(3 + r.IntN(20))
		pairings, left := freeplay.Pair(c, apart, run)
		for _, p := range pairings {
			if apart(p.First, p.Second) {
				t.Errorf("run %d: %v meet", run, p)
			}
		}
		for i, a := range left {
			for _, b := range left[:i] {
				if !apart(a, b) {
					t.Errorf("run %d: %d and %d are left over, and may meet", run, a, b)
				}
			}
		}
	}
}

// merits are what counts about a pairing, the most important first; more is better.
type merits [5]int

func (c class) merits(pairings []crosstable.Pairing) (m merits) {
	for _, p := range pairings {
		a, b := c[p.First-1], c[p.Second-1]
		m[0]++
		m[1] += a.LeftOver + b.LeftOver
		recent := 0
		for i, opponent := range a.Opponents {
			if opponent == b.Number {
				m[2]--
				recent = max(recent, 1<<30/(len(a.Opponents)-i))
			}
		}
		for i, opponent := range b.Opponents {
			if opponent == a.Number {
				recent = max(recent, 1<<30/(len(b.Opponents)-i))
			}
		}
		m[3] -= recent
		if (2*a.First-len(a.Opponents))*(2*b.First-len(b.Opponents)) > 0 {
			m[4]--
		}
	}
	return m
}

// best returns the greatest merits of all pairings of the players in free.
func (c class) best(free []int, apart func(a, b int) bool, made []crosstable.Pairing) merits {
	if len(free) == 0 {
		return c.merits(made)
	}
	most := c.best(free[1:], apart, made)
	for i, b := range free[1:] {
		if !apart(free[0], b) {
			others := slices.Concat(free[1:i+1], free[i+2:])
			m := c.best(others, apart, append(slices.Clip(made), crosstable.Pairing{First: free[0], Second: b}))
			if slices.Compare(m[:], most[:]) > 0 {
				most = m
			}
		}
	}
	return most
}

func TestNoOtherPairingIsBetter(t *testing.T) {
	for run := range uint64(1500) {
		r := rand.New(rand.NewPCG(run, 5))
		n, keep := 2+r.IntN(6), 3+r.IntN(6)
		c := newClass(n)
		for range r.IntN(3 * n) { // players become free at different times
			free := slices.DeleteFunc(slices.Clone(c), func(freeplay.Player) bool { return r.IntN(3) == 0 })
			c.add(freeplay.Pair(free, nil, r.Uint64()))
		}
		apart := func(a, b int) bool { return (a+b)%keep == 0 }
		pairings, _ := freeplay.Pair(c, apart, run)
		var all []int
		for i := range c {
			all = append(all, i+1)
		}
		if got, want := c.merits(pairings), c.best(all, apart, nil); got != want {
			t.Fatalf("run %d: %v has %v, the best has %v", run, pairings, got, want)
		}
	}
}

// Chance decides between equal pairings alone, also where a class is large.
func TestChanceOutweighsNothing(t *testing.T) {
	for run := range uint64(60) {
		r := rand.New(rand.NewPCG(run, 9))
		c := newClass(10 + r.IntN(31))
		for range 2 + r.IntN(len(c)) {
			c.play(r.Uint64())
		}
		first, _ := freeplay.Pair(c, nil, 0)
		for other := range uint64(6) {
			pairings, _ := freeplay.Pair(c, nil, other)
			if got, want := c.merits(pairings), c.merits(first); got != want {
				t.Errorf("run %d: one pairing has %v, another %v", run, got, want)
			}
		}
	}
}

func BenchmarkClassOf60(b *testing.B) {
	c := newClass(60)
	for b.Loop() {
		freeplay.Pair(c, nil, 1)
	}
}
