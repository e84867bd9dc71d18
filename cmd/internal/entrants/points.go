package entrants

import "mancala/lobby/tournament"

// standings compares the points of all players with those that their results give. It counts in
// tenths, as the standings do.
func (c *checker) standings() {
	if c.Settings.Format != tournament.Swiss && c.Settings.Format != tournament.Arena {
		return
	}
	want := make([]int, c.Players+1)
	wins := make([]int, c.Players+1) // in a row
	add := func(number, points int) {
		if c.Settings.Format == tournament.Arena {
			points *= 2 // 2 for a win
			if wins[number] >= 2 {
				points *= 2
			}
		}
		want[number] += points
	}
	for _, boards := range c.state.Rounds {
		for _, b := range boards {
			points := map[string][2]int{tournament.FirstWins: {10, 0}, tournament.SecondWins: {0, 10}, tournament.Drawn: {5, 5}, tournament.Bye: {10, 0}}[b.Result]
			for side, number := range []int{b.First, b.Second} {
				if number == 0 {
					continue
				}
				add(number, points[side])
				if wins[number]++; points[side] < 10 {
					wins[number] = 0
				}
			}
		}
	}
	if len(c.table) != c.Players {
		c.fault("%d of %d players are in the standings", len(c.table), c.Players)
	}
	for i, row := range c.table {
		if row.Points != want[row.Number] {
			c.fault("player %d has %d points, the results give %d", row.Number, row.Points, want[row.Number])
		}
		if i > 0 && (row.Points > c.table[i-1].Points || row.Place < c.table[i-1].Place) {
			c.fault("player %d is in the wrong place", row.Number)
		}
	}
}
