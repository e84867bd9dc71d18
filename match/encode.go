package match

import (
	"bytes"
	"slices"

	"mancala/match/machine"
	"mancala/match/wire"
)

// An entry's body is its public form without the members that the entry has anyway ("k",
// "at"). If there is anything to hide, the member "~" comes at its end. The bytes of
// hiddenMark occur nowhere else in the JSON text: within a string each quote has a
// backslash before it, and no other key has this name.
const hiddenMark = `,"~":`

// shownMark comes before the public fields that an entry changes.
const shownMark = `,"set":`

// NoSecrets implements [machine.NoSecrets].
func (m *Match) NoSecrets() {}

// AppendPublic appends an entry's public form, which it derives from the entry
// alone.
func (m *Match) AppendPublic(b []byte, e machine.Entry, _ machine.Audience) []byte {
	if !known(e) {
		return b
	}
	shown, _, err := split(e.Body)
	if err != nil {
		return b
	}
	b = slices.Grow(b, len(shown)+len(e.Kind)+34)
	b = append(append(append(b, `{"k":"`...), e.Kind...), `","at":`...)
	b = wire.AppendInt(b, e.At)
	if len(shown) > 0 {
		b = append(append(b, ','), shown...)
	}
	return append(b, '}')
}

// split returns the public part of a body, as members without braces, and the hidden
// part, as an object.
func split(body []byte) (shown, hidden []byte, err error) {
	if len(body) == 0 {
		return nil, nil, nil
	}
	last := len(body) - 1
	if last < 1 || body[0] != '{' || body[last] != '}' {
		return nil, nil, wire.ErrSyntax
	}
	if at := bytes.LastIndex(body, []byte(hiddenMark)); at > 0 {
		return body[1:at], body[at+len(hiddenMark) : last], nil
	}
	return body[1:last], nil, nil
}

// appendChanges appends the members "set" and "~" to an open object: the fields that
// differ between two states. With move, the fields of the board are left out, since
// the move itself carries them.
func appendChanges(b []byte, old, now *state, move bool) []byte {
	shown := shownFields
	if move {
		shown = besideMove
	}
	b = appendChanged(b, shownMark, shown, old, now)
	return appendChanged(b, hiddenMark, hiddenFields, old, now)
}

// appendChanged appends the member that mark begins, unless it would be empty.
func appendChanged(b []byte, mark string, list []*field, old, now *state) []byte {
	from := len(b)
	for _, f := range list {
		if f.same(old, now) {
			continue
		}
		if len(b) == from {
			b = append(append(b, mark...), '{')
		} else {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), f.name...), `":`...)
		b = f.add(b, now)
	}
	if len(b) > from {
		b = append(b, '}')
	}
	return b
}

// appendAll appends all fields, for the first entry.
func appendAll(b []byte, now *state) []byte {
	b = appendPresent(append(b, shownMark+"{"...), shownFields, now)
	b = appendPresent(append(b, `}`+hiddenMark+"{"...), hiddenFields, now)
	return append(b, '}')
}

// appendPresent appends the fields that have a value, as members.
func appendPresent(b []byte, list []*field, now *state) []byte {
	for _, f := range list {
		before := len(b)
		if b[before-1] != '{' {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), f.name...), `":`...)
		if b = f.add(b, now); bytes.HasSuffix(b, []byte(`":null`)) {
			b = b[:before]
		}
	}
	return b
}

// Snapshot returns the state as people see it. All audiences see the same of a
// match.
func (m *Match) Snapshot(machine.Audience) []byte {
	s := &m.state
	if s.stage == unborn {
		return []byte(`{"kind":"match","state":""}`)
	}
	b := make([]byte, 0, 900+6*len(s.moves)+len(s.last.trace))
	b = appendPresent(append(b, `{"kind":"match"`...), shownFields, s)
	return append(b, '}')
}
