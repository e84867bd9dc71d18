package tiebreak_test

import (
	"fmt"
	"strings"
	"testing"

	"mancala/lobby/tournament/crosstable"
	"mancala/lobby/tournament/roundrobin"
	"mancala/lobby/tournament/tiebreak"
)

// The cross-tables below have a row for each player, with the results against players 1, 2 and so on.

// odd is a round robin of five players. Players 1 and 3 have two points and a half each, and the
// same results against every other player. Player 1 has no opponent in round 1, and player 3 none in
// round 5.
var odd = []string{
	"* 1 = 0 1", // 2½
	"0 * 0 0 =", // ½
	"= 1 * 0 1", // 2½
	"1 1 1 * 1", // 4
	"0 = 0 0 *", // ½
}

// walkovers is a round robin of six players. Player 6 leaves after three games, so that players 5
// and 3 win a game each without playing it, in rounds 4 and 5.
var walkovers = []string{
	"* 1 = 0 1 1", // 3½
	"0 * 0 0 = 1", // 1½
	"= 1 * 0 1 +", // 3½
	"1 1 1 * 1 =", // 4½
	"0 = 0 0 * +", // 1½
	"0 0 - = - *", // ½
}

// fixed returns a tournament with the pairings of the Berger tables and the results of a cross-table. Each
// player has two results against each other in a double round robin. A dot is a result that does not count.
func fixed(rows []string) *crosstable.Event {
	n, double := len(rows), len(strings.Fields(rows[0])[1]) == 2
	e := &crosstable.Event{System: crosstable.RoundRobin, Rounds: roundrobin.Rounds(n, double), Points: crosstable.Usual}
	if double {
		e.System = crosstable.DoubleRoundRobin
	}
	for i := range rows {
		e.Players = append(e.Players, crosstable.Player{Number: i + 1})
	}
	enter := func(number int, r crosstable.Result) {
		p := e.Player(number)
		cell := "."
		if r.Opponent != 0 {
			cell = strings.Fields(rows[number-1])[r.Opponent-1]
		}
		if cell == "." {
			r = crosstable.Result{Code: roundrobin.ByeCode}
		} else {
			r.Code = crosstable.Code(cell[len(p.Results)/roundrobin.Rounds(n, false)])
		}
		p.Results = append(p.Results, r)
	}
	for round := 1; round <= e.Rounds; round++ {
		for _, p := range roundrobin.Pairings(n, round, double) {
			enter(p.First, crosstable.Result{Opponent: p.Second, First: true})
			if !p.IsBye() {
				enter(p.Second, crosstable.Result{Opponent: p.First})
			}
		}
	}
	return e
}

// standings returns the places and the numbers of the players, such as "1:4 2:1 2:3", and by number how each
// tie-break comes about.
func standings(t *testing.T, e *crosstable.Event, list string) (places string, whys map[int][]string) {
	t.Helper()
	rules, err := tiebreak.Parse(list)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	whys = map[int][]string{}
	for _, row := range tiebreak.Standings(e, rules) {
		words = append(words, fmt.Sprintf("%d:%d", row.Place, row.Number))
		for _, v := range row.Values {
			whys[row.Number] = append(whys[row.Number], v.Why.String())
		}
	}
	return strings.Join(words, " "), whys
}

// because is how a tie-break comes about for a player.
type because struct {
	code   string
	number int
	want   string
}

func (b because) check(t *testing.T, e *crosstable.Event) {
	t.Helper()
	if _, whys := standings(t, e, b.code); whys[b.number][0] != b.want {
		t.Errorf("%s of player %d: %q, want %q", b.code, b.number, whys[b.number][0], b.want)
	}
}

// Adjusted scores and dummy opponents are rules for a Swiss (C.07, articles 15 and 16). In a round robin
// with an odd number of players, every player has a round without an opponent.
func TestRoundWithoutAnOpponentCountsNothingInARoundRobin(t *testing.T) {
	e := fixed(odd)
	for _, b := range []because{
		{"SB", 1, "2.25 = 0.5×1 + 2.5×0.5 + 4×0 + 0.5×1"},
		{"SB", 3, "2.25 = 4×0 + 0.5×1 + 2.5×0.5 + 0.5×1"},
		{"BH", 1, "7.5 = 0.5 + 2.5 + 4 + 0.5"},
		{"BH", 3, "7.5 = 4 + 0.5 + 2.5 + 0.5"},
		{"BH/C1", 3, "7 = 4 + 2.5 + 0.5, without 0.5"},
		{"PS", 3, "7.5 = 0 + 1 + 1.5 + 2.5 + 2.5"}, // the points of round 5 are those of round 4
	} {
		b.check(t, e)
	}
	if places, _ := standings(t, e, "SB,DE,WON,KS"); places != "1:4 2:1 2:3 4:2 4:5" {
		t.Errorf("places %s", places)
	}
}

// A forfeit is a regular game where the pairings are predetermined (C.07, article 15.2).
func TestForfeitIsAGameInARoundRobin(t *testing.T) {
	e := fixed(walkovers)
	for _, b := range []because{
		{"SB", 1, "5.25 = 0.5×1 + 1.5×1 + 3.5×0.5 + 4.5×0 + 1.5×1"},
		{"SB", 3, "5.25 = 4.5×0 + 1.5×1 + 3.5×0.5 + 1.5×1 + 0.5×1"}, // the absent player's half point in round 5
		{"SB", 6, "2.25 = 3.5×0 + 4.5×0.5 + 1.5×0 + 1.5×0 + 3.5×0"},
		{"BH/C1", 6, "13 = 3.5 + 4.5 + 1.5 + 3.5, without 1.5"},
		{"KS", 6, "0.5 = 0 + 0.5 + 0"},
		{"WIN", 3, "3: rounds 2, 4, 5"},
		{"WON", 3, "2: rounds 2, 4"}, // at the board
		{"WON", 1, "3: rounds 1, 2, 5"},
	} {
		b.check(t, e)
	}
	for list, want := range map[string]string{
		"SB":        "1:4 2:1 2:3 4:2 4:5 6:6",
		"SB,DE":     "1:4 2:1 2:3 4:2 4:5 6:6", // both pairs have drawn
		"SB,DE,WON": "1:4 2:1 3:3 4:2 5:5 6:6",
	} {
		if places, _ := standings(t, e, list); places != want {
			t.Errorf("%s: places %s, want %s", list, places, want)
		}
	}
}

func TestForfeitDecidesTheDirectEncounterOfARoundRobin(t *testing.T) {
	e := fixed([]string{
		"* + 0 1", // 2
		"- * 1 1", // 2
		"1 0 * =", // 1½
		"0 0 = *", // ½
	})
	because{"DE", 1, "1 in games of the tied players (1 of 1 met)"}.check(t, e)
	if places, _ := standings(t, e, "DE"); places != "1:1 2:2 3:3 4:4" {
		t.Errorf("places %s", places)
	}
	e.System = crosstable.Swiss // where only played games count (6.1.1)
	if places, _ := standings(t, e, "DE"); places != "1:1 1:2 3:3 4:4" {
		t.Errorf("places %s in a Swiss", places)
	}
}

// The maximum of a round robin is a win in each game (C.07, article 9.2). Here player 3 has half of it.
func TestKoyaTakesHalfOfTheGamesOfARoundRobin(t *testing.T) {
	for _, tt := range []struct {
		name string
		rows []string
		want []string // by player
	}{
		{
			"five players have four games each, half is 2", []string{
				"* 1 1 1 1", // 4
				"0 * 1 1 1", // 3
				"0 0 * 1 1", // 2
				"0 0 0 * 1", // 1
				"0 0 0 0 *", // 0
			}, []string{"2 = 1 + 1", "1 = 0 + 1", "0 = 0 + 0", "0 = 0 + 0 + 0", "0 = 0 + 0 + 0"},
		}, {
			"with two cycles they have eight games each, half is 4", []string{
				"** 11 11 11 11", // 8
				"00 ** 11 11 11", // 6
				"00 00 ** 11 11", // 4
				"00 00 00 ** 11", // 2
				"00 00 00 00 **", // 0
			}, []string{
				"4 = 1 + 1 + 1 + 1", "2 = 0 + 1 + 0 + 1", "0 = 0 + 0 + 0 + 0",
				"0 = 0 + 0 + 0 + 0 + 0 + 0", "0 = 0 + 0 + 0 + 0 + 0 + 0",
			},
		}, {
			"six players have five games each, half is 2.5", []string{
				"* 1 1 1 1 1", // 5
				"0 * 1 1 1 1", // 4
				"0 0 * = 1 1", // 2½
				"0 0 = * 1 =", // 2
				"0 0 0 0 * 1", // 1
				"0 0 0 = 0 *", // ½
			}, []string{"2 = 1 + 1", "1 = 0 + 1", "0 = 0 + 0", "0.5 = 0.5 + 0 + 0", "0 = 0 + 0 + 0", "0 = 0 + 0 + 0"},
		}, {
			"the results of the sixth player do not count, half is 2", []string{
				"* 1 1 1 1 .", // 4
				"0 * 1 1 1 .", // 3
				"0 0 * 1 1 .", // 2
				"0 0 0 * 1 .", // 1
				"0 0 0 0 * .", // 0
				". . . . . *",
			}, []string{"2 = 1 + 1", "1 = 0 + 1", "0 = 0 + 0", "0 = 0 + 0 + 0", "0 = 0 + 0 + 0", "0"},
		},
	} {
		e := fixed(tt.rows)
		for i, want := range tt.want {
			if _, whys := standings(t, e, "KS"); whys[i+1][0] != want {
				t.Errorf("%s: player %d has %q, want %q", tt.name, i+1, whys[i+1][0], want)
			}
		}
	}
}

// In a double round robin the average of two games can be a quarter of a point (C.07, article 6.1.2).
func TestDirectEncounterOfTwoGamesCountsQuartersOfAPoint(t *testing.T) {
	e := fixed([]string{ // three points each
		"** == 1= =0",
		"== ** == ==",
		"0= == ** 1=",
		"=1 == 0= **",
	})
	because{"DE", 1, "1.5 in games of the tied players (3 of 3 met)"}.check(t, e)
	if places, _ := standings(t, e, "SB,DE"); places != "1:1 1:2 1:3 1:4" {
		t.Errorf("places %s", places)
	}
	e = fixed([]string{
		"** 1= 00 ==", // 2½
		"0= ** 11 00", // 2½
		"11 00 ** 11", // 4
		"== 11 00 **", // 3
	})
	because{"DE", 1, "0.75 in games of the tied players (1 of 1 met)"}.check(t, e)
	because{"DE", 2, "0.25 in games of the tied players (1 of 1 met)"}.check(t, e)
}
