package event

import (
	"fmt"
	"testing"

	"mancala/lobby/hosting"
	"mancala/lobby/tournament"
	"mancala/web/messages"
)

// knockoutOf returns a knockout with the given number of players, whose first round is being played.
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

// A match of two games can end level in games. The bracket shows what decided it.
func TestBracketShowsWhyAPlayerOfALevelMatchGoesOn(t *testing.T) {
	played := func(seeds int, settings tournament.Settings) bracketMatch {
		v := knockoutOf(t, 4)
		settings.Format, settings.Games = tournament.Knockout, 2
		v.State.Settings = settings
		b := &v.State.Rounds[0][0]
		b.Games = []tournament.Game{
			{Room: "one", Opened: true, Result: tournament.FirstWins, Seeds: seeds + 4},
			{Room: "two", Opened: true, Result: tournament.SecondWins, Seeds: -4, Swapped: true},
		}
		b.Result, b.Seeds = tournament.FirstWins, seeds
		return v.bracket()[0].Matches[0]
	}
	m := played(6, tournament.Settings{BySeeds: true})
	if m.Sides[0].Score != "1 (+6)" || m.Sides[1].Score != "1 (−6)" || !m.Sides[0].Won || m.Level {
		t.Errorf("decided by seeds: %+v", m)
	}
	m = played(0, tournament.Settings{SeedNumberDecides: true})
	if m.Sides[0].Score != "1" || m.Sides[1].Score != "1" || !m.Sides[0].Won || !m.Level {
		t.Errorf("decided by the seed number: %+v", m)
	}
}

func BenchmarkBracket(b *testing.B) {
	v := knockoutOf(b, 1024)
	for b.Loop() {
		v.bracket()
	}
}
