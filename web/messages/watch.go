package messages

import (
	"strings"
)

// ShortClock returns a clock in the notation that players use. A clock in days, or
// none, is returned in words.
func (c *Catalog) ShortClock(text string) string {
	if strings.ContainsAny(text, "+d") && !strings.Contains(text, "/") {
		return text
	}
	return c.Clock(text)
}
