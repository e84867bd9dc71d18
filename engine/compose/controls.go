package compose

import (
	"slices"
	"strconv"

	"mancala/engine"
)

// Control is an option as one can change it now. Its kind decides which fields it has.
type Control struct {
	engine.Option
	Kind    Kind
	Value   string           // now, as text
	Choices []Choice         // of a word: its values; of a set: what can be in it
	Number  Range            // of a number
	Why     *engine.Conflict // the reason why the option has to stay as it is; nil: it can change
}

// Kind is how an option is chosen.
type Kind int

const (
	Word   Kind = iota // one of several values
	Switch             // on or off
	Set                // any of several values, or none
	Number             // a number
	Seeds              // a number for all pits, or one for each
)

// Choice is a value of an option, or a member of a set.
type Choice struct {
	Value string
	Now   bool             // it is chosen
	Why   *engine.Conflict // the reason why it cannot be chosen, or taken out again; nil: it can
}

// Range is the numbers that an option can have now.
type Range struct {
	Low, High int
	Off       int  // the number that means never
	HasOff    bool // the option has such a number
	MayBeOff  bool // that number can be chosen now
}

// never is the number of an option that means never, or nothing.
var never = map[string]int{
	"total": 0, "end_at_most": -1, "repetition": 0, "no_progress": 0, "target": 0, "max_rounds": 0,
	"reserve": 0, "backward": 0, "claim": 0, "end_total": 0,
}

// largest is the largest number that people can choose of an option. A rule set from elsewhere may have
// a larger one.
var largest = map[string]int{
	"pits": 13, "seeds": 125, "total": 250, "end_at_most": 125, "repetition": 100, "no_progress": 1000, "target": 1000, "max_rounds": 1000,
	"reserve": 120, "backward": 13, "claim": 250, "end_total": 250,
}

// largestCount is the largest number of seeds that can be chosen to capture.
const largestCount = 12

// KindOf returns how an option is chosen.
func KindOf(o engine.Option) Kind {
	_, hasNumbers := largest[o.Name]
	switch {
	case o.Name == "seeds":
		return Seeds
	case hasNumbers:
		return Number
	case o.Many:
		return Set
	case slices.Equal(o.Values, []string{"false", "true"}):
		return Switch
	}
	return Word
}

// Never returns the value of an option that is a number and means never. It returns false if it has none.
func Never(o engine.Option) (value string, has bool) {
	n, has := never[o.Name]
	return strconv.Itoa(n), has
}

// Controls returns the options of r, which has no conflict, in the order of RULES.md §4. With names it returns
// these options alone.
func Controls(r engine.Rules, names ...string) (all []Control) {
	for _, o := range engine.Options() {
		if len(names) == 0 || slices.Contains(names, o.Name) {
			all = append(all, control(r, o))
		}
	}
	return all
}

func control(r engine.Rules, o engine.Option) Control {
	c := Control{Option: o, Kind: KindOf(o), Value: o.Get(r)}
	var others []*engine.Conflict // what is wrong with the values that are not chosen
	offer := func(value, to string, now bool) {
		choice := Choice{Value: value, Now: now}
		if to != c.Value {
			choice.Why = Impossible(r, o.Name, to)
			others = append(others, choice.Why)
		}
		c.Choices = append(c.Choices, choice)
	}
	switch {
	case c.Kind == Number || c.Kind == Seeds:
		c.Number, c.Why = numbers(r, o)
		return c
	case c.Kind == Set:
		in := Members(c.Value)
		for _, v := range listed(o, in) {
			now := slices.Contains(in, v)
			offer(v, toggled(in, v), now)
		}
	case o.Name == "house":
		offer("none", "none", c.Value == "none")
		for i := range r.Pits {
			letter := string(rune('a' + r.Pits + i))
			offer(letter, letter, c.Value == letter)
		}
	case c.Kind == Switch:
		offer("true", map[string]string{"true": "false", "false": "true"}[c.Value], c.Value == "true")
	default:
		values := o.Values
		if len(values) == 0 {
			values = usualNumbers[o.Name] // of sides, partners and rows
		}
		for _, v := range values {
			offer(v, v, c.Value == v)
		}
	}
	if !slices.Contains(others, nil) && len(others) > 0 {
		c.Why = others[0]
	}
	return c
}

// Impossible returns the conflict that r has with another value of an option, if it is one that other
// options cannot follow.
func Impossible(r engine.Rules, name, value string) *engine.Conflict {
	next, ok := with(r, name, value)
	if !ok {
		return &engine.Conflict{Code: "value", Control: name, Reason: "has a value that it cannot have"}
	}
	_, c := Settle(next, name)
	return c
}

// listed returns what can be in a set: its values, or small numbers and those that are in it.
func listed(o engine.Option, in []string) []string {
	if len(o.Values) > 0 {
		return o.Values
	}
	var all []string
	for n := 1; n <= largestCount; n++ {
		all = append(all, strconv.Itoa(n))
	}
	for _, v := range in {
		if !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all
}

// toggled returns a set with v put in or taken out. The engine sorts it.
func toggled(in []string, v string) string {
	if i := slices.Index(in, v); i >= 0 {
		return join(slices.Delete(slices.Clone(in), i, i+1))
	}
	return join(append(slices.Clone(in), v))
}

// numbers returns the numbers that an option can have now. It looks up and down from the number now, or from the
// least possible one, so it finds no number beyond a gap. The tests of this package check that only numbers of
// seeds have gaps: with one pit in a row, some of them can only be sown without end. The composer then says why it
// does not take the number.
func numbers(r engine.Rules, o engine.Option) (Range, *engine.Conflict) {
	var n Range
	n.Off, n.HasOff = never[o.Name]
	can := func(v int) *engine.Conflict { return Impossible(r, o.Name, strconv.Itoa(v)) }
	if n.HasOff {
		n.MayBeOff = can(n.Off) == nil
	}
	now, err := strconv.Atoi(o.Get(r))
	isNumber := err == nil && !(n.HasOff && now == n.Off) // otherwise it is a list, or off
	first := n.Off + 1
	if !n.HasOff {
		first = 1
	}
	var why *engine.Conflict
	if !isNumber {
		at := slices.IndexFunc([]int{0, 1, 2}, func(more int) bool { return can(first+more) == nil })
		if at < 0 {
			return n, can(first + 1)
		}
		now = first + at
	}
	n.Low, n.High = edge(now, first, can), edge(now, max(now, largest[o.Name]), can)
	if n.Low == n.High && isNumber && !n.MayBeOff {
		if why = can(now + 1); why == nil {
			why = can(now - 1)
		}
	}
	return n, why
}

// edge returns the last possible number on the way from a possible one towards a bound.
func edge(from, bound int, can func(int) *engine.Conflict) int {
	if can(bound) == nil {
		return bound
	}
	for { // from is possible, bound is not
		middle := from + (bound-from)/2
		if middle == from {
			return from
		}
		if can(middle) == nil {
			from = middle
		} else {
			bound = middle
		}
	}
}
