package web

import (
	"strconv"
	"time"
)

// dates writes days as somebody likes to read them: his setting "dates".
type dates struct {
	messages *catalog
	how      string
}

func newDates(c *catalog, how string) dates { return dates{c, how} }

// Day is a day of the calendar, in UTC.
func (d dates) Day(at time.Time) string {
	at = at.UTC()
	if d.how != "day" && d.how != "month" {
		return at.Format(time.DateOnly)
	}
	month := d.messages.t("month." + strconv.Itoa(int(at.Month())))
	return d.messages.t("date."+d.how, "day", at.Day(), "month", month, "year", strconv.Itoa(at.Year()))
}
