package event

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"mancala/match/room"
	"mancala/web/site"
)

// calendar serves the planned start for calendars, in the format of RFC 5545.
func (srv *Pages) calendar(w http.ResponseWriter, r *http.Request) error {
	v, err := srv.look(r, "")
	if err != nil {
		return err
	}
	at := starts(&v.State.Settings)
	if at.IsZero() {
		return room.ErrNoRoom
	}
	link, _, _ := srv.Link(r, "t/"+v.ID)
	const form = "20060102T150405Z"
	lines := []string{
		"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Mancala//Tournaments//EN", "BEGIN:VEVENT",
		"UID:" + v.ID + "@mancala", fmt.Sprintf("SEQUENCE:%d", v.Seq), "DTSTAMP:" + time.UnixMilli(v.Now).UTC().Format(form),
		"DTSTART:" + at.Format(form), "DTEND:" + at.Add(2*time.Hour).Format(form),
		"SUMMARY:" + calendarText(v.State.Settings.Name), "DESCRIPTION:" + calendarText(strings.Join(v.facts(), " · ")),
		"URL:" + link, "END:VEVENT", "END:VCALENDAR",
	}
	h := w.Header()
	h.Set("Content-Type", "text/calendar; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="`+site.FileStem(v.State.Settings.Name)+`.ics"`)
	h.Set("Cache-Control", "no-store")
	for _, line := range lines {
		_, _ = io.WriteString(w, folded(line)+"\r\n") // fails only if the client has gone
	}
	return nil
}

// calendarText escapes a text.
func calendarText(s string) string {
	return strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\n", `\n`).Replace(s)
}

// folded divides a line that is longer than the 75 bytes that the format allows.
func folded(line string) string {
	var b strings.Builder
	n := 0
	for _, r := range line {
		if size := utf8.RuneLen(r); n+size > 74 {
			b.WriteString("\r\n ")
			n = 1
		}
		b.WriteRune(r)
		n += utf8.RuneLen(r)
	}
	return b.String()
}
