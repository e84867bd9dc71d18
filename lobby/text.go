package lobby

import (
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"mancala/match/refusal"
)

// The greatest lengths of names and lines of chat, in visible characters: accents and
// joiners do not count.
const (
	MaxName = 24
	MaxText = 200

	maxMarks = 3 // accents on one letter; no written language needs more
	maxBytes = 16
)

// reserved returns the keys of the names that stand for the service, a role or, in the languages of pages, a
// deleted player. No name that a reader would confuse with them is allowed, see [NameKey].
var reserved = sync.OnceValue(func() map[string]bool {
	keys := map[string]bool{}
	for _, name := range strings.Fields(`deletedplayer comptesupprimé gelöschteskonto mchezajialiyefutwa لاعبمحذوف cuentaborrada
		contaapagada mancala admin administrator moderator host system server anonymous`) {
		keys[NameKey(name)] = true
	}
	return keys
})

// nameSigns are the marks that occur in names.
const nameSigns = " -_.'’·־׳״・"

// CleanName returns the name for the text that a player typed. It trims spaces at the
// ends and makes single spaces of those within. A name has 1 to [MaxName] characters:
// letters, digits, accents, or one of the marks that occur in names. CleanName refuses
// anything else, above all invisible characters: two names that look the same should be
// equal.
//
// Composed and decomposed letters (é) stay as typed. Both look the same, and [NameKey]
// treats them as equal.
func CleanName(s string) (string, error) {
	if len(s) > maxBytes*MaxName {
		return "", refusal.New(CodeNameLong)
	}
	if !utf8.ValidString(s) {
		return "", refusal.New(CodeNameCharacters)
	}
	s = squeeze(s)
	n, marks, signs := 0, 0, 0
	prev := ' '
	for _, r := range s {
		switch {
		case hidden(r):
			return "", refusal.New(CodeNameCharacters)
		case unicode.IsMark(r):
			if marks++; marks > maxMarks || prev == ' ' {
				return "", refusal.New(CodeNameCharacters)
			}
			continue
		case unicode.IsLetter(r), unicode.IsDigit(r):
		case strings.ContainsRune(nameSigns, r):
			signs++
		default:
			return "", refusal.New(CodeNameCharacters)
		}
		n++
		marks, prev = 0, r
	}
	switch {
	case n == signs:
		return "", refusal.New(CodeNameEmpty)
	case n > MaxName:
		return "", refusal.New(CodeNameLong)
	case reserved()[NameKey(s)]:
		return "", refusal.New(CodeNameReserved)
	}
	return s, nil
}

// ShortName returns the name of a person from another program in a form that [CleanName] accepts, if that is
// possible without a guess. It drops invisible characters, puts a space in place of each sign that names do
// not have here, and cuts a long name after [MaxName] characters. CleanName still refuses a name without a
// letter or a digit, a reserved one, and one in which a character could not be decoded.
func ShortName(s string) string {
	var b strings.Builder
	n, marks := 0, 0
	prev := ' '
	for _, r := range s {
		switch {
		case unicode.IsMark(r) && !hidden(r):
			if marks++; marks <= maxMarks && prev != ' ' {
				b.WriteRune(r)
			}
			continue
		case unicode.IsSpace(r):
			r = ' '
		case r == utf8.RuneError, unicode.IsLetter(r) && !hidden(r), unicode.IsDigit(r), strings.ContainsRune(nameSigns, r):
		case r == '`', r == '´':
			r = '\''
		case hidden(r):
			continue
		default:
			r = ' '
		}
		if marks = 0; r == ' ' && prev == ' ' {
			continue
		}
		if n++; n > MaxName {
			break
		}
		b.WriteRune(r)
		prev = r
	}
	return strings.TrimSpace(b.String())
}

// IsText reports whether s is text that both databases can store and compare: UTF-8
// without the character 0, which PostgreSQL refuses.
func IsText(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

// CleanText returns the line of chat for the text that a player typed: one line with
// single spaces, of 1 to [MaxText] characters. It allows any punctuation and emoji;
// markup is plain text. It refuses invisible characters as [CleanName] does, except
// where writing needs them: joiners within emoji, and between letters of scripts that
// join.
func CleanText(s string) (string, error) {
	if len(s) > maxBytes*MaxText {
		return "", refuseText("too-long")
	}
	if !utf8.ValidString(s) {
		return "", refuseText("characters")
	}
	s = squeeze(s)
	if s == "" {
		return "", refuseText("empty")
	}
	n, marks := 0, 0
	rs := []rune(s)
	at := func(i int) rune { // a space beyond either end
		if i < 0 || i >= len(rs) {
			return ' '
		}
		return rs[i]
	}
	for i, r := range rs {
		switch prev := at(i - 1); {
		case r == zwnj || r == zwj:
			if !joins(prev, at(i+1)) {
				return "", refuseText("characters")
			}
			continue
		case r == textLook || r == emojiLook:
			if !unicode.In(prev, unicode.S, unicode.P, unicode.Nd) {
				return "", refuseText("characters")
			}
			continue
		case unicode.IsMark(r) && !hidden(r):
			if marks++; marks > maxMarks || prev == ' ' {
				return "", refuseText("characters")
			}
			continue
		case hidden(r):
			return "", refuseText("characters")
		}
		n++
		marks = 0
	}
	if n > MaxText {
		return "", refuseText("too-long")
	}
	return s, nil
}

const (
	zwnj      = '\u200c' // zero width non-joiner
	zwj       = '\u200d' // zero width joiner
	textLook  = '\ufe0e' // variation selectors: show as text …
	emojiLook = '\ufe0f' // … or as emoji
)

// joins reports whether a joiner has a meaning between two characters: within an emoji,
// or between letters of a script whose letters join.
func joins(a, b rune) bool {
	if emoji(b) {
		return emoji(a) || a == emojiLook || unicode.Is(unicode.Sk, a) // a skin tone
	}
	return joining(a) && joining(b)
}

// emoji reports whether r may be an emoji. It includes all symbols, and the code points
// that later versions of Unicode may give to emoji.
func emoji(r rune) bool { return unicode.Is(unicode.So, r) || r >= 0x1f000 && r <= 0x1faff }

func joining(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Devanagari, unicode.Bengali,
		unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
		unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar)
}

// hidden reports whether a character is invisible: a control, a format character (among
// them all that change the direction of writing), a private or unassigned code point, or
// a blank letter or mark.
func hidden(r rune) bool {
	const brailleBlank = '\u2800'
	return !unicode.IsGraphic(r) && !emoji(r) || r == brailleBlank ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// squeeze replaces all white space by single spaces and removes it at the ends.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// plain returns the form in which names are compared: lower case, without spaces and
// punctuation.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// Distinct numbers names that are alike, so that no two players in a game have the same
// name: "Ada", "Ada 2". The first one stays as it is.
func Distinct(names []string) []string {
	out := make([]string, len(names))
	taken := make(map[string]bool, len(names))
	next := map[string]int{} // the number to try next, so that a thousand equal names are numbered in one pass
	for i, name := range names {
		out[i] = name
		for taken[plain(out[i])] {
			n := max(next[plain(name)], 2)
			out[i], next[plain(name)] = name+" "+strconv.Itoa(n), n+1
		}
		taken[plain(out[i])] = true
	}
	return out
}
