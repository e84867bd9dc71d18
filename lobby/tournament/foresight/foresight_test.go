package foresight_test

import (
	"errors"
	"fmt"
	"testing"

	"mancala/lobby/tournament/crosstable"
	"mancala/lobby/tournament/foresight"
	"mancala/lobby/tournament/simulation"
	"mancala/lobby/tournament/swiss"
)

func event(players, rounds int) *crosstable.Event {
	e := &crosstable.Event{Rounds: rounds, Points: crosstable.Usual}
	for i := range players {
		e.Players = append(e.Players, crosstable.Player{Number: i + 1, Rating: 2000 - 10*i})
	}
	return e
}

func TestHostKnowsBeforeTheStartWhetherTheRoundsCanBePaired(t *testing.T) {
	for _, tt := range []struct {
		players, rounds int
		safe            bool
		most            int // the last round that any tournament with this number of players can have
	}{
		{6, 7, false, 5},
		{2, 2, false, 1},
		{5, 6, false, 5},
		{8, 3, true, 3},
		{24, 5, true, 5},
		{100, 9, true, 9},
	} {
		got := foresight.Swiss(event(tt.players, tt.rounds), nil, 1)
		if got.Safe() != tt.safe || got.Last > tt.most || got.Last < 1 {
			t.Errorf("%d players, %d rounds: %+v", tt.players, tt.rounds, got)
		}
	}
}

func TestPlayersWhoHaveLeftAndForbiddenPairsCount(t *testing.T) {
	if got := foresight.Swiss(event(8, 5), []int{1, 2, 3, 4}, 1); got.Safe() || got.Last > 3 {
		t.Errorf("four players for five rounds: %+v", got)
	}
	e := event(6, 2)
	e.Forbidden = []crosstable.Forbidden{{Players: []int{1, 2, 3, 4, 5}, From: 1}}
	if got := foresight.Swiss(e, nil, 1); got.Last != 0 || got.Stuck != got.Trials {
		t.Errorf("five players who may not meet: %+v", got)
	}
}

// In the middle of a tournament the answer depends on what has been played. What it calls
// safe goes on, whatever the results are, and the question changes nothing.
func TestOutlookInTheMiddleHoldsForTheRest(t *testing.T) {
	safe := 0
	for run := range uint64(60) {
		e, err := simulation.Swiss(simulation.Options{Players: 6 + int(run%9), Rounds: 3, Run: run, Forfeits: 10, Draws: 20, Byes: 20})
		if errors.Is(err, swiss.ErrNoPairing) {
			continue
		}
		e.Rounds = 4
		before := fmt.Sprintf("%+v", e)
		outlook := foresight.Swiss(e, nil, run)
		if fmt.Sprintf("%+v", e) != before {
			t.Fatal("the question changes the table")
		}
		_, err = swiss.Pair(e, 4)
		if outlook.Safe() {
			safe++
		}
		if outlook.Safe() != (err == nil) || !outlook.Safe() && outlook.Last != 3 {
			t.Errorf("run %d: %+v, but the next round: %v", run, outlook, err)
		}
	}
	if safe < 30 {
		t.Errorf("only %d of 60 tournaments can go on", safe)
	}
}

func BenchmarkSwissOf500(b *testing.B) {
	e := event(500, 9)
	for b.Loop() {
		foresight.Swiss(e, nil, 1)
	}
}
