package match

import (
	"strconv"
	"unicode/utf8"
)

// Writing JSON by hand: an entry is made for every move of every game.

const hexDigits = "0123456789abcdef"

// appendText appends s as a JSON string.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		size := 1
		if c >= utf8.RuneSelf {
			var r rune
			if r, size = utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
		}
		b = append(b, s[from:i]...)
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ':
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		default:
			b = append(b, `\ufffd`...)
		}
		i += size
		from = i
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}

// appendInt appends a number. Nearly all are small, and for those the library's table
// of digits would be one more thing that is not near the processor.
func appendInt(b []byte, n int64) []byte {
	switch {
	case uint64(n) < 10:
		return append(b, '0'+byte(n))
	case uint64(n) < 100:
		return append(b, '0'+byte(n/10), '0'+byte(n%10))
	}
	return strconv.AppendInt(b, n, 10)
}

// appendNumbers appends an array of integers.
func appendNumbers[T ~int | ~int32 | ~int64 | ~uint8](b []byte, list []T) []byte {
	b = append(b, '[')
	for i, n := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendInt(b, int64(n))
	}
	return append(b, ']')
}

// appendTexts appends an array of strings.
func appendTexts(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, s)
	}
	return append(b, ']')
}

func appendFlag(b []byte, yes bool) []byte { return strconv.AppendBool(b, yes) }

// appendSum appends a checksum as it stands in messages: eight hex digits.
func appendSum(b []byte, sum uint32) []byte {
	b = append(b, '"')
	for shift := 28; shift >= 0; shift -= 4 {
		b = append(b, hexDigits[sum>>shift&15])
	}
	return append(b, '"')
}
