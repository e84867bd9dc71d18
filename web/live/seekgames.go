package live

import (
	"slices"
	"sync"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/match"
)

// ofTwo are the games that two play.
var OfTwo = sync.OnceValue(func() (rows []engine.Row) {
	for _, row := range engine.Systems {
		if n, err := (match.Settings{Rules: row.Name}).Seats(); err == nil && n == 2 {
			rows = append(rows, row)
		}
	}
	return rows
})

// IsFilter says whether seeks can be chosen so: by a game and a clock, or by none.
func IsFilter(rules, clock string) bool {
	return (rules == "" || slices.ContainsFunc(OfTwo(), func(row engine.Row) bool { return row.Name == rules })) &&
		(clock == "" || slices.Contains(lobby.SeekClocks, clock))
}

// GameWords is what a game is called: "Kalah, seeds=5".
func GameWords(g seeks.Game) string {
	words := g.Rules
	for _, row := range engine.Systems {
		if row.Name == g.Rules {
			words = row.Title
		}
	}
	if g.Options != "" {
		words += ", " + g.Options
	}
	return words
}
