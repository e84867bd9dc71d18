package messages

import (
	"strings"
)

// ShortClock is a clock as players write it, where it is not a matter of days.
func (c *Catalog) ShortClock(text string) string {
	if strings.ContainsAny(text, "+d") && !strings.Contains(text, "/") {
		return text
	}
	return c.Clock(text)
}
