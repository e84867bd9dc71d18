package messages

import (
	"regexp"
)

var clockForm = regexp.MustCompile(`^([\d.]+)([+d/])(.*)$`)

// Clock returns a time control in words.
func (c *Catalog) Clock(control string) string {
	parts := clockForm.FindStringSubmatch(control)
	if parts == nil {
		return c.T("clock.none")
	}
	kind := map[string]string{"+": "fischer", "d": "delay", "/": "days"}[parts[2]]
	return c.T("clock."+kind, "n", parts[1], "seconds", parts[3])
}
