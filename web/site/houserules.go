package site

import (
	"slices"
	"strings"

	"mancala/engine"
	"mancala/match"
)

func SystemRow(name string) engine.Row {
	i := slices.IndexFunc(engine.Systems, func(row engine.Row) bool { return row.Name == name })
	if i < 0 {
		return engine.Row{}
	}
	return engine.Systems[i]
}

// HouseRules are a system's rules with changes, if a game can be made of them.
func HouseRules(system, options string) (engine.Rules, *engine.Game, error) {
	if err := (match.Settings{Rules: system, Options: options}).Check(); err != nil {
		return engine.Rules{}, nil, err
	}
	base, ok := engine.System(system)
	if !ok { // settings that name none mean the usual one
		return engine.Rules{}, nil, ErrBadFrame
	}
	rules, err := base.With(strings.Fields(options)...)
	if err != nil {
		return engine.Rules{}, nil, err
	}
	g, err := engine.Compile(rules)
	return rules, g, err
}

const (
	MaxCards = 12
	MaxMore  = 40
)

// IsSystem says whether there is such a game.
func IsSystem(name string) bool {
	return slices.ContainsFunc(engine.Systems, func(row engine.Row) bool { return row.Name == name })
}
