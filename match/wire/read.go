package wire

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// Members calls f with each member of a JSON object, in order. The key is without its
// quotes, the value is JSON. Both are parts of b. Empty text is an empty object.
func Members(b []byte, f func(key, raw []byte) error) error {
	from, to := skipSpace(b, 0), len(b)
	for to > from && isSpace(b[to-1]) {
		to--
	}
	if from == to {
		return nil
	}
	if to-from < 2 || b[from] != '{' || b[to-1] != '}' {
		return ErrSyntax
	}
	return BareMembers(b[from+1:to-1], f)
}

// BareMembers is [Members] for an object without its braces.
func BareMembers(b []byte, f func(key, raw []byte) error) error {
	i := skipSpace(b, 0)
	for i < len(b) {
		end := skipString(b, i)
		if end < 0 {
			return ErrSyntax
		}
		key := b[i+1 : end-1]
		i = skipSpace(b, end)
		if i == len(b) || b[i] != ':' {
			return ErrSyntax
		}
		i = skipSpace(b, i+1)
		if end = skipValue(b, i); end < 0 {
			return ErrSyntax
		}
		if err := f(key, b[i:end]); err != nil {
			return err
		}
		if i = skipSpace(b, end); i == len(b) {
			break
		}
		if b[i] != ',' {
			return ErrSyntax
		}
		if i = skipSpace(b, i+1); i == len(b) {
			return ErrSyntax
		}
	}
	return nil
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func skipSpace(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

// skipString returns the index after the string that begins at i, or -1.
func skipString(b []byte, i int) int {
	if i >= len(b) || b[i] != '"' {
		return -1
	}
	for i++; i < len(b); i++ {
		switch b[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return -1
}

// skipValue returns the index after the value that begins at i, or -1. In arrays and
// objects it looks only at brackets and strings.
func skipValue(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		depth := 0
		for i < len(b) {
			switch b[i] {
			case '"':
				if i = skipString(b, i); i < 0 {
					return -1
				}
				continue
			case '{', '[':
				depth++
			case '}', ']':
				depth--
				if depth == 0 {
					return i + 1
				}
			}
			i++
		}
		return -1
	}
	start := i
	for i < len(b) && b[i] != ',' && b[i] != '}' && b[i] != ']' && b[i] > ' ' {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

// Text reads a string.
func Text(raw []byte) (string, error) {
	if isPlain(raw) {
		return string(raw[1 : len(raw)-1]), nil
	}
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", ErrSyntax
	}
	return s, nil
}

// CheckText returns the error of [Text].
func CheckText(raw []byte) error {
	if isPlain(raw) {
		return nil
	}
	_, err := Text(raw)
	return err
}

// isPlain reports whether raw, one JSON value, is a string of ASCII without escapes.
func isPlain(raw []byte) bool {
	if len(raw) < 2 || raw[0] != '"' {
		return false
	}
	for _, c := range raw[1 : len(raw)-1] {
		if c == '\\' || c < ' ' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Int reads an integer of at most 19 characters.
func Int(raw []byte) (int64, error) {
	if len(raw) == 0 || len(raw) > 19 {
		return 0, ErrSyntax
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil || raw[0] == '+' {
		return 0, ErrSyntax
	}
	return n, nil
}

// Ints reads an array of at most len(dst) integers and returns their number. It reads
// the members of an array within it as members of the outer array.
func Ints(raw []byte, dst []int64) (n int, err error) {
	if len(raw) == 0 || raw[0] != '[' {
		return 0, ErrSyntax
	}
	for i := 0; i < len(raw); {
		c := raw[i]
		if c == '[' || c == ']' || c == ',' || isSpace(c) {
			i++
			continue
		}
		end := skipValue(raw, i)
		if end < 0 || n == len(dst) {
			return 0, ErrSyntax
		}
		if dst[n], err = Int(raw[i:end]); err != nil {
			return 0, err
		}
		n++
		i = end
	}
	return n, nil
}

// Bool reads true or false.
func Bool(raw []byte) (bool, error) {
	switch string(raw) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, ErrSyntax
}

// IsNull reports whether raw is null.
func IsNull(raw []byte) bool { return string(raw) == "null" }

// CutText reads a string of ASCII without escapes at the start of b. It returns the
// text and what follows the string, both parts of b.
func CutText(b []byte) (text, rest []byte, ok bool) {
	if len(b) == 0 || b[0] != '"' {
		return nil, nil, false
	}
	for i, c := range b[1:] {
		switch {
		case c == '"':
			return b[1 : 1+i], b[2+i:], true
		case c < ' ' || c >= utf8.RuneSelf || c == '\\':
			return nil, nil, false
		}
	}
	return nil, nil, false
}

// CutUint reads an integer of at most 17 digits at the start of b. It returns the
// integer and what follows it.
func CutUint(b []byte) (n uint64, rest []byte, ok bool) {
	i := 0
	for ; i < len(b) && b[i] >= '0' && b[i] <= '9'; i++ {
		n = 10*n + uint64(b[i]-'0')
	}
	return n, b[i:], i > 0 && i < 18 && (i == 1 || b[0] != '0')
}
