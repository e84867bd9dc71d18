package lobby

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"mancala/match/refusal"
)

func TestNamesAreCleaned(t *testing.T) {
	for _, tt := range []struct {
		name, in, want string
		code           refusal.Code
	}{
		{"plain", "Ada", "Ada", ""},
		{"spaces at the ends", "  Ada\t\n", "Ada", ""},
		{"spaces within", "Ada \t \u3000 L.\u00a0Byron", "Ada L. Byron", ""},
		{"marks of names", "Anne-Marie O'Neil Jr.", "Anne-Marie O'Neil Jr.", ""},
		{"digits", "Ada 2", "Ada 2", ""},
		{"accents, composed", "Zoë Đặng", "Zoë Đặng", ""},
		{"accents, decomposed", "Zoe\u0308", "Zoe\u0308", ""},
		{"right to left", "نور", "نور", ""},
		{"Hindi", "अनीता", "अनीता", ""},
		{"Chinese", "李小龍", "李小龍", ""},
		{"24", strings.Repeat("é", 24), strings.Repeat("é", 24), ""},
		{"24 with accents", strings.Repeat("e\u0301", 24), strings.Repeat("e\u0301", 24), ""},

		{"nothing", "", "", CodeNameEmpty},
		{"only spaces", " \u2003\t ", "", CodeNameEmpty},
		{"only marks", " -.- ", "", CodeNameEmpty},
		{"25", strings.Repeat("a", 25), "", CodeNameLong},
		{"very long", strings.Repeat("a", 1<<20), "", CodeNameLong},
		{"very long, spaces", strings.Repeat(" ", 1<<20) + "a", "", CodeNameLong},

		{"markup", "<b>Ada</b>", "", CodeNameCharacters},
		{"an entity", "Ada &amp; Ben", "", CodeNameCharacters},
		{"quotes", `Ada"`, "", CodeNameCharacters},
		{"an address", "Ada@example.org", "", CodeNameCharacters},
		{"emoji", "Ada 😀", "", CodeNameCharacters},
		{"NUL", "A\x00da", "", CodeNameCharacters},
		{"escape", "A\x1b[31mda", "", CodeNameCharacters},
		{"delete", "Ada\x7f", "", CodeNameCharacters},
		{"not UTF-8", "Ada\xff", "", CodeNameCharacters},
		{"right-to-left override", "Ada\u202e", "", CodeNameCharacters},
		{"isolate", "\u2066Ada\u2069", "", CodeNameCharacters},
		{"direction mark", "Ada\u200f", "", CodeNameCharacters},
		{"zero-width space", "A\u200bda", "", CodeNameCharacters},
		{"zero-width joiner", "A\u200dda", "", CodeNameCharacters},
		{"byte order mark", "\ufeffAda", "", CodeNameCharacters},
		{"soft hyphen", "A\u00adda", "", CodeNameCharacters},
		{"word joiner", "A\u2060da", "", CodeNameCharacters},
		{"Hangul filler", "\u3164", "", CodeNameCharacters},
		{"Braille blank", "\u2800", "", CodeNameCharacters},
		{"variation selector", "Ada\ufe0f", "", CodeNameCharacters},
		{"grapheme joiner", "A\u034fda", "", CodeNameCharacters},
		{"tags", "Ada\U000e0041", "", CodeNameCharacters},
		{"private use", "Ada\ue000", "", CodeNameCharacters},
		{"an accent on nothing", "\u0301Ada", "", CodeNameCharacters},
		{"an accent on a space", "Ada \u0301", "", CodeNameCharacters},
		{"a tower of accents", "A\u0301\u0301\u0301\u0301da", "", CodeNameCharacters},

		{"who is no more", "deleted  PLAYER", "", CodeNameReserved},
		{"who is in charge", "Ad-min.", "", CodeNameReserved},
		{"in charge, with a Cyrillic A", "\u0410dmin", "", CodeNameReserved},
		{"in charge, with a Greek o", "M\u03bfderator", "", CodeNameReserved},
		{"in charge, with a zero", "M0derator", "", CodeNameReserved},
		{"in charge, in wide letters", "ＨＯＳＴ", "", CodeNameReserved},
		{"who is no more, with a one", "Deleted P1ayer", "", CodeNameReserved},
		{"who is no more, decomposed", "Compte supprime\u0301", "", CodeNameReserved},
		{"the word of a page", "Settings", "Settings", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := CleanName(tt.in)
			if got != tt.want || codeOf(err) != tt.code {
				t.Errorf("CleanName(%.40q) = %q, %v; want %q, %q", tt.in, got, err, tt.want, tt.code)
			}
		})
	}
}

func TestTextsAreCleaned(t *testing.T) {
	for _, tt := range []struct {
		name, in, want, why string
	}{
		{"plain", "Nice!", "Nice!", ""},
		{"markup is just text", `<script>alert("1")</script> & {{.}}`, `<script>alert("1")</script> & {{.}}`, ""},
		{"lines", "one\ntwo\r\nthree\u2028four", "one two three four", ""},
		{"punctuation", "¿Qué? — “so”… 50 % €", "¿Qué? — “so”… 50 % €", ""},
		{"emoji", "👍 😀", "👍 😀", ""},
		{"emoji with a look", "❤️ ☎︎ 1️⃣ ‼️", "❤️ ☎︎ 1️⃣ ‼️", ""},
		{"a family", "👨‍👩‍👧", "👨‍👩‍👧", ""},
		{"skin and gender", "🤦🏽‍♀️ 🏳️‍🌈", "🤦🏽‍♀️ 🏳️‍🌈", ""},
		{"an emoji of tomorrow", "\U0001faef", "\U0001faef", ""},
		{"Persian", "می\u200cشود", "می\u200cشود", ""},
		{"Hindi", "क्\u200dष", "क्\u200dष", ""},
		{"200", strings.Repeat("é", 200), strings.Repeat("é", 200), ""},

		{"nothing", "", "", "empty"},
		{"only spaces", "\n \u2003", "", "empty"},
		{"201", strings.Repeat("a", 201), "", "too-long"},
		{"very long", strings.Repeat("a", 1<<20), "", "too-long"},
		{"NUL", "a\x00", "", "characters"},
		{"escape", "\x1b[2J", "", "characters"},
		{"not UTF-8", "\xc3\x28", "", "characters"},
		{"right-to-left override", "a\u202eb", "", "characters"},
		{"isolate", "a\u2067b", "", "characters"},
		{"zero-width space", "a\u200bb", "", "characters"},
		{"a joiner in Latin", "a\u200db", "", "characters"},
		{"a joiner at the end", "می\u200c", "", "characters"},
		{"two joiners", "👨\u200d\u200d👩", "", "characters"},
		{"only a joiner", "\u200d", "", "characters"},
		{"a look for a letter", "a\ufe0f", "", "characters"},
		{"looks in a row", "❤\ufe0f\ufe0f", "", "characters"},
		{"tags", "🏴\U000e0067", "", "characters"},
		{"Hangul filler", "a\u3164", "", "characters"},
		{"a tower of accents", "a\u0301\u0301\u0301\u0301", "", "characters"},
		{"an accent on nothing", "\u0301a", "", "characters"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := CleanText(tt.in)
			if got != tt.want || why(err) != tt.why {
				t.Errorf("CleanText(%.40q) = %q, %v (%s); want %q, %q", tt.in, got, err, why(err), tt.want, tt.why)
			}
		})
	}
}

// why returns the reason in the refusal of a text.
func why(err error) string {
	if _, refused := refusal.Of(err); !refused {
		return ""
	}
	return refusal.Detail(err).(TextProblem).Why
}

func TestEqualNamesAreToldApart(t *testing.T) {
	for _, tt := range []struct{ in, want []string }{
		{nil, []string{}},
		{[]string{"Ada", "Ben"}, []string{"Ada", "Ben"}},
		{[]string{"Ada", "ada", "A.da"}, []string{"Ada", "ada 2", "A.da 3"}},
		{[]string{"Ada", "Ada", "Ada 2"}, []string{"Ada", "Ada 2", "Ada 2 2"}},
	} {
		if got := Distinct(tt.in); !slices.Equal(got, tt.want) {
			t.Errorf("Distinct(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// seedTexts is the seed corpus of the fuzz tests.
var seedTexts = []string{"Ada", " Quiet  Kite ", "<b>&\"'", "\u202eadA", "e\u0301", "👨‍👩‍👧", "می\u200cشود", "\xff", "\u3164", "1️⃣", "a\u200d"}

// checkClean fails the test if a cleaned text breaks a rule.
func checkClean(t *testing.T, clean func(string) (string, error), in string, limit int) {
	got, err := clean(in)
	if err != nil {
		if got != "" {
			t.Errorf("%q was refused and yet became %q", in, got)
		}
		return
	}
	if again, err := clean(got); again != got || err != nil {
		t.Errorf("%q became %q, then %q, %v", in, got, again, err)
	}
	seen := 0
	for i, r := range got {
		switch {
		case r == ' ' && (i == 0 || i == len(got)-1 || got[i-1] == ' '):
			t.Errorf("%q became %q: spaces", in, got)
		case unicode.IsSpace(r) && r != ' ', unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), unicode.Is(unicode.Co, r):
			t.Errorf("%q became %q, with %U in it", in, got, r)
		case unicode.Is(unicode.Cf, r) && r != zwj && r != zwnj:
			t.Errorf("%q became %q, with the format character %U in it", in, got, r)
		}
		if unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) {
			seen++
		}
	}
	if !utf8.ValidString(got) || seen == 0 || seen > limit || len(got) > maxBytes*limit {
		t.Errorf("%q became %q: %d characters in %d bytes", in, got, seen, len(got))
	}
}

func FuzzCleanName(f *testing.F) {
	for _, s := range seedTexts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		checkClean(t, CleanName, in, MaxName)
		if got, _ := CleanName(in); strings.ContainsAny(got, "<>&\"`{}=/\\@\u200c\u200d") {
			t.Errorf("%q became the name %q", in, got)
		}
	})
}

func TestNameOfAnotherProgramIsShortenedWithoutAGuess(t *testing.T) {
	for in, want := range map[string]string{
		"Ada Lovelace":                      "Ada Lovelace",
		"  <b>Ada</b> &\tBen ":              "b Ada b Ben",
		"Ada\u200b\u202eLovelace":           "AdaLovelace",
		"Abcdefghijklmnopqrstuvwxyz":        "Abcdefghijklmnopqrstuvwx",
		"Abcdefghijklmnopqrstuvw xyz":       "Abcdefghijklmnopqrstuvw",
		"Abcdefghijklmnopqrstuvwe\u0301x":   "Abcdefghijklmnopqrstuvwe\u0301",
		"\u0301Zo\u0301\u0301\u0301\u0301e": "Zo\u0301\u0301\u0301e",
		"D´Arcy":                            "D'Arcy",
		"(?)":                               "",
	} {
		if got := ShortName(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// Whatever a file has, its name is one that a player could have typed, or none.
func FuzzShortName(f *testing.F) {
	for _, s := range seedTexts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		short := ShortName(in)
		if got, err := CleanName(short); err == nil && got != short {
			t.Errorf("%q became %q, and then %q", in, short, got)
		} else if err != nil && strings.ContainsFunc(short, unicode.IsLetter) && !strings.ContainsRune(short, utf8.RuneError) && !reserved()[NameKey(short)] {
			t.Errorf("%q became %q: %v", in, short, err)
		}
	})
}

func FuzzCleanText(f *testing.F) {
	for _, s := range seedTexts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) { checkClean(t, CleanText, in, MaxText) })
}
