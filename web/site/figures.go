package site

import (
	"slices"

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
