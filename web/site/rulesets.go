package site

import (
	"context"

	"mancala/lobby"
	"mancala/lobby/rulebook"
	"mancala/match"
)

// RuleSetsOf returns the kept rule sets from which games were made, by game. A page does without their
// names when they cannot be read.
func (srv *Site) RuleSetsOf(ctx context.Context, rooms []string) map[string]rulebook.Entry {
	found, err := srv.Rulebook.Behind(ctx, rooms)
	if err != nil {
		lobby.Warn(srv.Log, "web: rule sets not read", err)
	}
	return found
}

// RuleSetOf returns the kept rule set from which one game was made, or nil. While a game waits, its rules can
// change. Then it is no longer made from that rule set.
func (srv *Site) RuleSetOf(ctx context.Context, id string, s *match.Public) *rulebook.Entry {
	if s.Options == "" && !s.Waiting() {
		return nil // the usual rules have no other name
	}
	e, ok := srv.RuleSetsOf(ctx, []string{id})[id]
	if !ok {
		return nil
	}
	if e.System == s.Rules && e.Options == s.Options {
		return &e
	}
	if err := srv.Rulebook.Changed(ctx, id); err != nil {
		lobby.Warn(srv.Log, "web: rule set not forgotten", err, "room", id)
	}
	return nil
}
