package pages

import (
	"net/http/httptest"
	"testing"

	"mancala/lobby"
)

// The settings lead back to a game of this site, and to nothing else that a browser names as the page before.
func TestSettingsLeadBackToGamesOfThisSiteOnly(t *testing.T) {
	id := lobby.NewRoomID()
	for referer, want := range map[string]string{
		"http://mancala.test/" + id:               id,
		"http://mancala.test/" + id + "?ply=3":    id,
		"https://mancala.test/" + id + "#chat":    id,
		"":                                        "",
		"http://mancala.test/":                    "",
		"http://mancala.test/people":              "",
		"http://mancala.test/" + id + "/analysis": "",
		"http://mancala.test//" + id:              "",
		"http://elsewhere.test/" + id:             "",
		"http://[::1/" + id:                       "",
		"/" + id:                                  "",
		"http://mancala.test/%00%zz":              "",
	} {
		r := httptest.NewRequest("GET", "http://mancala.test/settings", nil)
		r.Header.Set("Referer", referer)
		if got := gameBefore(r); got != want {
			t.Errorf("from %q the settings lead back to %q, want %q", referer, got, want)
		}
	}
	for query, want := range map[string]string{
		"?saved&game=" + id:  id,
		"?game=/elsewhere":   "",
		"?game=//elsewhere.": "",
		"?game=people":       "",
	} {
		if got := gameBefore(httptest.NewRequest("GET", "http://mancala.test/settings"+query, nil)); got != want {
			t.Errorf("with %q the settings lead back to %q, want %q", query, got, want)
		}
	}
}
