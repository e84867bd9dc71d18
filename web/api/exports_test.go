package api

import (
	"net/http/httptest"
	"testing"

	"mancala/lobby/hosting"
	"mancala/lobby/tournament"
)

func TestNamesInTablesAreNoFormulas(t *testing.T) {
	names := []string{"=2+3", "+2", "-2", "@SUM(A1)", "\t=2", "＝2", `a "b", c`, "Ada-Lea"}
	file, err := table([]string{"name"}, len(names), func(i int) []string { return []string{harmless(names[i])} })
	const want = "name\r\n'=2+3\r\n'+2\r\n'-2\r\n'@SUM(A1)\r\n'\t=2\r\n'＝2\r\n\"a \"\"b\"\", c\"\r\nAda-Lea\r\n"
	if err != nil || string(file) != want {
		t.Errorf("got %q, %v\nwant %q", file, err, want)
	}
}

func TestFileIsNamedByItsTournamentAndRound(t *testing.T) {
	hall := &hosting.Hall{State: tournament.State{Rounds: make([][]tournament.Board, 3)}}
	for _, tt := range []struct{ title, path, file, want string }{
		{"Club evening", "/", "export.trf", "club-evening-round-3.trf"},
		{"Club evening", "/?round=2", "export.trf", "club-evening-round-2.trf"},
		{"Fête à Zürich!", "/", "standings.csv", "fete-a-zurich-round-3-standings.csv"},
		{`../a"b` + "\r\n", "/", "games.ndjson", "a-b-round-3-games.ndjson"},
		{"Club evening", "/?round=2", "games.csv", "club-evening-round-3-games.csv"}, // it has all rounds
		{"将棋", "/", "tournament.json", "tournament-round-3.json"},
	} {
		hall.State.Settings.Name = tt.title
		if got := fileName(httptest.NewRequest("GET", tt.path, nil), hall, tt.file); got != tt.want {
			t.Errorf("%q: the file is called %q, want %q", tt.title, got, tt.want)
		}
	}
}
