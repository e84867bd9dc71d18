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

// NewDates returns the Dates of a catalog and a setting.
func NewDates(c *Catalog, how string) Dates { return Dates{c, how} }

// Day returns the day of a time, in UTC.
func (d Dates) Day(at time.Time) string {
	at = at.UTC()
	if d.how != "day" && d.how != "month" {
		return at.Format(time.DateOnly)
	}
	month := d.messages.T("month." + strconv.Itoa(int(at.Month())))
	return d.messages.T("date."+d.how, "day", at.Day(), "month", month, "year", strconv.Itoa(at.Year()))
}
