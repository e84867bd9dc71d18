package swiss_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"mancala/lobby/tournament/crosstable"
	"mancala/lobby/tournament/simulation"
	"mancala/lobby/tournament/swiss"
)

func TestPairingsOfTheSystemBreakNoRule(t *testing.T) {
	for run := range uint64(300) {
		e, err := simulation.Swiss(simulation.Options{Players: 5 + int(run%20), Rounds: 3, Run: run, Withdrawals: 20, Late: 20, Byes: 30, Forfeits: 20, Draws: 30})
		if err != nil {
			continue
		}
		e.Rounds = 4 + int(run%2)
		e.Forbidden = []crosstable.Forbidden{{Players: []int{1, 2}, From: 1}}
		pairings, err := swiss.Pair(e, 4)
		if errors.Is(err, swiss.ErrNoPairing) {
			continue
		}
		if list := swiss.Breaches(e, 4, pairings); len(list) > 0 {
			t.Errorf("run %d: %v", run, list)
		}
	}
}

// Pairings by chance are compared with the rules themselves.
func TestBreachesAreThoseOfTheRules(t *testing.T) {
	found := map[swiss.Reason]int{}
	for run := range uint64(300) {
		e, err := simulation.Swiss(simulation.Options{Players: 6 + int(run%6), Rounds: 4, Run: run, Byes: 20, Forfeits: 20, Draws: 30})
		if err != nil {
			continue
		}
		e.Rounds = 9 // no top scorers, who may both move first
		e.Forbidden = []crosstable.Forbidden{{Players: []int{1, 2, 3}, From: 5, To: 5}, {Players: []int{4, 5}, From: 1, To: 4}}
		r := rand.New(rand.NewPCG(run, 1))
		for range 10 {
			order := r.Perm(len(e.Players))
			p := swiss.Pairing{First: order[0] + 1, Second: order[1] + 1}
			if r.IntN(4) == 0 {
				p.Second = 0
			}
			got := swiss.Breaches(e, 5, []swiss.Pairing{p})
			want := brokenRule(e, p)
			switch {
			case want == "" && len(got) > 0, want != "" && (len(got) != 1 || got[0].Reason != want):
				t.Fatalf("run %d, %v: %v, want %q", run, p, got, want)
			case len(got) > 0:
				found[got[0].Reason]++
			}
		}
	}
	for _, reason := range []swiss.Reason{swiss.HaveMet, swiss.SecondBye, swiss.Forbidden, swiss.SameStart} {
		if found[reason] < 3 {
			t.Errorf("%s was found %d times", reason, found[reason])
		}
	}
}

// brokenRule returns the first rule that a pairing breaks, or "".
func brokenRule(e *crosstable.Event, p swiss.Pairing) swiss.Reason {
	for _, r := range e.Player(p.First).Results {
		switch {
		case p.Second != 0 && r.Opponent == p.Second && r.Code.Played():
			return swiss.HaveMet
		case p.Second == 0 && (r.Code == crosstable.PairingBye || r.Code == crosstable.FullBye || r.Code == crosstable.ForfeitWin):
			return swiss.SecondBye
		}
	}
	if p.Second != 0 && p.First <= 3 && p.Second <= 3 {
		return swiss.Forbidden
	}
	if p.Second != 0 && (startsTooOften(e, p.First, true) || startsTooOften(e, p.Second, false)) {
		return swiss.SameStart
	}
	return ""
}

// startsTooOften reports whether one more start would be the third of its kind in a row, or
// the third more than of the other kind.
func startsTooOften(e *crosstable.Event, number int, first bool) bool {
	same, more := 1, 1
	for _, r := range e.Player(number).Results {
		switch {
		case !r.Code.Played() || r.Opponent == 0:
		case r.First == first:
			same, more = same+1, more+1
		default:
			same, more = 1, more-1
		}
	}
	return same > 2 || more > 2
}
