package live

import (
	"mancala/engine"
	"mancala/lobby/seeks"
)

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
