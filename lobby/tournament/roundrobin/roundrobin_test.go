package roundrobin_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"mancala/lobby/tournament/crosstable"
	"mancala/lobby/tournament/roundrobin"
)

// handbook are the tables of C.05, Annex 1. A number that no player has is a bye.
var handbook = map[int]string{
	4: `1-4 2-3
4-3 1-2
2-4 3-1`,
	6: `1-6 2-5 3-4
6-4 5-3 1-2
2-6 3-1 4-5
6-5 1-4 2-3
3-6 4-2 5-1`,
	8: `1-8 2-7 3-6 4-5
8-5 6-4 7-3 1-2
2-8 3-1 4-7 5-6
8-6 7-5 1-4 2-3
3-8 4-2 5-1 6-7
8-7 1-6 2-5 3-4
4-8 5-3 6-2 7-1`,
	10: `1-10 2-9 3-8 4-7 5-6
10-6 7-5 8-4 9-3 1-2
2-10 3-1 4-9 5-8 6-7
10-7 8-6 9-5 1-4 2-3
3-10 4-2 5-1 6-9 7-8
10-8 9-7 1-6 2-5 3-4
4-10 5-3 6-2 7-1 8-9
10-9 1-8 2-7 3-6 4-5
5-10 6-4 7-3 8-2 9-1`,
}

func TestPairingsAreThoseOfTheHandbook(t *testing.T) {
	for n, table := range handbook {
		for i, line := range strings.Split(table, "\n") {
			var words []string
			for _, p := range roundrobin.Pairings(n, i+1, false) {
				words = append(words, p.String())
			}
			if got := strings.Join(words, " "); got != line {
				t.Errorf("%d players, round %d: %s, want %s", n, i+1, got, line)
			}
		}
	}
}

func TestOddNumbersGiveTheOpponentOfTheMissingPlayerABye(t *testing.T) {
	for round := 1; round <= 7; round++ {
		full, odd := roundrobin.Pairings(8, round, false), roundrobin.Pairings(7, round, false)
		bye := odd[len(odd)-1]
		if fmt.Sprint(full[1:]) != fmt.Sprint(odd[:len(odd)-1]) || !bye.IsBye() || bye.First != min(full[0].First, full[0].Second) {
			t.Errorf("round %d: %v, with 8 players %v", round, odd, full)
		}
	}
}

func TestEverybodyMeetsEverybodyAndStartsHalfOfTheGames(t *testing.T) {
	for n := 2; n <= 130; n++ {
		for _, double := range []bool{false, true} {
			if wrong := breach(n, double); wrong != "" {
				t.Errorf("%d players, double %v: %s", n, double, wrong)
			}
		}
	}
}

// breach returns what a whole tournament of n players gets wrong, or "".
func breach(n int, double bool) string {
	met := map[crosstable.Pairing]bool{}
	difference, same, games := make([]int, n+1), make([]int, n+1), make([]int, n+1)
	last := make([]bool, n+1)
	byes := make([]int, n+1)
	for round := 1; round <= roundrobin.Rounds(n, double); round++ {
		seen := map[int]bool{0: true}
		start := func(number int, first bool) string {
			if seen[number] {
				return fmt.Sprintf("number %d is there twice in round %d", number, round)
			}
			seen[number] = true
			if games[number]++; games[number] == 1 || last[number] != first {
				same[number] = 0
			}
			same[number]++
			last[number] = first
			difference[number]--
			if first {
				difference[number] += 2
			}
			if same[number] > 2 {
				return fmt.Sprintf("number %d has the same start %d times in a row in round %d", number, same[number], round)
			}
			return ""
		}
		pairings := roundrobin.Pairings(n, round, double)
		for _, p := range pairings {
			if p.IsBye() {
				byes[p.First]++
				seen[p.First] = true
				continue
			}
			if wrong := start(p.First, true) + start(p.Second, false); wrong != "" {
				return wrong
			}
			if met[p] || !double && met[crosstable.Pairing{First: p.Second, Second: p.First}] {
				return fmt.Sprintf("%v is there twice", p)
			}
			met[p] = true
		}
		if len(seen) != n+1 {
			return fmt.Sprintf("round %d has %d of the players", round, len(seen)-1)
		}
	}
	cycles := 1
	if double {
		cycles = 2
	}
	if len(met) != cycles*n*(n-1)/2 {
		return fmt.Sprintf("%d games", len(met))
	}
	for number := 1; number <= n; number++ {
		most := 1
		if double || n%2 == 1 {
			most = 0
		}
		if difference[number] > most || difference[number] < -most {
			return fmt.Sprintf("number %d moves first %+d times", number, difference[number])
		}
		if byes[number] != cycles*(n%2) {
			return fmt.Sprintf("number %d has %d byes", number, byes[number])
		}
	}
	return ""
}

func TestRoundsThatDoNotExistHaveNoPairings(t *testing.T) {
	for _, tt := range []struct{ n, round int }{{0, 1}, {1, 1}, {2, 0}, {2, 2}, {5, 6}, {6, 6}, {6, -1}} {
		if got := roundrobin.Pairings(tt.n, tt.round, false); got != nil {
			t.Errorf("%d players, round %d: %v", tt.n, tt.round, got)
		}
	}
}

// unplayed returns how a pairing ends in which a player has left the tournament, and reports
// whether there is no game.
func unplayed(p crosstable.Pairing, gone func(number int) bool) (first, second crosstable.Code, without bool) {
	switch {
	case p.IsBye():
		return roundrobin.ByeCode, 0, true
	case gone(p.First) && gone(p.Second):
		return crosstable.ForfeitLoss, crosstable.ForfeitLoss, true
	case gone(p.First):
		return crosstable.ForfeitLoss, crosstable.ForfeitWin, true
	case gone(p.Second):
		return crosstable.ForfeitWin, crosstable.ForfeitLoss, true
	}
	return 0, 0, false
}

// TestResultsOfPlayersWhoLeaveEarlyDoNotCount plays random tournaments in which players leave.
func TestResultsOfPlayersWhoLeaveEarlyDoNotCount(t *testing.T) {
	for run := range uint64(2000) {
		r := rand.New(rand.NewPCG(run, 1))
		n, double := 2+r.IntN(14), r.IntN(2) == 0
		e := &crosstable.Event{Rounds: roundrobin.Rounds(n, double), Points: crosstable.Usual}
		leaves := make([]int, n+1) // the round before which a player leaves, or 0
		var gone []int
		for number := 1; number <= n; number++ {
			e.Players = append(e.Players, crosstable.Player{Number: number})
			if r.IntN(4) == 0 {
				leaves[number] = 1 + r.IntN(e.Rounds)
				gone = append(gone, number)
			}
		}
		games := make([]int, n+1)
		for round := 1; round <= e.Rounds; round++ {
			for _, p := range roundrobin.Pairings(n, round, double) {
				first, second, without := unplayed(p, func(number int) bool {
					return leaves[number] != 0 && round >= leaves[number]
				})
				if !without {
					first, second = crosstable.Win, crosstable.Loss
					games[p.First]++
					games[p.Second]++
				}
				add := func(number int, result crosstable.Result) {
					e.Player(number).Results = append(e.Player(number).Results, result)
				}
				add(p.First, crosstable.Result{Opponent: p.Second, First: true, Code: first})
				if !p.IsBye() {
					add(p.Second, crosstable.Result{Opponent: p.First, Code: second})
				}
			}
		}
		all := n - 1
		if double {
			all *= 2
		}
		dropped := func(number int) bool { return number > 0 && leaves[number] != 0 && 2*games[number] < all }
		counted := roundrobin.Counted(e, gone)
		for i := range e.Players {
			for round, result := range e.Players[i].Results {
				got := counted.Players[i].Results[round]
				want := result
				if dropped(i+1) || dropped(result.Opponent) {
					want = crosstable.Result{Code: crosstable.Absent}
				}
				if got != want {
					t.Fatalf("run %d: number %d has %v in round %d, want %v", run, i+1, got, round+1, want)
				}
			}
			if dropped(i+1) && counted.Score(&counted.Players[i], e.Rounds) != 0 {
				t.Fatalf("run %d: number %d has points", run, i+1)
			}
		}
	}
}

// BenchmarkTournament makes all rounds of a tournament of 100 players.
func BenchmarkTournament(b *testing.B) {
	for b.Loop() {
		for round := 1; round <= roundrobin.Rounds(100, false); round++ {
			roundrobin.Pairings(100, round, false)
		}
	}
}
