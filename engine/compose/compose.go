// Package compose helps people to compose rule sets.
//
// It knows which values of an option can be chosen now, and the reason why others cannot
// ([Controls]); what changes together with an option ([Settle]); the nearest rule set to one that
// cannot be played ([Nearest], [Read]); and the first place where the games of two rule sets part
// ([Part]). Everything here is a pure function of rules, as in package engine.
package compose

import (
	"slices"
	"strconv"
	"strings"

	"mancala/engine"
)

// Conflict returns the first conflict of rules that people may play on a public server, or nil.
func Conflict(r engine.Rules) *engine.Conflict {
	if c := r.Conflict(); c != nil {
		return c
	}
	if engine.Public.In(r) {
		return engine.Public
	}
	return nil
}

// Settle changes the options of r that belong to other options so that they agree with these. It changes
// none of the options in keep. It returns the first conflict that it cannot resolve, or nil.
func Settle(r engine.Rules, keep ...string) (engine.Rules, *engine.Conflict) {
	for range engine.Options() {
		c := Conflict(r)
		if c == nil {
			return r, nil
		}
		if !c.Belongs || slices.Contains(keep, c.Control) {
			return r, c
		}
		follows := func(value string) bool {
			next, ok := with(r, c.Control, value)
			if ok = ok && !c.In(next); ok {
				r = next
			}
			return ok
		}
		if !slices.ContainsFunc(candidates(r, option(c.Control)), follows) {
			return r, c
		}
	}
	return r, Conflict(r)
}

// Bounds of the search in [Nearest].
const (
	maxChanges = 4     // besides the options that follow others
	maxTried   = 5_000 // rule sets, half of them before it begins with systems
)

// Nearest returns a rule set without conflicts that is near to r and has the same values of the options in
// keep. It looks for the fewest changes that end the conflicts, where options that follow others do not count.
// Beyond a few of them it begins with a system that has such values, and brings it as near to r as it can. It
// returns false if it finds none.
func Nearest(r engine.Rules, keep ...string) (engine.Rules, bool) {
	left := maxTried / 2
	for changes := range maxChanges + 1 {
		if found, ok := mend(r, keep, changes, &left); ok {
			return found, true
		}
	}
	left += maxTried / 2
	var best engine.Rules
	fewest := -1
	for _, row := range engine.Systems {
		if found, ok := beginWith(row.Text, r, keep, &left); ok {
			if n := len(engine.Differences(found, r)); fewest < 0 || n < fewest {
				best, fewest = found, n
			}
		}
	}
	return best, fewest >= 0
}

// mend ends the conflicts of r with at most the given number of changes. It tries at most left rule sets, and
// subtracts the number that it has tried from left.
func mend(r engine.Rules, keep []string, changes int, left *int) (engine.Rules, bool) {
	if *left <= 0 {
		return r, false
	}
	*left--
	r, c := Settle(r, keep...)
	if c == nil || changes == 0 {
		return r, c == nil
	}
	for _, name := range c.Options() {
		if slices.Contains(keep, name) {
			continue
		}
		for _, value := range candidates(r, option(name)) {
			if *left <= 0 {
				return r, false
			}
			next, ok := with(r, name, value)
			if !ok || c.In(next) {
				continue
			}
			if found, ok := mend(next, append(slices.Clip(keep), name), changes-1, left); ok {
				return found, true
			}
		}
	}
	return r, false
}

// beginWith takes a system that knows the options in keep, and brings it near to r. It subtracts the
// number of rule sets that it tries from left.
func beginWith(system string, r engine.Rules, keep []string, left *int) (engine.Rules, bool) {
	if *left <= 0 {
		return r, false
	}
	near, err := engine.ParseRules(system)
	if err != nil {
		return near, false
	}
	for _, name := range keep {
		o := option(name)
		if o.Get(near) == o.Get(engine.Default()) && o.Get(r) != o.Get(engine.Default()) {
			return near, false
		}
		near, _ = with(near, name, o.Get(r))
	}
	near, ok := mend(near, keep, 2, left)
	if !ok {
		return near, false
	}
	for _, d := range engine.Differences(near, r) {
		if *left <= 0 {
			break
		}
		*left--
		next, ok := with(near, d.Option.Name, d.B)
		if !ok {
			continue
		}
		next, c := Settle(next, append(slices.Clip(keep), d.Option.Name)...)
		if c == nil && len(engine.Differences(next, r)) < len(engine.Differences(near, r)) {
			near = next
		}
	}
	return near, true
}

// option returns the option of a name.
func option(name string) *engine.Option {
	all := engine.Options()
	for i := range all {
		if all[i].Name == name {
			return &all[i]
		}
	}
	panic("compose: no option " + name) // the names come from the engine's own tables
}

// with returns r with another value of an option. It returns false if the option has no such value.
func with(r engine.Rules, name, value string) (engine.Rules, bool) {
	next, err := r.With(name + "=" + value)
	return next, err == nil
}

// candidates are the values that an option may get when another one asks for it, the best first.
func candidates(r engine.Rules, o *engine.Option) []string {
	var out []string
	add := func(values ...string) {
		for _, v := range values {
			if v != o.Get(r) && !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	if o.Many && len(o.Values) > 0 { // a set: rather one member less than none
		all := Members(o.Get(r))
		for i := range all {
			add(join(slices.Delete(slices.Clone(all), i, i+1)))
		}
	}
	switch o.Name {
	case "seeds":
		if r.Opening == engine.OpeningFixed && len(r.Seeds) > 0 {
			add(strconv.Itoa(max(1, min(slices.Max(r.Seeds), 4))))
		}
		add("4", "3", "2", "1", "0")
	case "total":
		add(strconv.Itoa(min(8*r.PitsPerSide(), 250)), "2")
	case "house":
		add("none", string(rune('a'+r.Pits)))
	}
	add(o.Get(engine.Default()))
	add(o.Values...)
	add(usualNumbers[o.Name]...)
	return out
}

// usualNumbers are numbers to try for options whose default is no number.
var usualNumbers = map[string][]string{
	"sides": {"2", "4"}, "partners": {"1", "2"}, "rows": {"1", "2"}, "pits": {"6", "8", "4", "3", "2", "1", "7", "9", "10", "13"},
	"counts": {"2,3"}, "sow_counts": {"4"}, "claim": {"3"}, "target": {"60"}, "no_progress": {"100"},
	"repetition": {"3"}, "reserve": {"2"}, "backward": {"1"},
}

// Members returns the members of a set or list, from its text.
func Members(list string) []string {
	if list == "none" {
		return nil
	}
	return strings.Split(list, ",")
}

// join is the reverse of Members.
func join(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ",")
}
