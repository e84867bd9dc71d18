package live

import (
	"slices"
	"sync"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/match"
)

// OfTwo returns the games for two players.
var OfTwo = sync.OnceValue(func() (rows []engine.Row) {
	for _, row := range engine.Systems {
		if n, err := (match.Settings{Rules: row.Name}).Seats(); err == nil && n == 2 {
			rows = append(rows, row)
		}
	}
	return rows
})

// IsFilter reports whether seeks can be filtered by this game and this clock. Either
// may be empty.
func IsFilter(rules, clock string) bool {
	return (rules == "" || slices.ContainsFunc(OfTwo(), func(row engine.Row) bool { return row.Name == rules })) &&
		(clock == "" || slices.Contains(lobby.SeekClocks, clock))
}

// GameWords returns the name of a game with its options: "Kalah, seeds=5".
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
