package compose

import (
	"slices"
	"strconv"
	"strings"

	"mancala/engine"
)

// A Nonsense is a part of a text that is no change of an option.
type Nonsense struct {
	Text string
	Code string // form, unknown, twice, value
	Now  string // the value that the option got instead; empty: it stayed as it was
}

// Reading is what [Read] makes of a text.
type Reading struct {
	Rules    engine.Rules // without conflict
	Nonsense []Nonsense
	Conflict *engine.Conflict // the first one of what the text said; nil: it had none
}

// Fine reports whether the text was a rule set.
func (r Reading) Fine() bool { return len(r.Nonsense) == 0 && r.Conflict == nil }

// Read reads changes of base, which has no conflict. Where the text is nonsense, it returns the nearest
// rule set.
func Read(base engine.Rules, text string) Reading {
	var out Reading
	r, seen, changes, asked := base, map[string]bool{}, []string{}, []string{}
	for _, part := range strings.Fields(text) {
		name, value, ok := strings.Cut(part, "=")
		known := slices.ContainsFunc(engine.Options(), func(o engine.Option) bool { return o.Name == name })
		wrong := Nonsense{Text: part}
		switch {
		case !ok:
			wrong.Code = "form"
		case !known:
			wrong.Code = "unknown"
		case seen[name]:
			wrong.Code = "twice"
		default:
			seen[name] = true
			if next, ok := with(r, name, value); ok {
				r, changes, asked = next, append(changes, part), append(asked, name)
				continue
			}
			wrong.Code = "value"
			if near, ok := nearValue(r, name, value); ok {
				r, _ = with(r, name, near)
				wrong.Now, changes = near, append(changes, name+"="+near)
			}
		}
		out.Nonsense = append(out.Nonsense, wrong)
	}
	out.Conflict = Conflict(r)
	var found bool
	if out.Rules, found = Nearest(r, asked...); !found { // rather what the text says than what the system does
		out.Rules, found = Nearest(r)
	}
	if !found {
		out.Rules = base
		for _, change := range changes { // as many of the changes as go together
			name, value, _ := strings.Cut(change, "=")
			next, _ := with(out.Rules, name, value)
			if next, c := Settle(next, name); c == nil {
				out.Rules = next
			}
		}
	}
	return out
}

// nearValue returns the value of an option that is nearest to a text which is none.
func nearValue(r engine.Rules, name, text string) (string, bool) {
	if lower := strings.ToLower(strings.Trim(text, `.,;"'`)); lower != text {
		if _, ok := with(r, name, lower); ok {
			return lower, true
		}
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return "", false
	}
	const farthest = 1000
	for distance := range farthest {
		for _, v := range []int{n - distance, n + distance} {
			near := strconv.Itoa(v)
			if _, ok := with(r, name, near); ok {
				return near, true
			}
		}
	}
	return "", false
}
