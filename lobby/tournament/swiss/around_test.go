package swiss_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"mancala/lobby/tournament/crosstable"
	"mancala/lobby/tournament/simulation"
	"mancala/lobby/tournament/swiss"
)

// random returns the table of a random tournament before a round, and the numbers of the
// players who are paired in it, in a random order.
func random(t *testing.T, seed uint64) (e *crosstable.Event, round int, free []int) {
	t.Helper()
	o := simulation.Options{
		Players: 4 + int(seed%30), Rounds: 2 + int(seed%5), Seed: seed, Withdrawals: int(seed % 4 * 10), Late: int(seed % 5 * 10),
		Byes: int(seed % 7 * 10), Forfeits: int(seed % 6 * 8), Draws: int(seed % 9 * 10), Forbidden: int(seed % 3 * 20),
	}
	e, err := simulation.Swiss(o)
	if err != nil && !errors.Is(err, swiss.ErrNoPairing) {
		t.Fatalf("seed %d: %v", seed, err)
	}
	r := rand.New(rand.NewPCG(seed, 11))
	round = 1 + r.IntN(e.Paired()+1)
	e = e.Before(round)
	for _, i := range r.Perm(len(e.Players)) {
		if len(e.Players[i].Results) < round {
			free = append(free, i+1)
		}
	}
	return e, round, free
}

func TestHostsPairingsStandAndTheOthersKeepTheRules(t *testing.T) {
	paired, stuck := 0, 0
	for seed := range uint64(3000) {
		e, round, free := random(t, seed)
		r := rand.New(rand.NewPCG(seed, 12))
		var fixed []swiss.Pairing
		for left := free; len(left) > 1 && len(fixed) < 3 && r.IntN(4) > 0; {
			p := swiss.Pairing{First: left[0], Second: left[1]}
			if r.IntN(4) == 0 {
				p.Second = 0
			}
			fixed, left = append(fixed, p), left[1:]
			if !p.IsBye() {
				left = left[1:]
			}
		}
		before := fmt.Sprintf("%+v", e)
		got, err := swiss.PairAround(e, round, fixed)
		if fmt.Sprintf("%+v", e) != before {
			t.Fatalf("seed %d: the pairing changes the table", seed)
		}
		if errors.Is(err, swiss.ErrNoPairing) {
			stuck++
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		paired++
		var numbers []int
		var others []swiss.Pairing
		for i, p := range got {
			numbers = append(numbers, p.First)
			if !p.IsBye() {
				numbers = append(numbers, p.Second)
				if i > 0 && got[i-1].IsBye() {
					t.Errorf("seed %d: %v is below a bye", seed, p)
				}
			}
			if !slices.Contains(fixed, p) {
				others = append(others, p)
			}
		}
		slices.Sort(numbers)
		slices.Sort(free)
		if !slices.Equal(numbers, free) || len(others)+len(fixed) != len(got) {
			t.Errorf("seed %d: %v around %v, for the players %v", seed, got, fixed, free)
		}
		if list := swiss.Breaches(e, round, others); len(list) > 0 {
			t.Errorf("seed %d: %v around %v", seed, list, fixed)
		}
	}
	if paired < 2000 || stuck < 20 {
		t.Errorf("%d rounds were paired, %d could not be", paired, stuck)
	}
}

func TestPairingsOfTheSystemThatTheHostFixesChangeNothing(t *testing.T) {
	for seed := range uint64(1000) {
		e, round, _ := random(t, seed)
		want, err := swiss.Pair(e, round)
		if err != nil {
			continue
		}
		for _, fixed := range [][]swiss.Pairing{nil, want} {
			if got, err := swiss.PairAround(e, round, fixed); err != nil || !slices.Equal(got, want) {
				t.Fatalf("seed %d: %v, %v around %v; want %v", seed, got, err, fixed, want)
			}
		}
	}
}

// A late player whom the host pairs has come, so the players after them keep their places.
func TestLatePlayersOfTheHostsPairingsHaveAPlace(t *testing.T) {
	e := players(6)
	got, err := swiss.PairAround(e, 1, []swiss.Pairing{{First: 1, Second: 4}})
	want := []swiss.Pairing{{First: 1, Second: 4}, {First: 5, Second: 2}, {First: 3, Second: 6}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

func TestPlayersWhoAreNotFreeCannotBeFixed(t *testing.T) {
	e := players(6)
	e.Players[5].Results = []crosstable.Result{{Code: crosstable.HalfBye}}
	for _, fixed := range [][]swiss.Pairing{
		{{First: 1, Second: 6}}, {{First: 6}}, {{First: 1, Second: 1}}, {{First: 1, Second: 2}, {First: 2, Second: 3}},
		{{First: 1}, {First: 1}}, {{First: 7, Second: 1}}, {{First: -1}}, {{}},
	} {
		if got, err := swiss.PairAround(e, 1, fixed); !errors.Is(err, swiss.ErrNotFree) {
			t.Errorf("%v: %v, %v", fixed, got, err)
		}
	}
}

func TestRoundsCanBePairedIfThereIsAPairing(t *testing.T) {
	stuck := 0
	for seed := range uint64(3000) {
		e, round, _ := random(t, seed)
		_, err := swiss.Pair(e, round)
		if got := swiss.CanPair(e, round); got != (err == nil) {
			t.Errorf("seed %d, round %d: %v, but Pair: %v", seed, round, got, err)
		}
		if err != nil {
			stuck++
		}
	}
	if stuck < 10 {
		t.Errorf("only %d of the rounds have no pairing", stuck)
	}
}
