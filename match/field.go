package match

import (
	"encoding/json"
	"fmt"
	"slices"

	"mancala/engine"
	"mancala/match/wire"
)

// field is a named part of the state: how it is compared, written and read. One
// table serves the snapshot, the "set" of an entry and its folding, so that they
// cannot drift apart.
type field struct {
	name string
	kind fieldKind
	same func(a, b *state) bool
	// add appends the value; "null" if there is none, and then a snapshot has no
	// such field.
	add  func(b []byte, s *state) []byte
	read func(f *fold, raw []byte) error
}

type fieldKind uint8

const (
	public  fieldKind = iota
	board             // public; a move says it in its own way
	private           // for nobody but the machine
)

const null = "null"

// The table in parts, in its order.
var (
	shownFields  = fieldsOf(public, board)
	besideMove   = fieldsOf(public) // what a move may change without saying it itself
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

// derived is the reading of a field that follows from others.
func derived(*fold, []byte) error { return nil }

func textField(name string, kind fieldKind, at func(*state) *string) field {
	return field{name, kind,
		func(a, b *state) bool { return *at(a) == *at(b) },
		func(b []byte, s *state) []byte { return wire.AppendText(b, *at(s)) },
		func(f *fold, raw []byte) (err error) { *at(&f.state), err = wire.Text(raw); return err }}
}

// ifAnyField is a public text that is there only if it is not empty.
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

// mark is a field that is there only if it is true.
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

// seatsField is a counter for each seat.
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

// rulesField is one of the names of the rule set.
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

// slotsField is a part of the board.
func slotsField(name string, bounds func(*state) (from, to int)) field {
	return field{name, board,
		func(a, b *state) bool { return a.pos.Slots == b.pos.Slots && a.pos.Shape == b.pos.Shape },
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

// read reads as many integers as there may be and refuses more.
func read(raw []byte, dst []int64) error {
	_, err := wire.Ints(raw, dst)
	return err
}

// small reads an integer from 0 to below limit.
func small(raw []byte, limit int64) (int, error) {
	n, err := wire.Int(raw)
	if err != nil || n < 0 || n >= limit {
		return 0, wire.ErrSyntax
	}
	return int(n), nil
}

// oneOf reads one of some words.
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
