package site

import (
	"mancala/engine"
	"mancala/match"
)

// SystemRow returns the row of a system in the table of games, or the zero row.
func SystemRow(name string) engine.Row {
	for _, row := range engine.Systems {
		if row.Name == name {
			return row
		}
	}
	return engine.Row{}
}

// HouseRules returns a system's rules with options applied, and the compiled game.
// It returns an error if the options make no valid game.
func HouseRules(system, options string) (engine.Rules, *engine.Game, error) {
	if err := (match.Settings{Rules: system, Options: options}).Check(); err != nil {
		return engine.Rules{}, nil, err
	}
	if !IsSystem(system) { // settings accept an empty name as the default game; this function does not
		return engine.Rules{}, nil, ErrBadFrame
	}
	return match.Game(system, options)
}

// IsSystem reports whether a game of this name exists.
func IsSystem(name string) bool { return SystemRow(name).Name != "" }
