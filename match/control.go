package match

import (
	"strconv"
	"strings"
)

// clockKind is how thinking time is counted.
type clockKind uint8

const (
	noClock clockKind = iota
	fischer           // a stock, and some more after each turn
	delay             // a stock that waits a little at the start of each turn
	days              // so many days for each turn
)

const (
	minute = 60_000         // ms
	day    = 24 * 60 * 60e3 // ms
)

// control is a time control. Its text is the setting "clock".
type control struct {
	kind clockKind
	base int64 // ms: the stock, or the time for a turn
	inc  int64 // ms: the increment or delay
	text string
}

// clocked says whether people sit at the board with a clock: then a first move
// and a lay-out have a time, and who stays away can be claimed against. A game
// of days is not.
func (c control) clocked() bool { return c.kind == fischer || c.kind == delay }

// Speeds are how fast games are, the fastest first: what ratings are told apart by
// beside the game.
var Speeds = []string{"bullet", "blitz", "rapid", "slow", "days"}

// SpeedOf is the speed of games with a clock, in one of its texts; "" without one
// and for what is no clock.
func SpeedOf(clock string) string {
	c, _ := parseControl(clock)
	return c.speed()
}

// speed goes by the time that a player has for 30 turns, about as many as games
// take: below 2 minutes, 8 minutes, 25 minutes.
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

// parseControl reads "none", "5+3", "5d3" or "3/move"; false for what is none of
// these or out of bounds (half a minute to 180 minutes, 0 to 180 seconds, 1 to
// 14 days). The text is kept in one form, so that equal controls have equal
// texts.
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

// smallNumber reads a number of at most three digits as people write it.
func smallNumber(s string) (int64, bool) {
	if len(s) == 0 || len(s) > 3 || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 10, 16)
	return int64(n), err == nil
}
