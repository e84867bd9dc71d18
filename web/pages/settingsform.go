package pages

import (
	"net/url"
	"slices"
	"strconv"

	"mancala/match"
	"mancala/web/messages"
)

// A Form is what the fields of a form hold: what was typed, what is usual, or what holds now.
type Form url.Values

// Value returns what a field holds.
func (f Form) Value(field string) string { return url.Values(f).Get(field) }

// Is reports whether a field holds a value.
func (f Form) Is(field, value string) bool { return f.Value(field) == value }

// settingsForm is the form of a game's settings. Sent unchanged, it changes nothing, also without script.
type settingsForm struct {
	Form
	Clocks []choice
}

// settingsClocks are the clocks that the form offers.
var settingsClocks = []string{"none", "3+2", "5+3", "10+5", "30+10", "5d3", "1/move", "3/move", "7/move"}

// newSettings returns the form for a new game, with what is usual.
func newSettings(c *messages.Catalog) settingsForm {
	return settingsForm{Form{"rules": {"kalah"}, "assists": {"true"}}, clocks(c, settingsClocks)}
}

// settingsNow returns the form with the settings of a game that waits for players.
func settingsNow(c *messages.Catalog, s *match.Public) settingsForm {
	fields := url.Values{
		"rules": {s.Rules}, "options": {s.Options}, "clock": {s.ClockText}, "start": {s.Start}, "chat": {s.Chat},
		"delay": {strconv.Itoa(s.Delay)},
	}
	for name, on := range map[string]bool{
		"assists": s.Assists == nil || *s.Assists, "rated": s.Rated, "listed": s.Listed, "forOthers": s.ForOthers,
	} {
		if on {
			fields.Set(name, "true")
		}
	}
	offered := settingsClocks
	if !slices.Contains(offered, s.ClockText) { // a program may have chosen it
		offered = append(slices.Clone(offered), s.ClockText)
	}
	return settingsForm{Form(fields), clocks(c, offered)}
}
