package site

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestURLsWithoutValidTextAreRefused(t *testing.T) {
	for address, want := range map[string]bool{
		"/":                             true,
		"/@/J%C3%BCrgen?q=%F0%9F%8C%B1": true,
		"/%00":                          false,
		"/@/a%FFb":                      false,
		"/?q=%00":                       false,
		"/?%FF=1":                       false,
		"/?q=a&q=%C3":                   false,
		"/?q=%zz":                       true, // no value at all
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := CheckURL(u) == nil; got != want {
			t.Errorf("%s is accepted: %t, want %t", address, got, want)
		}
	}
}

// FuzzIsJSONText compares IsJSONText with the strings that encoding/json reads.
func FuzzIsJSONText(f *testing.F) {
	for _, s := range []string{`"a"`, `"\u0000"`, `"\\u0000"`, `"\\\u0000"`, `{"\u0000":1}`, `["\ud800"]`, "\"\xff\"", `"\u000`, `\`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var v any
		if json.Unmarshal(b, &v) != nil {
			IsJSONText(b) // must not panic
			return
		}
		again, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		// What was read holds a 0 exactly if the text does: Marshal writes it as \u0000.
		zero := hasZero(v)
		if got, want := IsJSONText(b), utf8.Valid(b) && !zero; got != want && !doubled(string(b)) {
			t.Errorf("%q, read as %s: %t, want %t", b, again, got, want)
		}
	})
}

func hasZero(v any) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(v, "\x00")
	case []any:
		for _, e := range v {
			if hasZero(e) {
				return true
			}
		}
	case map[string]any:
		for name, e := range v {
			if strings.Contains(name, "\x00") || hasZero(e) {
				return true
			}
		}
	}
	return false
}

// doubled reports whether a member may be there twice, so that encoding/json shows only
// the last one.
func doubled(text string) bool { return strings.Count(text, ":") > 1 }
