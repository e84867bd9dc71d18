package event

import (
	"fmt"
	"testing"

	"mancala/lobby/hosting"
	"mancala/lobby/tournament"
	"mancala/web/messages"
)

// knockoutOf returns a knockout of so many players, whose first round is being played.
func knockoutOf(tb testing.TB, players int) *view {
	tb.Helper()
	c, err := messages.Load("en")
	if err != nil {
		tb.Fatal(err)
	}
	s := tournament.State{Settings: tournament.Settings{Format: tournament.Knockout, Games: 1}, Stage: tournament.Running}
	for n := 1; n <= players; n++ {
		s.Players = append(s.Players, tournament.Player{Number: n, ID: fmt.Sprint("p", n)})
		s.Start = append(s.Start, n)
	}
	b, _ := s.Bracket()
	var round []tournament.Board
	for i, g := range b.Next() {
		games := []tournament.Game{{Room: fmt.Sprint("game", g.Match), Opened: true}}
		round = append(round, tournament.Board{Number: i + 1, First: g.First, Second: g.Second, Match: g.Match, Games: games})
	}
	s.Rounds = [][]tournament.Board{round}
	return &view{Hall: &hosting.Hall{State: s, Names: map[string]string{}}, c: c}
}

func TestMatchesOfTheBracketLeadToTheirGames(t *testing.T) {
	v := knockoutOf(t, 8)
	over := &v.State.Rounds[0][1]
	over.Games[0].Result, over.Result = tournament.FirstWins, tournament.FirstWins
	rounds := v.bracket()
	if len(rounds) != 3 {
		t.Fatalf("%d rounds", len(rounds))
	}
	for i, round := range rounds {
		for _, m := range round.Matches {
			want := ""
			if i == 0 && m.ID != over.Match {
				want = fmt.Sprint("game", m.ID)
			}
			if m.Room != want {
				t.Errorf("match %d leads to %q, want %q", m.ID, m.Room, want)
			}
		}
	}
}

func BenchmarkBracket(b *testing.B) {
	v := knockoutOf(b, 1024)
	for b.Loop() {
		v.bracket()
	}
}
