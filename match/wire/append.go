package wire

import (
	"strconv"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// AppendText appends s as a JSON string. Invalid UTF-8 becomes U+FFFD.
func AppendText(b []byte, s string) []byte {
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

// AppendTexts appends an array of strings.
func AppendTexts(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendText(b, s)
	}
	return append(b, ']')
}

// AppendInt appends an integer. Most integers here have one or two digits. Those avoid
// the library's table of digits, which is usually not in the CPU's cache.
func AppendInt(b []byte, n int64) []byte {
	switch {
	case uint64(n) < 10:
		return append(b, '0'+byte(n))
	case uint64(n) < 100:
		return append(b, '0'+byte(n/10), '0'+byte(n%10))
	}
	return strconv.AppendInt(b, n, 10)
}

// AppendInts appends an array of integers.
func AppendInts[T ~int | ~int32 | ~int64 | ~uint8](b []byte, list []T) []byte {
	b = append(b, '[')
	for i, n := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendInt(b, int64(n))
	}
	return append(b, ']')
}

// AppendBool appends true or false.
func AppendBool(b []byte, yes bool) []byte { return strconv.AppendBool(b, yes) }

// AppendHex appends n as a string of eight hexadecimal digits.
func AppendHex(b []byte, n uint32) []byte {
	b = append(b, '"')
	for shift := 28; shift >= 0; shift -= 4 {
		b = append(b, hexDigits[n>>shift&15])
	}
	return append(b, '"')
}
