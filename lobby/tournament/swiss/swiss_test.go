package swiss_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	"mancala/lobby/tournament/crosstable"
	"mancala/lobby/tournament/simulation"
	"mancala/lobby/tournament/swiss"
)

// TestSwissKeepsItsRules plays random tournaments and looks for what must never happen.
func TestSwissKeepsItsRules(t *testing.T) {
	tournaments := uint64(2000)
	if os.Getenv("MANCALA_TEST_LONG") != "" {
		tournaments = 20000
	}
	for run := range tournaments {
		o := simulation.Options{
			Players: 4 + int(run%60), Rounds: 2 + int(run%9), Run: run, Withdrawals: int(run % 4 * 15),
			Late: int(run % 5 * 10), Byes: int(run % 7 * 10), Forfeits: int(run % 6 * 8), Draws: int(run % 9 * 10), Forbidden: int(run % 3 * 20),
		}
		e, err := simulation.Swiss(o)
		if err != nil && !errors.Is(err, swiss.ErrNoPairing) {
			t.Fatalf("run %d: %v", run, err)
		}
		for i := range e.Players {
			if wrong := breach(e, &e.Players[i]); wrong != "" {
				t.Errorf("run %d: player %d %s", run, i+1, wrong)
			}
		}
	}
}

// In each of these tournaments, the next bracket of a round has several pairings, and only some
// of them can be completed. An independent checker found the tournaments.
func TestIdealCandidateIsFoundWhereTheNextBracketHasSeveralPairings(t *testing.T) {
	for _, o := range []simulation.Options{
		{Players: 16, Rounds: 8, Run: 20190, Withdrawals: 40, Byes: 20, Draws: 30},
		{Players: 39, Rounds: 9, Run: 25799, Withdrawals: 60, Late: 40, Byes: 40, Forfeits: 50, Draws: 50},
	} {
		e, err := simulation.Swiss(o)
		if err != nil {
			t.Fatal(err)
		}
		for round := 1; round <= o.Rounds; round++ {
			got, err := swiss.Pair(e.Before(round), round)
			want, wantErr := swiss.PairByWeighing(e.Before(round), round)
			if err != nil || wantErr != nil || !slices.Equal(got, want) {
				t.Errorf("run %d, round %d: %v, %v; weighing finds %v, %v", o.Run, round, got, err, want, wantErr)
			}
		}
	}
}

// breach returns the rule of C.04.1 that the rounds of a player break, or "".
func breach(e *crosstable.Event, p *crosstable.Player) string {
	met := map[int]bool{}
	withoutPlaying, difference, same := 0, 0, 0
	last := false
	for i, r := range p.Results {
		switch {
		case r.Code == crosstable.PairingBye:
			if withoutPlaying > 0 {
				return "has a bye of the pairing after points for a win without playing"
			}
			withoutPlaying++
		case !r.Code.Played():
			if e.Points.Of(r.Code) >= e.Points.Win {
				withoutPlaying++
			}
			continue
		}
		if r.Opponent == 0 {
			continue
		}
		if forbids(e, i+1, p.Number, r.Opponent) {
			return fmt.Sprintf("meets %d, which the host forbids", r.Opponent)
		}
		if met[r.Opponent] {
			return fmt.Sprintf("meets %d twice", r.Opponent)
		}
		met[r.Opponent] = true
		if e.Player(r.Opponent).Results[i].Opponent != p.Number || e.Player(r.Opponent).Results[i].First == r.First {
			return fmt.Sprintf("and %d disagree about round %d", r.Opponent, i+1)
		}
		step := -1
		if r.First {
			step = 1
		}
		if same++; len(met) == 1 || r.First != last {
			same = 1
		}
		last = r.First
		difference += step
		lastRound := i+1 == e.Rounds // where top scorers may break these two
		if !lastRound && (same > 2 || difference > 2 || difference < -2) {
			return fmt.Sprintf("has moved first too often or too rarely by round %d", i+1)
		}
	}
	return ""
}

// forbids reports whether the host keeps two players apart in a round.
func forbids(e *crosstable.Event, round, a, b int) bool {
	return slices.ContainsFunc(e.Forbidden, func(f crosstable.Forbidden) bool {
		return f.Holds(round) && slices.Contains(f.Players, a) && slices.Contains(f.Players, b)
	})
}

func TestSixPlayersRunOutOfOpponents(t *testing.T) {
	e, err := simulation.Swiss(simulation.Options{Players: 6, Rounds: 7, Run: 1})
	if !errors.Is(err, swiss.ErrNoPairing) || e.Paired() > 5 {
		t.Errorf("%d rounds, %v; want at most 5 rounds and no pairing", e.Paired(), err)
	}
}

func TestFirstRoundPairsTheUpperHalfWithTheLower(t *testing.T) {
	e := players(9)
	want := []swiss.Pairing{{First: 1, Second: 5}, {First: 6, Second: 2}, {First: 3, Second: 7}, {First: 8, Second: 4}, {First: 9}}
	got, err := swiss.Pair(e, 1)
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

func TestForbiddenPlayersDoNotMeet(t *testing.T) {
	e := players(8)
	e.Forbidden = []crosstable.Forbidden{{Players: []int{1, 5, 6}, From: 1, To: 1}}
	got, err := swiss.Pair(e, 1)
	if err != nil || got[0] != (swiss.Pairing{First: 1, Second: 7}) {
		t.Errorf("%v, %v; want 1 against 7 on the first board", got, err)
	}
}

func TestLatePlayersHaveNoPlaceBeforeTheyCome(t *testing.T) {
	e := players(5)
	e.Players[0].Results = []crosstable.Result{{Code: crosstable.Absent}}
	got, err := swiss.Pair(e, 1) // number 2 has the first place, so they move first
	want := []swiss.Pairing{{First: 2, Second: 4}, {First: 5, Second: 3}}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

func TestCheckNamesWhatDiffers(t *testing.T) {
	e, err := simulation.Swiss(simulation.Options{Players: 12, Rounds: 4, Run: 3})
	if err != nil {
		t.Fatal(err)
	}
	for round := 1; round <= 4; round++ {
		if missing, foreign, err := swiss.Check(e, round); err != nil || len(missing)+len(foreign) != 0 {
			t.Errorf("round %d: %v, %v, %v", round, missing, foreign, err)
		}
	}
	pairings := swiss.Played(e, 4)
	a, b := pairings[0], pairings[1]
	swap := func(p, q int) { e.Player(p).Results[3].Opponent, e.Player(q).Results[3].Opponent = q, p }
	swap(a.First, b.Second)
	swap(b.First, a.Second)
	missing, foreign, err := swiss.Check(e, 4)
	if err != nil || len(missing) != 2 || len(foreign) != 2 {
		t.Errorf("%v, %v, %v; want two pairings each", missing, foreign, err)
	}
}

func players(n int) *crosstable.Event {
	e := &crosstable.Event{Rounds: 3, Points: crosstable.Usual, OddFirst: true}
	for i := range n {
		e.Players = append(e.Players, crosstable.Player{Number: i + 1})
	}
	return e
}

// BenchmarkRound pairs each of the rounds of a large tournament once; the figure is for one
// round.
func BenchmarkRound(b *testing.B) {
	for _, n := range []int{100, 500, 2000} {
		b.Run(fmt.Sprintf("players=%d", n), func(b *testing.B) {
			const rounds = 9
			e, err := simulation.Swiss(simulation.Options{Players: n, Rounds: rounds, Run: 5, Withdrawals: 10, Late: 5, Byes: 10, Forfeits: 2, Draws: 15})
			if err != nil {
				b.Fatal(err)
			}
			var before [rounds]*crosstable.Event
			for round := range before {
				before[round] = e.Before(round + 1)
			}
			for i := 0; b.Loop(); i++ {
				round := i%rounds + 1
				if _, err := swiss.Pair(before[round-1], round); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
