package web

import (
	"testing"

	"mancala/lobby/tournament"
)

// Dates on a profile have the format that the reader has chosen.
func TestDatesHaveTheChosenFormat(t *testing.T) {
	s := serve(t)
	ada, _ := s.member("Ada"), s.member("Ben")
	s.past(1, "Ada", "Ben")
	for how, first := range map[string]string{"iso": "1970-01-01", "day": "1 January 1970", "month": "January 1, 1970"} {
		s.post(ada, "/settings", "dates="+how)
		s.holds("the profile with dates as "+how, s.page(ada, "/@/Ben", 200), ">"+first+"</time>")
	}
}

// A reader who has chosen no format has that of their language.
func TestStartOfATournamentIsWrittenAsItsReaderWritesDates(t *testing.T) {
	s := serve(t)
	id, _ := s.cup(s.person(), usualCup+"&starts=2026-12-05T17:00&zone=-60")
	eve := s.person()
	for _, tt := range []struct{ settings, want string }{
		{"language=en", ">2026-12-05 16:00 UTC<"}, {"language=fr", ">5 décembre 2026 16:00 UTC<"},
		{"dates=iso", ">2026-12-05 16:00 UTC<"}, {"dates=auto", ">5 décembre 2026 16:00 UTC<"},
	} {
		s.post(eve, "/settings", tt.settings)
		for _, path := range []string{"/", "/t", "/t/" + id} {
			s.holds(path+" after "+tt.settings, s.page(eve, path, 200), tt.want)
		}
	}
}

func TestPointsAreWrittenAsTheirReaderWritesNumbers(t *testing.T) {
	s := serve(t)
	c := s.club(tournament.Settings{Rounds: 2, TieBreaks: "BH"}, "Ada", "Ben", "Cleo", "Dan")
	c.order("start", tournament.Order{Round: 1})
	c.order("result", tournament.Order{Round: 1, Board: 1, Result: tournament.Drawn})
	eve := s.person()
	s.post(eve, "/settings", "language=fr")
	s.holds("the page in French", s.page(eve, "/t/"+c.ID, 200), `<td class="n points">0,5</td>`)
	s.holds("a player's page in French", s.page(eve, "/t/"+c.ID+"/p/1", 200), "0,5 = 0,5")
	s.holds("the page in English", s.plain("/t/"+c.ID, nil).Body, `<td class="n points">0.5</td>`)
	s.holds("the file", s.plain("/api/v1/tournaments/"+c.ID+"/files/standings.csv", nil).Body, ",0.5,")
}
