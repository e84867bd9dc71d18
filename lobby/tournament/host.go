package tournament

import (
	"slices"
	"strings"
	"unicode/utf8"

	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
)

const (
	maxID   = 128 // bytes of a player's ID
	maxText = 280 // characters of an announcement or a reason
)

// create makes the first entry. Its author is the first host.
func (d *decision) create() error {
	if d.by == "" || len(d.by) > maxID || d.order.Settings == nil {
		return refusal.New(match.CodeBadCommand)
	}
	if err := d.order.Settings.check(); err != nil {
		return err
	}
	d.change = Change{Settings: d.order.Settings, Stage: Entry, Hosts: []string{d.by}}
	return nil
}

// changeSettings changes the settings. After the start, the settings that past results depend on
// stay as they are.
func (d *decision) changeSettings() error {
	s := d.order.Settings
	if s == nil {
		return refusal.New(match.CodeBadCommand)
	}
	if err := s.check(); err != nil {
		return err
	}
	old := d.Settings
	switch {
	case *s == old:
		return machine.ErrNothing
	case d.Stage == Over:
		return refusal.New(CodeClosed)
	case d.Stage == Running && (s.scoring() != old.scoring() || s.Format == Swiss && s.Rounds < len(d.Rounds)):
		return refusal.New(CodeStarted)
	}
	d.change.Settings = s
	return nil
}

// announce shows a text to everybody in the tournament.
func (d *decision) announce() (err error) {
	if d.change.Text, err = text(d.order.Text); err == nil && d.change.Text == "" {
		return refusal.New(match.CodeBadCommand)
	}
	return err
}

// text returns a host's text without space around it.
func text(typed string) (string, error) {
	typed = strings.TrimSpace(typed)
	if !utf8.ValidString(typed) || utf8.RuneCountInString(typed) > maxText || strings.ContainsFunc(typed, isControl) {
		return "", refusal.New(match.CodeBadCommand)
	}
	return typed, nil
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// forbid keeps two players apart in the rounds to come.
func (d *decision) forbid() error {
	pair, err := d.two()
	switch {
	case err != nil:
		return err
	case slices.Contains(d.Forbidden, pair):
		return machine.ErrNothing
	case len(d.Forbidden) >= maxForbid:
		return refusal.New(CodeFull)
	}
	return d.putForbidden(append(slices.Clone(d.Forbidden), pair))
}

// allow lets two players meet again.
func (d *decision) allow() error {
	pair, err := d.two()
	if err != nil {
		return err
	}
	i := slices.Index(d.Forbidden, pair)
	if i < 0 {
		return machine.ErrNothing
	}
	return d.putForbidden(slices.Delete(slices.Clone(d.Forbidden), i, i+1))
}

func (d *decision) putForbidden(all [][2]int) error {
	before := append([][2]int{}, d.Forbidden...) // not nil, which would stand for no change
	d.change.Forbidden = &all
	d.undoable(KindForbid, Change{Forbidden: &before})
	return nil
}

// two returns the numbers of the two players whom the command names, the lower one first.
func (d *decision) two() (pair [2]int, err error) {
	one, other := d.player(d.order.Player), d.player(d.order.Other)
	switch {
	case one == nil || other == nil:
		return pair, refusal.New(CodeNotEntered)
	case one == other:
		return pair, refusal.New(match.CodeBadCommand)
	}
	return [2]int{min(one.Number, other.Number), max(one.Number, other.Number)}, nil
}
