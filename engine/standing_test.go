package engine_test

import (
	"testing"

	"mancala/engine"
)

// TestStandingFollowsTheScoresOfTheRounds checks RULES.md §10: which seat gains,
// which seat lays out next, and which has won.
func TestStandingFollowsTheScoresOfTheRounds(t *testing.T) {
	wise := game(t, "wise").Rules()
	limited := game(t, "wise max_rounds=2").Rules()
	for _, tt := range []struct {
		name   string
		rules  engine.Rules
		rounds [][2]int
		want   engine.Standing
		over   bool
		winner engine.Seat
		draw   bool
	}{
		{"South lays out the first round", wise, nil, engine.Standing{}, false, 0, true},
		{"the winner gains the difference, the loser lays out", wise, [][2]int{{40, 32}}, engine.Standing{Gains: [2]int{8, 0}, Rounds: 1, Layer: 1}, false, 0, false},
		{"gains never go down", wise, [][2]int{{40, 32}, {30, 42}}, engine.Standing{Gains: [2]int{8, 12}, Rounds: 2, Layer: 0}, false, 1, false},
		{"after a drawn round the other player lays out", wise, [][2]int{{36, 36}}, engine.Standing{Rounds: 1, Layer: 1}, false, 0, true},
		{"drawn twice", wise, [][2]int{{36, 36}, {36, 36}}, engine.Standing{Rounds: 2, Layer: 0}, false, 0, true},
		{"one round of 60", wise, [][2]int{{6, 66}}, engine.Standing{Gains: [2]int{0, 60}, Rounds: 1, Layer: 0}, true, 1, false},
		{"a round of 72", wise, [][2]int{{72, 0}}, engine.Standing{Gains: [2]int{72, 0}, Rounds: 1, Layer: 1}, true, 0, false},
		{"59 is not enough", wise, [][2]int{{65, 6}}, engine.Standing{Gains: [2]int{59, 0}, Rounds: 1, Layer: 1}, false, 0, false},
		{"too many rounds: the higher gain wins", limited, [][2]int{{40, 32}, {37, 35}}, engine.Standing{Gains: [2]int{10, 0}, Rounds: 2, Layer: 1}, true, 0, false},
		{"too many rounds: equal is a draw", limited, [][2]int{{40, 32}, {32, 40}}, engine.Standing{Gains: [2]int{8, 8}, Rounds: 2, Layer: 0}, true, 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var s engine.Standing
			for _, scores := range tt.rounds {
				s = s.After(scores)
			}
			if s != tt.want {
				t.Errorf("got %+v, want %+v", s, tt.want)
			}
			over, winner, draw := s.Over(tt.rules)
			if over != tt.over || winner != tt.winner || draw != tt.draw {
				t.Errorf("over %v, winner %d, draw %v; want %v, %d, %v", over, winner, draw, tt.over, tt.winner, tt.draw)
			}
		})
	}
}

// TestOpponentOfTheLayerAnswersAndBegins checks RULES.md §10, whichever seat lays
// out.
func TestOpponentOfTheLayerAnswersAndBegins(t *testing.T) {
	g := game(t, "ignorant")
	p := g.StartWith(1)
	play(t, g, &p, nil, "=6.5.8.4.9.4/7.6.5.8.6.4 swap")
	if want := "7,6,5,8,6,4/6,5,8,4,9,4 0/0 S play 0 2"; p.String() != want {
		t.Errorf("got %v, want %s", p, want)
	}
}

// TestMatchTagSurvivesPrintingAndParsing checks the tag Match of RULES.md §2.
func TestMatchTagSurvivesPrintingAndParsing(t *testing.T) {
	s := engine.Standing{}.After([2]int{42, 30})
	text := s.MatchTag(game(t, "wise").Rules())
	if text != "12-0 of 60" {
		t.Errorf("got %q", text)
	}
	if gains, target, ok := engine.ParseMatchTag(text); gains != s.Gains || target != 60 || !ok {
		t.Errorf("read as %v of %d, %v", gains, target, ok)
	}
	for _, text := range []string{"", "12-0", "12 of 60", "12-0 of ", "-1-0 of 60", "12-0 of 060", "12-0-3 of 60", "12-0 of 60 "} {
		if gains, target, ok := engine.ParseMatchTag(text); ok {
			t.Errorf("%q was read as %v of %d", text, gains, target)
		}
	}
}
