package desk

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mancala/lobby"
	"mancala/lobby/hosting"
	"mancala/lobby/tournament"
	"mancala/web/messages"
)

// The kinds are read from the source, so that a new one cannot be left out.
func TestLogHasATextForEveryKindOfCommand(t *testing.T) {
	files, err := filepath.Glob("../../lobby/tournament/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\bKind[A-Z]\w* += "([a-z]+)"`).FindAllStringSubmatch(string(source), -1) {
			kinds = append(kinds, m[1])
		}
	}
	if len(kinds) < 20 {
		t.Fatalf("only the kinds %q were found", kinds)
	}
	players := []tournament.Player{{Number: 1, ID: "p1"}, {Number: 2, ID: "p2"}}
	change := &tournament.Change{
		Round: 1, Boards: []tournament.Board{{Number: 1, First: 1, Second: 2, Result: tournament.FirstWins}}, Players: players,
		Act: &tournament.Act{Kind: "pause"}, Text: "Tea",
	}
	hall := &hosting.Hall{State: tournament.State{Players: players}, Names: map[string]string{"p1": "Ada", "p2": "Ben"}}
	for _, lang := range lobby.LanguageTags() {
		c, err := messages.Load(lang)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range kinds {
			if kind == tournament.KindDelete {
				continue // nobody reads the log of a deleted tournament
			}
			words := logWords{c, hall}.words(kind, change)
			if words == "" || strings.Contains(words, "desk.") {
				t.Errorf("%s: the log says %q for the kind %s", lang, words, kind)
			}
		}
	}
}

func TestLogTellsJoinedPlayersFromAddedPlayers(t *testing.T) {
	c, err := messages.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	players := []tournament.Player{{Number: 1, ID: "p1"}, {Number: 2, ID: "p2", Paper: true}}
	l := logWords{c, &hosting.Hall{State: tournament.State{Players: players}, Names: map[string]string{"p1": "Ada", "p2": "Ben"}}}
	for i, want := range []string{"Ada has joined", "added Ben"} {
		if words := l.words(tournament.KindJoin, &tournament.Change{Players: players[i : i+1]}); words != want {
			t.Errorf("the log says %q, want %q", words, want)
		}
	}
}
