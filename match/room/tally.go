package room

import "slices"

// tally counts by name. A few names are a list, which is all that nearly every room
// needs; the lobby has thousands.
type tally struct {
	few  []counted
	many map[string]int // instead, when there are many
}

type counted struct {
	name string
	n    int
}

// add counts n more of a name and returns how many there are now: 0 if it would be
// less.
func (t *tally) add(name string, n int) int {
	if t.many != nil {
		n += t.many[name]
		if t.many[name] = n; n <= 0 {
			delete(t.many, name)
		}
		return max(n, 0)
	}
	i := t.find(name)
	switch {
	case i >= 0:
		if t.few[i].n += n; t.few[i].n > 0 {
			return t.few[i].n
		}
		t.few = slices.Delete(t.few, i, i+1)
		return 0
	case n <= 0:
		return 0
	case len(t.few) == fewPeople:
		t.many = make(map[string]int, 2*fewPeople)
		for _, c := range t.few {
			t.many[c.name] = c.n
		}
		t.few = nil
		t.many[name] = n
	default:
		t.few = append(t.few, counted{name, n})
	}
	return n
}

func (t *tally) find(name string) int {
	return slices.IndexFunc(t.few, func(c counted) bool { return c.name == name })
}

// of returns how many there are of a name.
func (t *tally) of(name string) int {
	if t.many != nil {
		return t.many[name]
	}
	if i := t.find(name); i >= 0 {
		return t.few[i].n
	}
	return 0
}

// names returns how many names have been counted.
func (t *tally) names() int { return len(t.few) + len(t.many) }
