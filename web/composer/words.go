package composer

import (
	"strings"

	"mancala/engine"
	"mancala/engine/compose"
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
		said = append(said, tell(c, set.Rules, d.Option))
	}
	return said
}

// tell returns in a sentence which option it is about and what rules say about it.
func tell(c *messages.Catalog, rules engine.Rules, option engine.Option) string {
	return c.T("compose.told", "what", c.T("option."+option.Name), "value", say(c, rules, option))
}

// say returns in a sentence what rules say about an option.
func say(c *messages.Catalog, rules engine.Rules, option engine.Option) string {
	value := option.Get(rules)
	switch never, has := compose.Never(option); compose.KindOf(option) {
	case compose.Switch:
		if value == "false" {
			return c.T("compose.off")
		}
	case compose.Set:
		var members []string
		for _, member := range compose.Members(value) {
			members = append(members, memberText(c, rules, option, member))
		}
		switch {
		case len(members) == 0:
			return c.T("compose.none")
		case len(option.Values) == 0:
			return c.List(members)
		}
		return strings.Join(members, " ")
	case compose.Number:
		if has && value == never {
			return c.T("compose.never")
		}
	case compose.Seeds:
		if uniformSeeds(rules) == "" {
			return c.List(strings.Split(value, ","))
		}
		value = uniformSeeds(rules)
	}
	return learn.Say(rules, option.Name, value, c.T)
}

// memberText returns what a member of a set means.
func memberText(c *messages.Catalog, rules engine.Rules, option engine.Option, member string) string {
	if len(option.Values) == 0 {
		return member // a number
	}
	return learn.Say(rules, option.Name, member, c.T)
}
