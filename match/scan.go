package match

import (
	"encoding/json"
	"errors"
	"strconv"
)

// Reading JSON that we wrote ourselves, or the few fields of a command: enough
// of a parser for that and no reflection. Whatever it does not understand is an
// error, and every value is checked by whoever takes it.

var errSyntax = errors.New("match: not the JSON that was expected")

// members calls f with each member of a JSON object, the value still as text.
// Empty text is an empty object.
func members(b []byte, f func(key, raw []byte) error) error {
	from, to := skipSpace(b, 0), len(b)
	for to > from && isSpace(b[to-1]) {
		to--
	}
	if from == to {
		return nil
	}
	if to-from < 2 || b[from] != '{' || b[to-1] != '}' {
		return errSyntax
	}
	return each(b[from+1:to-1], f)
}

// each is members without the braces.
func each(b []byte, f func(key, raw []byte) error) error {
	i := skipSpace(b, 0)
	for i < len(b) {
		end := skipString(b, i)
		if end < 0 {
			return errSyntax
		}
		key := b[i+1 : end-1]
		i = skipSpace(b, end)
		if i == len(b) || b[i] != ':' {
			return errSyntax
		}
		i = skipSpace(b, i+1)
		if end = skipValue(b, i); end < 0 {
			return errSyntax
		}
		if err := f(key, b[i:end]); err != nil {
			return err
		}
		if i = skipSpace(b, end); i == len(b) {
			break
		}
		if b[i] != ',' {
			return errSyntax
		}
		if i = skipSpace(b, i+1); i == len(b) {
			return errSyntax
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

// skipString gives the index after the string that begins at i, or -1.
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

// skipValue gives the index after the value that begins at i, or -1. Of arrays
// and objects it sees the brackets and the strings.
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

// text reads a string.
func text(raw []byte) (string, error) {
	if plain(raw) {
		return string(raw[1 : len(raw)-1]), nil
	}
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", errSyntax
	}
	return s, nil
}

// isText is text for who does not want to know which.
func isText(raw []byte) error {
	if plain(raw) {
		return nil
	}
	_, err := text(raw)
	return err
}

// plain says whether a string stands for itself.
func plain(raw []byte) bool {
	if len(raw) < 2 || raw[0] != '"' {
		return false
	}
	for _, c := range raw[1 : len(raw)-1] {
		if c == '\\' || c < ' ' || c >= 0x80 {
			return false
		}
	}
	return true
}

// number reads an integer.
func number(raw []byte) (int64, error) {
	if len(raw) == 0 || len(raw) > 19 {
		return 0, errSyntax
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil || raw[0] == '+' {
		return 0, errSyntax
	}
	return n, nil
}

// numbers reads an array of integers, of which there are at most len(dst); an
// array within it is read as if its members stood there themselves.
func numbers(raw []byte, dst []int64) (n int, err error) {
	if len(raw) == 0 || raw[0] != '[' {
		return 0, errSyntax
	}
	for i := 0; i < len(raw); {
		c := raw[i]
		if c == '[' || c == ']' || c == ',' || c == ' ' {
			i++
			continue
		}
		end := skipValue(raw, i)
		if end < 0 || n == len(dst) {
			return 0, errSyntax
		}
		if dst[n], err = number(raw[i:end]); err != nil {
			return 0, err
		}
		n++
		i = end
	}
	return n, nil
}

// truth reads true or false.
func truth(raw []byte) (bool, error) {
	switch string(raw) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, errSyntax
}

func isNull(raw []byte) bool { return string(raw) == "null" }
