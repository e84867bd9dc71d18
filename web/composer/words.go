package composer

import (
	"mancala/engine"
	"mancala/web/learn"
	"mancala/web/messages"
)

// why returns the reason of a conflict in words.
func why(c *messages.Catalog, conflict *engine.Conflict) string {
	if conflict == nil {
		return ""
	}
	return c.T("compose.why."+conflict.Code, "option", c.T("option."+conflict.Control))
}

// changesOf returns in words how a rule set differs from its system.
func changesOf(c *messages.Catalog, set RuleSet) (said []string) {
	base, _ := engine.System(set.System.Name)
	for _, d := range engine.Differences(set.Rules, base) {
		said = append(said, learn.Change(set.Rules, d.Option, c.T))
	}
	return said
}
