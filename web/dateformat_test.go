package web

import "testing"

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
