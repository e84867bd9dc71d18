package match

import (
	"bytes"

	"mancala/match/machine"
)

// An entry's body is its public form without the members that the entry has
// anyway ("k", "at"), and at its end, if there is anything to hide, the member
// "~". In JSON text the bytes of hiddenMark can stand nowhere else: within a
// string each quote has a backslash before it, and no key of ours has this name.
const hiddenMark = `,"~":`

// Open implements [machine.Open]: all audiences see the same of a match.
func (m *Match) Open() {}

// Encode gives an entry's public form, from the entry alone.
func (m *Match) Encode(e machine.Entry, _ machine.Audience) []byte {
	if !known(e) {
		return nil
	}
	shown, _, err := split(e.Body)
	if err != nil {
		return nil
	}
	b := make([]byte, 0, len(shown)+len(e.Kind)+34)
	b = append(append(append(b, `{"k":"`...), e.Kind...), `","at":`...)
	b = appendInt(b, e.At)
	if len(shown) > 0 {
		b = append(append(b, ','), shown...)
	}
	return append(b, '}')
}

// split parts a body into what people may see, members without braces, and the
// object that they may not.
func split(body []byte) (shown, hidden []byte, err error) {
	if len(body) == 0 {
		return nil, nil, nil
	}
	last := len(body) - 1
	if last < 1 || body[0] != '{' || body[last] != '}' {
		return nil, nil, errSyntax
	}
	if at := bytes.LastIndex(body, []byte(hiddenMark)); at > 0 {
		return body[1:at], body[at+len(hiddenMark) : last], nil
	}
	return body[1:last], nil, nil
}

// appendChanges appends the members "set" and "~" to an object that is open: what
// differs between two states. With move, the board is left out, since the move
// says it.
func appendChanges(b []byte, old, now *state, move bool) []byte {
	for _, group := range [...]struct {
		key    string
		hidden bool
	}{{`,"set":{`, false}, {hiddenMark + "{", true}} {
		first := true
		for i := range fields {
			f := &fields[i]
			if (f.kind == private) != group.hidden || move && f.kind == board || f.same(old, now) {
				continue
			}
			if first {
				b = append(b, group.key...)
			} else {
				b = append(b, ',')
			}
			first = false
			b = append(append(append(b, '"'), f.name...), `":`...)
			b = f.add(b, now)
		}
		if !first {
			b = append(b, '}')
		}
	}
	return b
}

// appendAll is appendChanges against nothing: the first entry.
func appendAll(b []byte, now *state) []byte {
	b = append(b, `,"set":{`...)
	for i := range fields {
		f := &fields[i]
		if f.kind == private {
			continue
		}
		mark := len(b)
		b = append(append(append(b, '"'), f.name...), `":`...)
		if b = f.add(b, now); bytes.HasSuffix(b, []byte(`":null`)) {
			b = b[:mark]
			continue
		}
		b = append(b, ',')
	}
	b[len(b)-1] = '}'
	b = append(b, hiddenMark+"{"...)
	for i := range fields {
		f := &fields[i]
		if f.kind != private {
			continue
		}
		mark := len(b)
		b = append(append(append(b, '"'), f.name...), `":`...)
		if b = f.add(b, now); bytes.HasSuffix(b, []byte(`":null`)) {
			b = b[:mark]
			continue
		}
		b = append(b, ',')
	}
	b[len(b)-1] = '}'
	return b
}

// Snapshot gives the state as people see it. All audiences see the same of a
// match.
func (m *Match) Snapshot(machine.Audience) []byte {
	s := &m.state
	if s.stage == unborn {
		return []byte(`{"kind":"match","state":""}`)
	}
	b := make([]byte, 0, 900+6*len(s.moves)+len(s.last.trace))
	b = append(b, `{"kind":"match"`...)
	for i := range fields {
		f := &fields[i]
		if f.kind == private {
			continue
		}
		mark := len(b)
		b = append(append(append(b, `,"`...), f.name...), `":`...)
		if b = f.add(b, s); bytes.HasSuffix(b, []byte(`":null`)) {
			b = b[:mark]
		}
	}
	return append(b, '}')
}
