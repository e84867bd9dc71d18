package tiebreak_test

import (
	"fmt"
	"strings"
	"testing"

	"mancala/lobby/tournament/crosstable"
	"mancala/lobby/tournament/tiebreak"
	"mancala/lobby/tournament/trf"
)

// five is a tournament of three rounds with every kind of round without a game. Cleo and Dan
// are tied and have met, Ben has left after two rounds.
const five = `142 3
152 W
001    1      Ada                               1800                             2.5    1     4 w 1     3 b =     2 w +
001    2      Ben                               1700                             1.0    4     5 b 1     4 w 0     1 b -
001    3      Cleo                              1600                             1.5    3  0000 - H     1 w =     5 b =
001    4      Dan                               1500                             2.0    2     1 b 0     2 b 1  0000 - U
001    5      Eve                                                                1.0    5     2 w 0  0000 - H     3 w =
### seeds    1 +10 0 0
### seeds    2 +7 -3 0
### seeds    3 0 0 +1
### seeds    4 -10 +3 0
### seeds    5 -7 0 -1
`

func read(t *testing.T, text string) *crosstable.Event {
	t.Helper()
	e, err := trf.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestTieBreaksSayHowTheyComeAbout(t *testing.T) {
	e := read(t, five)
	for _, tt := range []struct{ code, ada, ben, cleo, dan, eve string }{
		// Ben did not come to round 3 against Ada, who counts herself there; Ben, too. Eve counts
		// half a point of Cleo's for the bye that Cleo asked for, since Cleo played on.
		{"BH", "6 = 2 + 1.5 + 2.5", "4 = 1 + 2 + 1", "5 = 1.5 + 2.5 + 1", "5.5 = 2.5 + 1 + 2", "3.5 = 1 + 1 + 1.5"},
		{"BH/C1", "4.5 = 2 + 2.5, without 1.5", "3 = 1 + 2, without 1", "3.5 = 2.5 + 1, without 1.5", "4.5 = 2.5 + 2, without 1", "2.5 = 1 + 1.5, without 1"},
		{"BH/M1", "2 = 2, without 1.5 and 2.5", "1 = 1, without 1 and 2", "1 = 1, without 1.5 and 2.5", "2 = 2, without 1 and 2.5", "1 = 1, without 1 and 1.5"},
		{"SB", "5.25 = 2×1 + 1.5×0.5 + 2.5×1", "1 = 1×1 + 2×0 + 1×0", "2.5 = 1.5×0.5 + 2.5×0.5 + 1×0.5", "3 = 2.5×0 + 1×1 + 2×1", "1.25 = 1×0 + 1×0.5 + 1.5×0.5"},
		{"PS", "5 = 1 + 1.5 + 2.5", "3 = 1 + 1 + 1", "3 = 0.5 + 1 + 1.5", "3 = 0 + 1 + 2", "1.5 = 0 + 0.5 + 1"},
		{"KS", "1.5 = 1 + 0.5", "0 = 0 + 0", "0.5 = 0.5", "0 = 0", "0.5 = 0.5"},
		{"WIN", "2: rounds 1, 3", "1: rounds 1", "0", "2: rounds 2, 3", "0"},
		{"WON", "1: rounds 1", "1: rounds 1", "0", "1: rounds 2", "0"},
		{"SEEDS", "+10: +10 +0", "+4: +7 -3", "+1: +0 +1", "-7: -10 +3", "-8: -7 -1"},
		{"TPR", "1743: 1550 for opponents of 1550 on average, +193 for 75 %", "700: 1500 for opponents of 1500 on average, -800 for 0 %", "1800: 1800 for opponents of 1800 on average, +0 for 50 %", "1750: 1750 for opponents of 1750 on average, +0 for 50 %", "1457: 1650 for opponents of 1650 on average, -193 for 25 %"},
	} {
		rules, err := tiebreak.Parse(tt.code)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{tt.ada, tt.ben, tt.cleo, tt.dan, tt.eve}
		for _, row := range tiebreak.Standings(e, rules) {
			why := row.Values[0].Why.String()
			if why != want[row.Number-1] && !strings.HasPrefix(why, want[row.Number-1]+": ") {
				t.Errorf("%s of %s: %q, want %q", tt.code, e.Player(row.Number).Name, why, want[row.Number-1])
			}
		}
	}
}

func TestDirectEncounterLooksAtTiedPlayersAlone(t *testing.T) {
	for _, tt := range []struct {
		what, want string   // places by number
		games      [][2]int // who beats whom
	}{
		{"a chain of wins is no order", "1 1 1", [][2]int{{1, 2}, {2, 3}, {3, 1}}},
		{"all have met", "1 2 3", [][2]int{{1, 2}, {1, 3}, {2, 3}, {4, 1}, {4, 1}, {4, 2}, {2, 5}, {3, 5}, {3, 5}}},
		{"the first stays ahead even if the others had won", "1 2 2", [][2]int{{1, 2}, {1, 3}, {2, 5}, {2, 5}, {3, 5}, {3, 5}}},
		{"a game that was not played may have changed the order", "1 1 1", [][2]int{{1, 2}, {2, 5}, {3, 5}}},
	} {
		e := &crosstable.Event{Points: crosstable.Usual, Players: make([]crosstable.Player, 5)}
		for i := range e.Players {
			e.Players[i].Number = i + 1
		}
		for _, g := range tt.games { // one game in each round
			for i := range e.Players {
				r := crosstable.Result{Code: crosstable.Absent}
				switch i + 1 {
				case g[0]:
					r = crosstable.Result{Opponent: g[1], First: true, Code: crosstable.Win}
				case g[1]:
					r = crosstable.Result{Opponent: g[0], Code: crosstable.Loss}
				}
				e.Players[i].Results = append(e.Players[i].Results, r)
			}
		}
		rules, err := tiebreak.Parse("DE")
		if err != nil {
			t.Fatal(err)
		}
		places := map[int]int{}
		first := 0
		for _, row := range tiebreak.Standings(e, rules) {
			if row.Number <= 3 {
				if first == 0 {
					first = row.Place
				}
				places[row.Number] = row.Place - first + 1
				if worth := row.Values[0].Hundredths; (worth == 0) != (tt.want == "1 1 1") {
					t.Errorf("%s: player %d has the value %d", tt.what, row.Number, worth)
				}
			}
		}
		if got := fmt.Sprint(places[1], places[2], places[3]); got != tt.want {
			t.Errorf("%s: places %s, want %s", tt.what, got, tt.want)
		}
	}
}

func TestTieBreaksThatNobodyKnowsAreRefused(t *testing.T) {
	for _, list := range []string{"", "XX", "BH,,SB", "DE,DE"} {
		if _, err := tiebreak.Parse(list); err == nil {
			t.Errorf("%q is accepted", list)
		}
	}
	if rules, err := tiebreak.Parse(" bh-c1, SB"); err != nil || rules[0].Code != "BH/C1" {
		t.Errorf("%v, %v", rules, err)
	}
}
