package site

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"mancala/lobby"
	"mancala/match/refusal"
	"mancala/match/room"
)

// areTexts reports whether all names and values of a query or a form are texts.
func areTexts(values url.Values) bool {
	for name, list := range values {
		if !lobby.IsText(name) {
			return false
		}
		for _, v := range list {
			if !lobby.IsText(v) {
				return false
			}
		}
	}
	return true
}

// CheckURL refuses an address that is not text. Nothing is at such a path, and a query
// with such a value makes no sense.
func CheckURL(u *url.URL) error {
	switch {
	case lobby.IsText(u.Path):
	case strings.HasPrefix(u.Path, "/@/"):
		return refusal.New(lobby.CodeNoPlayer)
	default:
		return room.ErrNoRoom
	}
	if u.RawQuery != "" && !areTexts(u.Query()) {
		return ErrBadFrame
	}
	return nil
}

// IsJSONText reports whether all strings of a JSON text are texts: the bytes are UTF-8,
// and no escape means the character 0.
func IsJSONText(b []byte) bool {
	for i := 0; i+5 < len(b); i++ {
		if b[i] != '\\' {
			continue
		}
		if string(b[i+1:i+6]) == "u0000" {
			return false
		}
		i++ // the escaped character, which may be a backslash
	}
	return utf8.Valid(b)
}

// FirstRunes returns the first n runes of a text that may be very long.
func FirstRunes(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}
