package composer

import (
	"html/template"
	"net/url"
	"strconv"
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

// control adds words to an option.
func (p *composePage) control(c *messages.Catalog, one compose.Control, board learn.Figure) control {
	out := control{Control: one, Board: board, Why: why(c, one.Why)}
	switch one.Kind {
	case compose.Number:
		out.Hint = c.T("compose.never")
		if off := one.Number.HasOff && one.Value == strconv.Itoa(one.Number.Off); !off {
			out.Text, out.Sentence = one.Value, learn.Say(p.Rules, one.Name, one.Value, c.T)
		}
		return out
	case compose.Seeds:
		out.Uniform = uniformSeeds(p.Rules)
		for i := range p.Rules.PitsPerSide() {
			seeds := ""
			if out.Uniform == "" {
				seeds = strconv.Itoa(p.Rules.SeedsIn(i))
			}
			out.Each = append(out.Each, pit{i + 1, seeds})
		}
		return out
	}
	for _, choice := range one.Choices {
		v := value{Choice: choice, Text: memberText(c, p.Rules, one.Option, choice.Value)}
		if one.Kind != compose.Set {
			v.Text = learn.Say(p.Rules, one.Name, choice.Value, c.T) // also of sides and rows, which have no words
		}
		if choice.Why != nil {
			v.Why, v.Take = why(c, choice.Why), p.takes(one, choice.Value)
		}
		out.Values = append(out.Values, v)
	}
	return out
}

// takes returns the query of a link that chooses a value together with all that it needs.
func (p *composePage) takes(one compose.Control, value string) template.URL {
	if one.Kind == compose.Set && one.Value != "none" {
		value = one.Value + "," + value
	}
	if one.Kind == compose.Switch && one.Value == "true" {
		value = "false"
	}
	return p.Query() + "&take=" + template.URL(url.QueryEscape(one.Name+"="+value))
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
			return strings.Join(members, ", ")
		}
		return strings.Join(members, " ")
	case compose.Number:
		if has && value == never {
			return c.T("compose.never")
		}
	case compose.Seeds:
		if uniformSeeds(rules) == "" {
			return strings.ReplaceAll(value, ",", ", ")
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
