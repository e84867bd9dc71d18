package tournament_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mancala/lobby/tournament"
)

// playTable plays a round robin with the results of a cross-table, which has a row for each player. The
// last player leaves after a number of rounds.
func (h *hall) playTable(rows []string, leaves int) {
	h.Helper()
	h.join(len(rows))
	for round := 1; round <= len(rows)-1+len(rows)%2; round++ {
		h.start()
		for _, g := range h.openGames() {
			var first, second int
			fmt.Sscan(g.Seats[0][1:], &first)
			fmt.Sscan(g.Seats[1][1:], &second)
			result := strings.Fields(rows[first-1])[second-1]
			h.report(g, slices.Index([]string{"1", "0", "="}, result))
		}
		if round == leaves {
			h.must(id(len(rows)), tournament.KindLeave, nil)
		}
	}
}

// A round robin follows the articles for predetermined pairings of C.07, not those for a Swiss.
func TestRoundRobinHasTieBreaksOfPredeterminedPairings(t *testing.T) {
	for _, tt := range []struct {
		name   string
		rows   []string
		leaves int
		want   string // places and numbers
	}{
		{
			"the round without an opponent comes last for player 3, and first for player 1", []string{
				"* 1 = 0 1", // 2½
				"0 * 0 0 =", // ½
				"= 1 * 0 1", // 2½
				"1 1 1 * 1", // 4
				"0 = 0 0 *", // ½
			}, 0, "1:4 2:1 2:3 4:2 4:5",
		}, {
			"player 6 leaves after two games, which do not count, and would have met player 3 last", []string{
				"* 1 = 0 1 1",
				"0 * 0 0 = .",
				"= 1 * 0 1 .",
				"1 1 1 * 1 1",
				"0 = 0 0 * .",
				"0 . . 0 . *",
			}, 2, "1:4 2:1 2:3 4:2 4:5 6:6",
		}, {
			"player 6 leaves after three games, and player 3 wins without playing in the last round", []string{
				"* 1 = 0 1 1", // 3½
				"0 * 0 0 = 1", // 1½
				"= 1 * 0 1 .", // 3½
				"1 1 1 * 1 =", // 4½
				"0 = 0 0 * .", // 1½
				"0 0 . = . *", // ½
			}, 3, "1:4 2:1 3:3 4:2 5:5 6:6", // players 1 and 3 differ in the games won at the board, 3 to 2
		},
	} {
		h := open(t, tournament.Settings{Format: tournament.RoundRobin})
		h.playTable(tt.rows, tt.leaves)
		var got []string
		s := h.state()
		for _, row := range s.Standings() {
			got = append(got, fmt.Sprintf("%d:%d", row.Place, row.Number))
		}
		if places := strings.Join(got, " "); places != tt.want {
			t.Errorf("%s: places %s, want %s", tt.name, places, tt.want)
		}
	}
}
