package pages

import (
	"testing"

	"mancala/lobby/hosting"
	"mancala/lobby/tournament"
	"mancala/web/messages"
)

func TestNeedsAreToldFromStandingsOfTheSameMoment(t *testing.T) {
	c, err := messages.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	s := tournament.State{
		Stage: tournament.Running, Settings: tournament.Settings{Format: tournament.Swiss, Rounds: 1, Games: 1},
		Players: []tournament.Player{{Number: 1}, {Number: 2}, {Number: 3}, {Number: 4}}, Start: []int{1, 2, 3, 4},
		Rounds: [][]tournament.Board{{{Number: 1, First: 1, Second: 2}, {Number: 2, First: 3, Second: 4}}},
	}
	known := &hosting.Table{Seq: 7, Rows: []tournament.Standing{{Number: 1}, {Number: 2}, {Number: 3}, {Number: 4}}}
	for seq, want := range map[uint64]string{7: "Win, and you are at least shared first. With a draw, you are at least shared second.", 6: "", 8: ""} {
		hall := &hosting.Hall{Seq: seq, State: s, Me: &s.Players[0]}
		if got := Needs(c, hall, known); got != want {
			t.Errorf("after entry %d with the standings of entry 7: %q, want %q", seq, got, want)
		}
	}
}
