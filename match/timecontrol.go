package match

import (
	"strconv"
	"strings"
)

// clockKind is how thinking time is counted.
type clockKind uint8

const (
	noClock clockKind = iota
	fischer           // a total, and an increment after each turn
	delay             // a total that waits a little at the start of each turn
	days              // a number of days for each turn
)

const (
	minute = 60_000         // ms
	day    = 24 * 60 * 60e3 // ms
)

// control is a time control. Its text is the setting "clock".
type control struct {
	kind clockKind
	base int64 // ms: the total, or the time for a turn
	inc  int64 // ms: the increment or delay
	text string
}

// atBoard reports whether players are expected to stay at the board. If so, a first
// move and a lay-out have a deadline, and the opponents may claim the game from a
// player who stays away. With days for a move they are not.
func (c control) atBoard() bool { return c.kind == fischer || c.kind == delay }

// Speeds are the classes of speed, the fastest first. A player has a rating for each
// game and speed.
var Speeds = []string{"bullet", "blitz", "rapid", "slow", "days"}

// SpeedOf returns the speed of games with this clock text. It returns "" without a
// clock and for a text that is no clock.
func SpeedOf(clock string) string {
	c, _ := parseControl(clock)
	return c.speed()
}

// speed depends on the time that a player has for 30 turns, about the length of a game. The
// bounds are 2 minutes, 8 minutes and 25 minutes.
func (c control) speed() string {
	switch estimate := c.base + 30*c.inc; {
	case c.kind == noClock:
		return ""
	case c.kind == days:
		return "days"
	case estimate < 2*minute:
		return "bullet"
	case estimate < 8*minute:
		return "blitz"
	case estimate < 25*minute:
		return "rapid"
	}
	return "slow"
}

// parseControl reads "none", "5+3", "5d3" or "3/move". It returns false for any
// other text and for values out of bounds (half a minute to 180 minutes, 0 to 180
// seconds, 1 to 14 days). Only one spelling is accepted, so equal controls have
// equal texts.
func parseControl(text string) (control, bool) {
	if text == "none" {
		return control{text: "none"}, true
	}
	if n, ok := strings.CutSuffix(text, "/move"); ok {
		d, ok := smallNumber(n)
		return control{kind: days, base: d * day, text: text}, ok && d >= 1 && d <= 14
	}
	kind, at := fischer, strings.IndexByte(text, '+')
	if at < 0 {
		kind, at = delay, strings.IndexByte(text, 'd')
	}
	if at < 0 {
		return control{}, false
	}
	minutes, half := strings.CutSuffix(text[:at], ".5")
	m, ok1 := smallNumber(minutes)
	s, ok2 := smallNumber(text[at+1:])
	c := control{kind: kind, base: m * minute, inc: s * 1000, text: text}
	if half {
		c.base += minute / 2
	}
	return c, ok1 && ok2 && c.base >= minute/2 && c.base <= 180*minute && s <= 180
}

// smallNumber reads a number of at most three digits without leading zeros.
func smallNumber(s string) (int64, bool) {
	if len(s) == 0 || len(s) > 3 || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 10, 16)
	return int64(n), err == nil
}
