package hosting

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// initials returns the first letters of a name's words: "A. L." for Ada Lovelace.
func initials(name string) string {
	var letters []string
	for word := range strings.FieldsSeq(name) {
		r, _ := utf8.DecodeRuneInString(word)
		letters = append(letters, string(unicode.ToUpper(r))+".")
	}
	return strings.Join(letters, " ")
}
