package messages

import (
	"strings"
	"testing"

	"mancala/engine"
)

func TestGamesHaveTheirNamesInEachLanguage(t *testing.T) {
	spoken, err := LoadLanguages()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range spoken.Catalogs {
		for _, row := range engine.Systems {
			name := c.T("system." + row.Name)
			if c.Lang == "en" && name != row.Title || name == "" || c.Game(row.Title) != name || c.T("learn.of", "game", row.Title) != c.T("learn.of", "game", name) {
				t.Errorf("%s: %s is %q, and %q becomes %q", c.Lang, row.Name, name, row.Title, c.Game(row.Title))
			}
		}
	}
	fr, err := Load("fr")
	if err != nil {
		t.Fatal(err)
	}
	for title, want := range map[string]string{
		"Basic Mancala in teams":    "Mancala de base en équipes",
		"Basic Mancala, seeds=5":    "Mancala de base, seeds=5",
		"Kalah, pits=9":             "Kalah, pits=9",
		"Kalah, Pressman's leaflet": "Kalah, feuillet de Pressman",
		"School Cup":                "School Cup",
		"Basic Mancala Cup":         "Basic Mancala Cup", // only begins with the name of a game
	} {
		if got := fr.Game(title); got != want {
			t.Errorf("%q is %q, want %q", title, got, want)
		}
	}
	if got := fr.T("chat.about", "name", "Basic Mancala"); !strings.Contains(got, "Basic Mancala") {
		t.Errorf("a player who is called like a game is named in %q", got)
	}
	texts, err := fr.BrowserTexts()
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]bool{"system.basic": true, "system.kalah": false} { // Kalah is Kalah in French
		if got := strings.Contains(string(texts), `"`+key+`":`); got != want {
			t.Errorf("scripts have the text %s: %v", key, got)
		}
	}
}
