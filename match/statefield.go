package match

import (
	"encoding/json"
	"fmt"
	"slices"

	"mancala/engine"
	"mancala/match/wire"
)

// field is a named part of the state: how to compare, write and read it. One table
// serves the snapshot, the "set" of an entry and its folding, so that the three
// cannot differ.
type field struct {
	name string
	kind fieldKind
	same func(a, b *state) bool
	// add appends the value, or "null" if there is none. A snapshot leaves out a
	// field with the value "null".
	add  func(b []byte, s *state) []byte
	read func(f *fold, raw []byte) error
}

type fieldKind uint8

const (
	public  fieldKind = iota
	board             // public; a move carries it in its own form, or never changes it
	private           // only for the machine
)

const null = "null"

// The parts of the table, in its order.
var (
	shownFields  = fieldsOf(public, board)
	besideMove   = fieldsOf(public) // what a move may change and does not carry itself
	hiddenFields = fieldsOf(private)
)

func fieldsOf(kinds ...fieldKind) (list []*field) {
	for i := range fields {
		if slices.Contains(kinds, fields[i].kind) {
			list = append(list, &fields[i])
		}
	}
	return list
}

// fieldNamed finds a field by its name.
var fieldNamed = func() map[string]*field {
	m := make(map[string]*field, len(fields))
	for i := range fields {
		m[fields[i].name] = &fields[i]
	}
	return m
}()

var phaseNames = [...]string{
	engine.Play: engine.Play.String(), engine.Setup: engine.Setup.String(),
	engine.Swapping: engine.Swapping.String(), engine.Over: engine.Over.String(),
}

// derived reads a field that follows from others, and so keeps nothing of it.
func derived(*fold, []byte) error { return nil }

func textField(name string, kind fieldKind, at func(*state) *string) field {
	return field{name, kind,
		func(a, b *state) bool { return *at(a) == *at(b) },
		func(b []byte, s *state) []byte { return wire.AppendText(b, *at(s)) },
		func(f *fold, raw []byte) (err error) { *at(&f.state), err = wire.Text(raw); return err }}
}

// ifAnyField returns a public text field that is left out if it is empty.
func ifAnyField(name string, at func(*state) *string) field {
	return field{name, public,
		func(a, b *state) bool { return *at(a) == *at(b) },
		func(b []byte, s *state) []byte {
			if *at(s) == "" {
				return append(b, null...)
			}
			return wire.AppendText(b, *at(s))
		},
		func(f *fold, raw []byte) (err error) {
			if *at(&f.state) = ""; !wire.IsNull(raw) {
				*at(&f.state), err = wire.Text(raw)
			}
			return err
		}}
}

func textsField(name string, at func(*state) *[]string) field {
	return field{name, public,
		func(a, b *state) bool { return slices.Equal(*at(a), *at(b)) },
		func(b []byte, s *state) []byte { return wire.AppendTexts(b, *at(s)) },
		func(f *fold, raw []byte) error {
			*at(&f.state) = nil
			return json.Unmarshal(raw, at(&f.state))
		}}
}

// mark returns a field that is left out unless it is true.
func mark(name string, kind fieldKind, at func(*state) *bool) field {
	return field{name, kind,
		func(a, b *state) bool { return *at(a) == *at(b) },
		func(b []byte, s *state) []byte {
			if !*at(s) {
				return append(b, null...)
			}
			return wire.AppendBool(b, true)
		},
		func(f *fold, raw []byte) (err error) {
			if *at(&f.state) = false; !wire.IsNull(raw) {
				*at(&f.state), err = wire.Bool(raw)
			}
			return err
		}}
}

func numberField(name string, kind fieldKind, at func(*state) *int64) field {
	return field{name, kind,
		func(a, b *state) bool { return *at(a) == *at(b) },
		func(b []byte, s *state) []byte { return wire.AppendInt(b, *at(s)) },
		func(f *fold, raw []byte) (err error) { *at(&f.state), err = wire.Int(raw); return err }}
}

// seatsField returns a private field with a counter for each seat.
func seatsField(name string, at func(*state) *[maxSeats]int32) field {
	return field{name, private,
		func(a, b *state) bool { return *at(a) == *at(b) },
		func(b []byte, s *state) []byte { return wire.AppendInts(b, at(s)[:]) },
		func(f *fold, raw []byte) error {
			var n [maxSeats]int64
			err := read(raw, n[:])
			for i := range n {
				at(&f.state)[i] = int32(n[i])
			}
			return err
		}}
}

// rulesField returns a field with one of the names of the rule set.
func rulesField(name string, of func(*ruleset) string) field {
	return field{name, public,
		func(a, b *state) bool {
			return a.rules == b.rules || of(a.rules) == of(b.rules)
		},
		func(b []byte, s *state) []byte { return wire.AppendText(b, of(s.rules)) },
		func(f *fold, raw []byte) (err error) {
			if f.names == nil {
				f.names = make(map[string]string, 4)
			}
			f.names[name], err = wire.Text(raw)
			return err
		}}
}

// sameBoard reports whether two positions have the same seeds and marks.
func sameBoard(a, b *engine.Position) bool {
	return a.Slots == b.Slots && a.Marks == b.Marks && a.Shape == b.Shape
}

// slotsField returns a field with a part of the board.
func slotsField(name string, bounds func(*state) (from, to int)) field {
	return field{name, board,
		func(a, b *state) bool { return sameBoard(&a.pos, &b.pos) },
		func(b []byte, s *state) []byte {
			from, to := bounds(s)
			return wire.AppendInts(b, s.pos.Slots[from:to])
		},
		func(f *fold, raw []byte) error {
			if name == "pits" {
				f.pits = raw
			} else {
				f.stores = raw
			}
			return nil
		}}
}

// appendMarks appends the marks of the pits that have some, or null. They follow from the moves.
func appendMarks(b []byte, p *engine.Position) []byte {
	if p.Marks == (engine.Marks{}) {
		return append(b, null...)
	}
	first := byte('{')
	for pit := range p.Shape.Store(0) {
		if marks := p.Marks.Of(pit); marks != "" {
			b = append(wire.AppendInt(append(b, first, '"'), int64(pit)), `":"`...)
			b = append(append(b, marks...), '"')
			first = ','
		}
	}
	return append(b, '}')
}

// read reads integers into dst. More integers than dst can hold are an error.
func read(raw []byte, dst []int64) error {
	_, err := wire.Ints(raw, dst)
	return err
}

// small reads an integer of at least 0 and below limit.
func small(raw []byte, limit int64) (int, error) {
	n, err := wire.Int(raw)
	if err != nil || n < 0 || n >= limit {
		return 0, wire.ErrSyntax
	}
	return int(n), nil
}

// oneOf reads one of these words and returns its index.
func oneOf(raw []byte, words []string) (int, error) {
	t, err := wire.Text(raw)
	if err != nil {
		return 0, err
	}
	if i := slices.Index(words, t); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("match: %.20q is none of %v", t, words)
}
