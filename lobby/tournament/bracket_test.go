package tournament_test

import (
	"math/rand/v2"
	"testing"

	"mancala/lobby/tournament"
)

func TestRandomKnockoutHasOneChampion(t *testing.T) {
	for run := range uint64(120) {
		rng := rand.New(rand.NewPCG(run, 23))
		h := open(t, tournament.Settings{
			Format: tournament.Knockout, Games: 1 + int(run%2), BySeeds: run%4 == 1, ThirdPlace: run%3 == 0, Extra: int(run % 3), SeedNumberDecides: run%5 == 0,
		})
		n := 2 + rng.IntN(30)
		h.join(n)
		rounds := 0
		for ; 1<<rounds < n; rounds++ {
			if players := h.state().Players; rounds > 0 && rng.IntN(3) == 0 {
				if p := players[rng.IntN(n)]; !p.Out {
					h.must(host, tournament.KindLeave, tournament.Order{Player: p.ID})
				}
			}
			h.start()
			h.playRound(func() int { return rng.IntN(3) })
		}
		h.refused(tournament.CodeNoRound, host, tournament.KindStart, tournament.Order{Round: rounds + 1})
		h.must(host, tournament.KindFinish, nil)
		h.agrees()
		s := h.state()
		list := s.Standings()
		if len(list) != n || list[0].Place != 1 || list[1].Place != 2 {
			t.Fatalf("run %d, %d players: %+v", run, n, list)
		}
		if final := s.Rounds[rounds-1][0]; winner(final) != list[0].Number {
			t.Errorf("run %d: %d is first, and the final is %+v", run, list[0].Number, final)
		}
		for round, boards := range s.Rounds {
			for _, b := range boards {
				if round+1 < rounds && !plays(s.Rounds[round+1], winner(b)) {
					t.Errorf("run %d, round %d: the winner of %+v does not play on", run, round+1, b)
				}
			}
		}
	}
}

// winner returns the number of the player who goes through, or 0.
func winner(b tournament.Board) int {
	switch b.Result {
	case tournament.FirstWins, tournament.FirstUnplayed, tournament.Bye:
		return b.First
	case tournament.SecondWins, tournament.SecondUnplayed:
		return b.Second
	}
	return 0
}

func plays(boards []tournament.Board, number int) bool {
	for _, b := range boards {
		if number == 0 || b.First == number || b.Second == number {
			return true
		}
	}
	return false
}

// A level match goes on with a pair of games in which each moves first once, and then with a
// game in which the worse seed number moves first and a draw is enough for the other.
func TestLevelMatchIsDecidedByItsSettings(t *testing.T) {
	h := open(t, tournament.Settings{Format: tournament.Knockout, Games: 2, Extra: 1})
	h.join(2)
	h.start()
	var first []string
	h.playRound(func() int {
		return 2
	})
	b := h.state().Rounds[0][0]
	for _, g := range b.Games {
		first = append(first, map[bool]string{false: id(b.First), true: id(b.Second)}[g.Swapped])
	}
	if len(b.Games) != 5 || first[0] == first[1] || first[2] == first[3] || first[4] != "p2" || winner(b) != 1 {
		t.Errorf("first moves %v, board %+v", first, b)
	}
}

// In the second game the other player moves first, so the winners' seats are not their players.
func TestMatchIsScoredByGamesOrBySeeds(t *testing.T) {
	for _, tt := range []struct {
		bySeeds  bool
		outcomes [2]int // the winning seats
		seeds    [2][2]int
		firstWon bool
	}{
		{false, [2]int{0, 1}, [2][2]int{{25, 23}, {23, 25}}, true},
		{false, [2]int{1, 0}, [2][2]int{{23, 25}, {25, 23}}, false},
		{true, [2]int{0, 0}, [2][2]int{{40, 8}, {25, 23}}, true},
		{true, [2]int{0, 0}, [2][2]int{{25, 23}, {40, 8}}, false},
	} {
		h := open(t, tournament.Settings{Format: tournament.Knockout, Games: 2, BySeeds: tt.bySeeds})
		h.join(2)
		h.start()
		for n := range tt.outcomes {
			h.report(h.openGames()[0], tt.outcomes[n], tt.seeds[n][:]...)
		}
		b := h.state().Rounds[0][0]
		if won := b.Result == tournament.FirstWins; won != tt.firstWon || len(b.Games) != 2 {
			t.Errorf("%+v: %+v", tt, b)
		}
	}
}

func TestMatchThatWasPlayedCanBeForfeited(t *testing.T) {
	for result, wins := range map[string]bool{tournament.SecondUnplayed: true, tournament.Neither: false} {
		h := open(t, tournament.Settings{Format: tournament.Knockout})
		h.join(4)
		h.start()
		h.playRound(func() int { return 0 })
		b := h.state().Rounds[0][0]
		h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: result, Reason: "disqualified"})
		h.start()
		if final := h.state().Rounds[1]; plays(final, b.First) || plays(final, b.Second) != wins {
			t.Errorf("%s: the final is %+v after %+v", result, final, b)
		}
		h.agrees()
	}
}

func TestHostDecidesAMatchUntilItsWinnerPlaysOn(t *testing.T) {
	h := open(t, tournament.Settings{Format: tournament.Knockout})
	h.join(4)
	h.start()
	h.playRound(func() int { return 0 })
	b := h.state().Rounds[0][0]
	h.refused("bad-command", host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: tournament.Drawn})
	h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: tournament.SecondWins, Reason: "the first one gave up"})
	h.start()
	if !plays(h.state().Rounds[1], b.Second) || plays(h.state().Rounds[1], b.First) {
		t.Errorf("the final is %+v, want it with %d", h.state().Rounds[1], b.Second)
	}
	h.refused(tournament.CodeStarted, host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: tournament.FirstWins})
	h.agrees()
}
