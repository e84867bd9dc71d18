package pairing_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mancala/lobby/pairing"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func waiting(id string, rating int, seconds int) pairing.Waiting {
	return pairing.Waiting{ID: id, Pool: "kalah 5+3", Rating: rating, Since: noon.Add(-time.Duration(seconds) * time.Second)}
}

func TestWavePairsPeopleWhoAcceptEachOther(t *testing.T) {
	with := func(w pairing.Waiting, change func(*pairing.Waiting)) pairing.Waiting { change(&w); return w }
	recent := func(id string) func(*pairing.Waiting) { return func(w *pairing.Waiting) { w.Recent = []string{id} } }
	blocked := func(id string) func(*pairing.Waiting) { return func(w *pairing.Waiting) { w.Blocked = []string{id} } }
	begun := func(n int) func(*pairing.Waiting) { return func(w *pairing.Waiting) { w.Balance = n } }
	oware := func(w *pairing.Waiting) { w.Pool = "oware 5+3" }
	for _, tt := range []struct {
		name   string
		people []pairing.Waiting
		want   []pairing.Pair
	}{
		{"alone", []pairing.Waiting{waiting("ada", 0, 9)}, nil},
		{"two guests", []pairing.Waiting{waiting("ben", 0, 1), waiting("ada", 0, 2)}, []pairing.Pair{{"ada", "ben"}}},
		{"another game", []pairing.Waiting{waiting("ada", 0, 90), with(waiting("ben", 0, 90), oware)}, nil},
		{"the one who has begun less often begins", []pairing.Waiting{with(waiting("ada", 0, 2), begun(1)), waiting("ben", 0, 1)}, []pairing.Pair{{"ben", "ada"}}},
		{"too far apart at first", []pairing.Waiting{waiting("ada", 1500, 4), waiting("ben", 1601, 4)}, nil},
		{"the window widens every five seconds", []pairing.Waiting{waiting("ada", 1500, 5), waiting("ben", 1601, 5)}, []pairing.Pair{{"ada", "ben"}}},
		{"both windows count", []pairing.Waiting{waiting("ada", 1500, 59), waiting("ben", 1601, 0)}, nil},
		{"the nearest rating", []pairing.Waiting{waiting("ada", 1500, 9), waiting("ben", 1590, 8), waiting("cleo", 1510, 1)}, []pairing.Pair{{"ada", "cleo"}}},
		{"a guest may meet anybody", []pairing.Waiting{waiting("ada", 2400, 1), waiting("ben", 0, 0)}, []pairing.Pair{{"ada", "ben"}}},
		{"a recent opponent if nobody else waits", []pairing.Waiting{with(waiting("ada", 0, 1), recent("ben")), waiting("ben", 0, 0)}, []pairing.Pair{{"ada", "ben"}}},
		{"a third person before a recent opponent", []pairing.Waiting{with(waiting("ada", 0, 9), recent("ben")), waiting("ben", 0, 8), waiting("cleo", 0, 1)}, []pairing.Pair{{"ada", "cleo"}}},
		{"no recent opponent while a third person waits", []pairing.Waiting{with(waiting("ada", 1500, 19), recent("ben")), waiting("ben", 1500, 19), waiting("cleo", 2600, 19)}, nil},
		{"a recent opponent after 20 seconds", []pairing.Waiting{with(waiting("ada", 1500, 20), recent("ben")), waiting("ben", 1500, 20), waiting("cleo", 2600, 20)}, []pairing.Pair{{"ada", "ben"}}},
		{"never a blocked person", []pairing.Waiting{waiting("ada", 0, 900), with(waiting("ben", 0, 900), blocked("ada"))}, nil},
		{"in the end the rating does not matter", []pairing.Waiting{waiting("ada", 600, 60), waiting("ben", 2900, 60)}, []pairing.Pair{{"ada", "ben"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := pairing.Wave(tt.people, noon); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// crowd draws people of two pools. Some have met, and some block others.
func crowd(t *rapid.T) []pairing.Waiting {
	ids := rapid.IntRange(0, 39)
	people := make([]pairing.Waiting, rapid.IntRange(0, 40).Draw(t, "people"))
	for i := range people {
		people[i] = waiting(fmt.Sprintf("p%02d", i), rapid.SampledFrom([]int{0, 900, 1400, 1450, 1500, 1640, 1800, 2600}).Draw(t, "rating"), rapid.IntRange(-2, 70).Draw(t, "seconds"))
		people[i].Pool = rapid.SampledFrom([]string{"kalah none", "oware 5+3"}).Draw(t, "pool")
		people[i].Balance = rapid.IntRange(-3, 3).Draw(t, "balance")
		for range rapid.IntRange(0, 3).Draw(t, "recent") {
			people[i].Recent = append(people[i].Recent, fmt.Sprintf("p%02d", ids.Draw(t, "whom")))
		}
		if rapid.Bool().Draw(t, "blocks") {
			people[i].Blocked = []string{fmt.Sprintf("p%02d", ids.Draw(t, "whom"))}
		}
	}
	return people
}

// TestWaveLeavesNoMatchingPairUnpaired also checks that each person is paired at most once,
// with a person whom they accept.
func TestWaveLeavesNoMatchingPairUnpaired(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		people := crowd(t)
		pairs := pairing.Wave(people, noon)
		left := map[string]*pairing.Waiting{}
		for i := range people {
			left[people[i].ID] = &people[i]
		}
		for _, pair := range pairs {
			a, b := left[pair.First], left[pair.Second]
			switch {
			case a == nil || b == nil || a == b:
				t.Fatalf("%v: a person is paired twice", pair)
			case !pairing.Accept(a, b, true, noon):
				t.Fatalf("%v: %+v and %+v do not accept each other", pair, a, b)
			case a.Balance > b.Balance:
				t.Fatalf("%v: the first has begun %d more games than not, the second %d", pair, a.Balance, b.Balance)
			}
			delete(left, pair.First)
			delete(left, pair.Second)
		}
		for _, a := range left {
			for _, b := range left {
				if a != b && pairing.Accept(a, b, alone(left, a.Pool), noon) {
					t.Fatalf("%+v and %+v accept each other and were not paired", a, b)
				}
			}
		}
		rand.Shuffle(len(people), func(i, j int) { people[i], people[j] = people[j], people[i] })
		if other := pairing.Wave(people, noon); !slices.Equal(other, pairs) {
			t.Fatalf("the pairs are %v, and in another order of the list %v", pairs, other)
		}
	})
}

// alone reports whether only two people are left in a pool.
func alone(left map[string]*pairing.Waiting, pool string) bool {
	n := 0
	for _, w := range left {
		if w.Pool == pool {
			n++
		}
	}
	return n == 2
}

// TestNoTwoWaitOnceTheyAcceptEachOther runs a wave whenever a window widens.
func TestNoTwoWaitOnceTheyAcceptEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		people := crowd(t)
		for now := noon; now.Before(noon.Add(80 * time.Second)); now = now.Add(pairing.Widens) {
			for _, pair := range pairing.Wave(people, now) {
				people = slices.DeleteFunc(people, func(w pairing.Waiting) bool { return w.ID == pair.First || w.ID == pair.Second })
			}
			for i := range people {
				for j := range i {
					if pairing.Accept(&people[i], &people[j], false, now) {
						t.Fatalf("at %v %+v and %+v accept each other and still wait", now, people[i], people[j])
					}
				}
			}
		}
	})
}

func TestBalanceOfBeginningStaysNearZero(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	balance := map[string]int{}
	for range 500 {
		var people []pairing.Waiting
		for i := range 10 {
			w := waiting(fmt.Sprint("p", i), 0, r.IntN(60))
			w.Balance = balance[w.ID]
			people = append(people, w)
		}
		for _, pair := range pairing.Wave(people, noon) {
			balance[pair.First]++
			balance[pair.Second]--
		}
	}
	for id, n := range balance {
		if n < -5 || n > 5 {
			t.Errorf("%s has begun %d games more than not", id, n)
		}
	}
}

// BenchmarkWave2000 includes the worst wave, in which all players consider each other and
// accept no one.
func BenchmarkWave2000(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, tt := range []struct {
		name  string
		apart int
	}{{"rated", 1}, {"no match", 1000}} {
		people := make([]pairing.Waiting, 2000)
		for i := range people {
			people[i] = waiting(fmt.Sprintf("p%012d", i), 800+i*tt.apart, r.IntN(55))
			people[i].Recent = []string{fmt.Sprintf("p%012d", r.IntN(2000)), fmt.Sprintf("p%012d", r.IntN(2000))}
		}
		b.Run(tt.name, func(b *testing.B) {
			for b.Loop() {
				pairing.Wave(people, noon)
			}
		})
	}
}
