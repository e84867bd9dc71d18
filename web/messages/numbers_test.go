package messages

import (
	"testing"
	"time"
)

func TestNumbersAndDaysAreWrittenAsPeopleWriteThem(t *testing.T) {
	day := time.Date(2026, 11, 26, 15, 4, 0, 0, time.UTC)
	for lang, want := range map[string][7]string{
		"en": {"2.5", "−12.25", "12.5 = 4 + 3.5 + 5", "2026-11-26", "2026-11-26 15:04 UTC", "+3", "−3"},
		"fr": {"2,5", "−12,25", "12,5 = 4 + 3,5 + 5", "26 novembre 2026", "26 novembre 2026 15:04 UTC", "+3", "−3"},
		"de": {"2,5", "−12,25", "12,5 = 4 + 3,5 + 5", "26. November 2026", "26. November 2026 15:04 UTC", "+3", "−3"},
		"ar": {"2.5", "\u200e−12.25", "12.5 = 4 + 3.5 + 5", "\u206826\u2069 \u2068نوفمبر\u2069 \u20682026\u2069", "\u206826\u2069 \u2068نوفمبر\u2069 \u20682026\u2069 15:04 UTC", "\u200e+3", "\u200e−3"},
	} {
		c, err := Load(lang)
		if err != nil {
			t.Fatal(err)
		}
		dates := NewDates(c, "auto")
		got := [7]string{c.Tenths(25), c.Hundredths(-1225), c.Decimals("12.5 = 4 + 3.5 + 5"), dates.Day(day), dates.Minute(day), c.Signed(3), c.Signed(-3)}
		if got != want {
			t.Errorf("%s: got %q, want %q", lang, got, want)
		}
		if got := NewDates(c, "iso").Day(day); got != "2026-11-26" {
			t.Errorf("%s, with the year first: %s", lang, got)
		}
	}
}
