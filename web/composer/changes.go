package composer

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"mancala/engine"
	"mancala/engine/compose"
	"mancala/web/learn"
	"mancala/web/messages"
)

// step is what has become of rules after a change.
type step struct {
	rules    engine.Rules
	asked    []string // the options that were changed
	problems []string // what could not be done as it was asked
}

// take gives an option of rules a value, "relay=same", and changes what stands in its way.
func take(c *messages.Catalog, rules engine.Rules, wish string) step {
	name, _, _ := strings.Cut(wish, "=")
	next, err := rules.With(wish)
	if err == nil {
		if near, ok := compose.Nearest(next, name); ok {
			return step{rules: near, asked: []string{name}}
		}
	}
	return step{rules: rules, problems: []string{c.T("compose.wrong.value", "text", short(wish))}}
}

// change carries out what the form says otherwise than rules.
func change(c *messages.Catalog, rules engine.Rules, form url.Values) step {
	done := step{}
	next := rules
	for _, option := range engine.Options() {
		value, sent := sentValue(rules, option, form)
		if !sent || value == option.Get(rules) {
			continue
		}
		changed, err := next.With(option.Name + "=" + value)
		if err != nil {
			done.problems = append(done.problems, c.T("compose.wrong.value", "text", short(option.Name+"="+value)))
			continue
		}
		if option.Get(changed) != option.Get(rules) {
			next, done.asked = changed, append(done.asked, option.Name)
		}
	}
	settled, conflict := compose.Settle(next, done.asked...)
	if conflict == nil {
		done.rules = settled
		return done
	}
	done.problems = append(done.problems, why(c, conflict))
	var ok bool
	if done.rules, ok = compose.Nearest(next, done.asked...); !ok {
		if done.rules, ok = compose.Nearest(next); !ok {
			done.rules = rules
		}
	}
	return done
}

// sentValue returns the value of an option in a form. It returns false if the form has no field for it,
// since the option has to stay as it is.
func sentValue(rules engine.Rules, option engine.Option, form url.Values) (value string, sent bool) {
	text := strings.TrimSpace(form.Get(option.Name))
	boxes := slices.Contains(form["boxes"], option.Name) // browsers do not send a box that is not ticked
	switch compose.KindOf(option) {
	case compose.Switch:
		return strconv.FormatBool(text != ""), boxes
	case compose.Set:
		if list := form[option.Name]; len(list) > 0 {
			return strings.Join(list, ","), boxes
		}
		return "none", boxes
	case compose.Number:
		if never, has := compose.Never(option); has && text == "" {
			text = never
		}
	case compose.Seeds:
		return sentSeeds(rules, text, form["pit"]), form.Has(option.Name)
	}
	return text, form.Has(option.Name)
}

// sentSeeds returns the seeds in a form: one number for all pits, or those of each. The fields of the kind that
// the rules have are filled in, so what was typed into the others counts.
func sentSeeds(rules engine.Rules, all string, each []string) string {
	typed := slices.ContainsFunc(each, func(s string) bool { return strings.TrimSpace(s) != "" })
	uniform := learn.UniformSeeds(rules)
	if !typed || uniform == "" && all != "" {
		return all
	}
	list := make([]string, len(each))
	for i, seeds := range each {
		if list[i] = strings.TrimSpace(seeds); list[i] == "" {
			list[i] = "0"
			if uniform != "" {
				list[i] = all
			}
		}
	}
	return strings.Join(list, ",")
}
