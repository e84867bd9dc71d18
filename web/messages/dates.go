package messages

import (
	"strconv"
	"time"
)

// Dates writes days in the form of a player's setting "dates".
type Dates struct {
	messages *Catalog
	how      string
}

// NewDates returns the Dates of a catalog and a setting. Without a setting, dates are as the catalog's
// language has them.
func NewDates(c *Catalog, how string) Dates {
	if how == "" || how == "auto" {
		how = c.T("date.usual")
	}
	return Dates{c, how}
}

// Order returns what comes first in a date: "iso" for the year, "day" or "month".
func (d Dates) Order() string { return d.how }

// Minute returns the day and the minute of a time, in UTC.
func (d Dates) Minute(at time.Time) string { return d.Day(at) + at.UTC().Format(" 15:04 UTC") }

// Day returns the day of a time, in UTC.
func (d Dates) Day(at time.Time) string {
	at = at.UTC()
	if d.how != "day" && d.how != "month" {
		return at.Format(time.DateOnly)
	}
	month := d.messages.T("month." + strconv.Itoa(int(at.Month())))
	return d.messages.T("date."+d.how, "day", at.Day(), "month", month, "year", strconv.Itoa(at.Year()))
}
