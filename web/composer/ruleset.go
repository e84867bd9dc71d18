package composer

import (
	"cmp"
	"html/template"
	"net/url"
	"strings"

	"mancala/engine"
	"mancala/engine/compose"
	"mancala/web/site"
)

// RuleSet is a system with house rules, as links and forms name it.
type RuleSet struct {
	System  engine.Row
	Options string // what differs from the system, in canonical form
	Rules   engine.Rules
	KeptAs  string // the ID by which it is kept; empty: it is not
}

// ruleSet returns the name of rules as changes of a system.
func ruleSet(system engine.Row, rules engine.Rules) RuleSet {
	base, _ := engine.System(system.Name)
	return RuleSet{System: system, Options: strings.Join(rules.Changes(base), " "), Rules: rules}
}

// Query returns the rule set as the query of a link.
func (s RuleSet) Query() template.URL {
	q := url.Values{"rules": {s.System.Name}}
	if s.Options != "" {
		q.Set("options", s.Options)
	}
	return template.URL(q.Encode())
}

// Hash returns the identity of the rule set.
func (s RuleSet) Hash() string { return s.Rules.Hash() }

// Text returns the rule set in canonical form.
func (s RuleSet) Text() string { return s.Rules.String() }

// canonical returns the rules that an address names. It returns false if they do not go together, or if the
// address does not name them in canonical form.
func canonical(q url.Values) (engine.Rules, bool) {
	system, options := cmp.Or(q.Get("rules"), "kalah"), q.Get("options")
	rules, _, err := site.HouseRules(system, options)
	if err != nil || compose.Conflict(rules) != nil {
		return engine.Rules{}, false
	}
	return rules, ruleSet(site.SystemRow(system), rules).Options == options
}

// Bounds of what an address may say, and of what is told of it.
const (
	maxText     = 1000 // bytes, as many as a game may have
	maxNonsense = 5
)

// short returns the beginning of a text from outside.
func short(text string) string {
	if letters := []rune(text); len(letters) > 40 {
		return string(letters[:40]) + "…"
	}
	return text
}
