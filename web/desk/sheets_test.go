package desk

import (
	"testing"

	"mancala/lobby/tournament"
	"mancala/web/messages"
)

func TestCertificateNamesTheRoundsOnlyOfATournamentThatHasThem(t *testing.T) {
	c, err := messages.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	for format, want := range map[tournament.Format]string{
		tournament.Swiss: "Points: 2.5. Rounds: 3.", tournament.Arena: "Points: 2.5", tournament.Knockout: "",
	} {
		s := tournament.State{Settings: tournament.Settings{Format: format}, Rounds: make([][]tournament.Board, 3)}
		if got := pointsOf(c, &s, tournament.Standing{Points: 25}); got != want {
			t.Errorf("%s: %q, want %q", format, got, want)
		}
	}
}
