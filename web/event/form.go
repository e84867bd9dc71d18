package event

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"mancala/lobby/tournament"
	"mancala/match/refusal"
	"mancala/web/pages"
)

// settingsOf reads the settings of a tournament from the form at /t/new. It reads the fields of the
// chosen format alone: without script the form shows those of all formats. The tournament checks
// the settings.
func settingsOf(form url.Values) (tournament.Settings, error) {
	read := reader{form: form}
	on := func(name string) bool { return form.Get(name) != "" }
	s := tournament.Settings{
		Name: form.Get("name"), Format: tournament.Format(form.Get("format")),
		Rules: form.Get("rules"), Options: pages.HouseRules(form), Clock: form.Get("clock"), Chat: form.Get("chat"),
		Rated: on("rated"), Listed: on("listed"), Initials: on("initials"), NoShow: 60 * read.number("noshow"), Starts: read.time("starts", "zone"),
		Zone: read.zone("zone"),
	}
	s.Accounts = s.Rated || on("accounts")
	inRounds := s.Format != tournament.Arena && s.Format != tournament.Class
	if inRounds {
		s.Pause, s.Days, s.Unplayed = read.number("pause"), read.number("days"), form.Get("unplayed")
		s.Ends = read.time("ends", "ends-zone")
		switch form.Get("games") {
		case "2":
			s.Games = 2
		case "seeds":
			s.Games, s.BySeeds = 2, true
		}
	}
	switch s.Format {
	case tournament.Swiss:
		s.Rounds, s.LateHalf, s.TieBreaks = read.number("rounds"), on("late"), tieBreaks(form)
	case tournament.RoundRobin, tournament.DoubleRound:
		s.TieBreaks = tieBreaks(form)
	case tournament.Knockout:
		s.ThirdPlace, s.Extra, s.SeedNumberDecides = on("third"), read.number("extra"), on("seed")
	case tournament.Arena:
		s.Minutes = read.number("minutes")
	}
	return s, read.err
}

// tieBreaks returns the tie-breaks of a form in their order, each once. It is empty if none was
// chosen: then the tournament has the usual ones.
func tieBreaks(form url.Values) string {
	var list []string
	for _, code := range form["tiebreak"] {
		if code != "" && !slices.Contains(list, code) {
			list = append(list, code)
		}
	}
	return strings.Join(list, ",")
}

// A reader reads fields and keeps the first error.
type reader struct {
	form url.Values
	err  error
}

func (r *reader) fail(field string) {
	if r.err == nil {
		r.err = refusal.With(tournament.CodeBadSettings, tournament.Problem{Field: field})
	}
}

// number returns a number from 0, which is also that of an empty field.
func (r *reader) number(field string) int {
	text := strings.TrimSpace(r.form.Get(field))
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 1<<20 {
		r.fail(field)
	}
	return n
}

// time returns a time in ms. zone names the field with the difference to UTC, see [reader.zone].
func (r *reader) time(field, zone string) int64 {
	text := r.form.Get(field)
	if text == "" {
		return 0
	}
	at, err := time.Parse("2006-01-02T15:04", text)
	if err != nil || at.UnixMilli() < 0 {
		r.fail(field)
		return 0
	}
	return at.Add(time.Duration(r.zone(zone)) * time.Minute).UnixMilli()
}

// zone returns the difference to UTC in minutes, which a script fills in: behind Greenwich it is above 0.
func (r *reader) zone(field string) int {
	minutes, err := strconv.Atoi(r.form.Get(field))
	if err != nil || max(minutes, -minutes) > 24*60 {
		return 0
	}
	return minutes
}
