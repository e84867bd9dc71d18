package site

import (
	"slices"
	"strconv"
	"strings"

	"mancala/lobby/tournament"
)

// ResultFigures are the results of boards of a tournament in figures. A plus is a win without a
// game. The scripts have the same table (static/event/news.js).
var ResultFigures = map[string]string{
	tournament.FirstWins: "1 – 0", tournament.SecondWins: "0 – 1", tournament.Drawn: "½ – ½",
	tournament.FirstUnplayed: "+ – −", tournament.SecondUnplayed: "− – +", tournament.Neither: "− – −",
}

// Unplayed reports whether a board has this result since a player did not come.
func Unplayed(result string) bool {
	return slices.Contains([]string{tournament.FirstUnplayed, tournament.SecondUnplayed, tournament.Neither}, result)
}

// Tenths writes points of a tournament: 25 is "2.5".
func Tenths(n int) string { return decimal(n, 10) }

// Hundredths writes the value of a tie-break: 1250 is "12.5".
func Hundredths(n int) string { return decimal(n, 100) }

func decimal(n, unit int) string {
	return strings.Replace(strconv.FormatFloat(float64(n)/float64(unit), 'f', -1, 64), "-", "−", 1)
}
