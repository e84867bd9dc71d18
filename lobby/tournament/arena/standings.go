package arena

import (
	"cmp"
	"slices"
)

// A Row is one player in the standings.
type Row struct {
	Place       int // from 1; players with the same points and performance share a place
	Number      int
	Points      int
	Sheet       []int // the points of each game
	Streak      int   // wins in a row
	Doubles     bool  // whether the next game counts double
	Games       int
	Performance int
}

// Standings returns the players in the order of their points. Equal points are ordered by
// performance.
func Standings(players []*Player) []Row {
	rows := make([]Row, len(players))
	for i, p := range players {
		rows[i] = Row{
			Number: p.Number, Points: p.Points(), Sheet: p.Sheet(), Streak: p.Streak(), Doubles: p.Doubles(),
			Games: len(p.Games), Performance: p.Performance(),
		}
	}
	ahead := func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(b.Performance, a.Performance))
	}
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Or(ahead(a, b), cmp.Compare(a.Number, b.Number)) })
	for i := range rows {
		rows[i].Place = i + 1
		if i > 0 && ahead(rows[i-1], rows[i]) == 0 {
			rows[i].Place = rows[i-1].Place
		}
	}
	return rows
}
