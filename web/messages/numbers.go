package messages

import (
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// decimalPoint returns what separates the decimals of a number in a language. All numbers of the pages
// have the digits 0 to 9.
func decimalPoint(tag language.Tag) string {
	if western, err := tag.SetTypeForKey("nu", "latn"); err == nil {
		tag = western
	}
	return strings.Trim(message.NewPrinter(tag).Sprint(number.Decimal(1.5)), "15")
}

// Tenths writes points of a tournament: 25 is "2.5", and in French "2,5".
func (c *Catalog) Tenths(n int) string { return c.decimal(n, 10) }

// Hundredths writes the value of a tie-break: 1250 is "12.5".
func (c *Catalog) Hundredths(n int) string { return c.decimal(n, 100) }

// decimal writes n in units of that size.
func (c *Catalog) decimal(n, unit int) string {
	text := strconv.FormatFloat(float64(max(n, -n))/float64(unit), 'f', -1, 64)
	text = strings.Replace(text, ".", c.point, 1)
	if n >= 0 {
		return text
	}
	return c.sign("−") + text
}

// sign writes a sign before a number. In a text from right to left a sign alone would stand behind its number, so a
// mark of direction is before it, as browsers write such numbers too.
func (c *Catalog) sign(sign string) string {
	if c.T("direction") == "rtl" {
		return "\u200e" + sign
	}
	return sign
}

// Signed writes a difference, such as one of seeds: "+3", "−3" or "+0".
func (c *Catalog) Signed(n int) string {
	if n < 0 {
		return c.decimal(n, 1)
	}
	return c.sign("+") + c.decimal(n, 1)
}

var decimals = regexp.MustCompile(`(\d)\.(\d)`)

// Decimals writes the numbers in a text, such as "12.5 = 4 + 3.5 + 3 + 2", as people write them.
func (c *Catalog) Decimals(text string) string {
	return decimals.ReplaceAllString(text, "${1}"+c.point+"${2}")
}
