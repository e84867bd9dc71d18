package freeplay_test

import (
	"math/rand/v2"
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
func (c class) play(seed uint64) (pairings []crosstable.Pairing, left []int) {
	pairings, left = freeplay.Pair(c, nil, seed)
	for _, p := range pairings {
		first, second := &c[p.First-1], &c[p.Second-1]
		first.Opponents = append(first.Opponents, p.Second)
		second.Opponents = append(second.Opponents, p.First)
		first.First++
	}
	for _, n := range left {
		c[n-1].LeftOver++
	}
	return pairings, left
}

func TestEverybodyPlaysAndNobodyIsLeftOverTwice(t *testing.T) {
	for seed := range uint64(200) {
		n := 2 + int(seed%29)
		c := newClass(n)
		for round := range n {
			pairings, left := c.play(seed)
			if len(pairings) != n/2 || len(left) != n%2 {
				t.Fatalf("%d players, round %d: %d pairings, left over %v", n, round+1, len(pairings), left)
			}
		}
		for _, p := range c {
			if p.LeftOver > n%2 {
				t.Errorf("%d players, seed %d: number %d was left over %d times in %d rounds", n, seed, p.Number, p.LeftOver, n)
			}
		}
	}
}

// While there is a pairing of all players with new opponents, there are no others. A class of 24
// has one for at least half of its rounds.
func TestOpponentsAreNewForAsLongAsCanBe(t *testing.T) {
	for seed := range uint64(20) {
		c := newClass(24)
		met := map[[2]int]bool{}
		for round := range 12 {
			pairings, _ := c.play(seed)
			for _, p := range pairings {
				pair := [2]int{min(p.First, p.Second), max(p.First, p.Second)}
				if met[pair] {
					t.Fatalf("seed %d, round %d: %v meet again", seed, round+1, pair)
				}
				met[pair] = true
			}
		}
		for _, p := range c {
			if p.First < 4 || p.First > 8 {
				t.Errorf("seed %d: number %d moved first in %d games of 12", seed, p.Number, p.First)
			}
		}
	}
}

func TestPlayersWhoMustMeetAgainHaveNotMetForLong(t *testing.T) {
	for seed := range uint64(50) {
		c := newClass(4)
		for range 3 {
			c.play(seed)
		}
		earliest := c[0].Opponents[0]
		if c.play(seed); c[0].Opponents[3] != earliest {
			t.Errorf("seed %d: number 1 meets %v", seed, c[0].Opponents)
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
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		keep := r.IntN(5) + 1
		apart := func(a, b int) bool { return (a+b)%keep == 0 }
		c := newClass(3 + r.IntN(20))
		pairings, left := freeplay.Pair(c, apart, seed)
		for _, p := range pairings {
			if apart(p.First, p.Second) {
				t.Errorf("seed %d: %v meet", seed, p)
			}
		}
		for i, a := range left {
			for _, b := range left[:i] {
				if !apart(a, b) {
					t.Errorf("seed %d: %d and %d are left over, and may meet", seed, a, b)
				}
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
