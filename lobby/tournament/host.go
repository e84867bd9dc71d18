package tournament

import (
	"slices"
	"strings"
	"unicode"
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
	if err := d.checkEnds(d.order.Settings); err != nil {
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
	case s.Ends != old.Ends && d.checkEnds(s) != nil:
		return d.checkEnds(s)
	case len(d.Players) > 0 && (s.Rated && !old.Rated || s.Initials != old.Initials):
		return refusal.New(CodeStarted) // both matter when a player joins
	case d.Stage == Running && (s.scoring() != old.scoring() || s.Format == Swiss && s.Rounds < len(d.Rounds)):
		return refusal.New(CodeStarted)
	case d.Stage == Running && s.Days == 0 && old.Days > 0 && !d.closed() && !d.roundOver():
		return refusal.New(CodeRoundOpen) // its games wait for players until the end of the round, see [Settings.noShow]
	}
	d.change.Settings = s
	if d.rerates(s) {
		d.reratesAll()
	}
	if s.Days > 0 && old.Days == 0 && d.Stage == Running { // a round that is being played gets an end, too
		d.change.Ends = s.endOfRound(len(d.Rounds), d.at)
	}
	return nil
}

// extend lets an arena end later, or moves the end of a round.
func (d *decision) extend() error {
	const most = maxMinutes * 60_000
	switch {
	case !d.InWaves():
		return d.extendRound()
	case d.Ends == 0 || d.at >= d.Ends || d.Stage != Running:
		return refusal.New(CodeClosed)
	case d.order.Ms <= 0 || d.order.Ms > most || d.Ends+d.order.Ms > d.at+most:
		return refusal.New(match.CodeBadCommand)
	}
	d.change.Ends = d.Ends + d.order.Ms
	return nil
}

// delete ends a tournament of which nothing shall be left but its games. No game may be under
// way.
func (d *decision) delete() error {
	if d.Stage == Running && !d.roundOver() {
		return refusal.New(CodeRoundOpen)
	}
	bare := d.Settings
	bare.Name, bare.Listed = "-", false
	d.change = Change{Settings: &bare, Stage: Deleted, Due: new(int64), Final: true}
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
	if !utf8.ValidString(typed) || utf8.RuneCountInString(typed) > maxText || strings.ContainsFunc(typed, isHidden) {
		return "", refusal.New(match.CodeBadCommand)
	}
	return typed, nil
}

// isHidden reports whether a character can change how the rest of a line is shown. Emoji need joiners.
func isHidden(r rune) bool {
	const joiners = "\u200c\u200d"
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && !strings.ContainsRune(joiners, r)
}

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
	if last := len(d.Rounds); last > 0 && !slices.ContainsFunc(d.Apart, func(a Apart) bool { return a.Paired == last }) {
		d.change.Apart = &Apart{last, before}
	}
	d.undoable(KindForbid, Change{Forbidden: &before})
	return nil
}

// two returns the numbers of the two players whom the command names, the lower one first.
func (d *decision) two() (pair [2]int, err error) {
	one, other := d.Player(d.order.Player), d.Player(d.order.Other)
	switch {
	case one == nil || other == nil:
		return pair, refusal.New(CodeNotEntered)
	case one == other:
		return pair, refusal.New(match.CodeBadCommand)
	}
	return [2]int{min(one.Number, other.Number), max(one.Number, other.Number)}, nil
}
