package tiebreak

import (
	"fmt"
	"math"

	"mancala/lobby/tournament/crosstable"
)

// differences are the rating differences of FIDE's table (B.02, 8.1.1) for 50 to 100 percent of
// the points. Below 50 percent they are the same, with a minus.
var differences = [51]int{
	0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184, 193,
	202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
}

// performance is the rating at which the player would have been expected to get their points
// (article 10.2): the average of the opponents and the difference for the percentage. Games
// against players without a rating don't count.
func performance(t *table, i int) Value {
	p := &t.Players[i]
	games, ratings := 0, 0
	score := 0.0
	for round := range t.rounds {
		r := result(p, round)
		if !r.Code.Played() || r.Opponent == 0 || t.Player(r.Opponent).Rating == 0 {
			continue
		}
		games++
		ratings += t.Player(r.Opponent).Rating
		switch r.Code {
		case crosstable.Win, crosstable.ShortWin:
			score++
		case crosstable.Draw, crosstable.ShortDraw:
			score += 0.5
		}
	}
	if games == 0 {
		return Value{Why: why(WhyUnrated)}
	}
	average := int(math.Floor(float64(ratings)/float64(games) + 0.5))
	percent := int(math.Floor(100*score/float64(games) + 0.5))
	difference := 0
	if percent >= 50 {
		difference = differences[percent-50]
	} else {
		difference = -differences[50-percent]
	}
	return Value{
		Hundredths: 100 * (average + difference),
		Why:        why(WhyPerformance, average+difference, average, fmt.Sprintf("%+d", difference), percent),
	}
}
