package rating

import (
	"fmt"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/lobbytest"
)

// A pair is listed if one of the two wins nearly all their games and plays few other
// opponents. Close rivals, strong players with many opponents, and old games are not
// listed.
func TestPairsThatLookArrangedAreListed(t *testing.T) {
	for _, tt := range []struct {
		name                string
		games, wins, others int // others: of the winner, against many
		age                 time.Duration
		listed              bool
	}{
		{"one wins all", 10, 10, 0, 0, true},
		{"one wins nearly all", 20, 18, 5, 0, true},
		{"few games", 9, 9, 0, 0, false},
		{"rivals", 20, 12, 0, 0, false},
		{"a strong player", 12, 12, 20, 0, false},
		{"long ago", 10, 10, 0, 31 * 24 * time.Hour, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lobbytest.With(t, func(t *testing.T, db lobby.DB) {
				tb := open(t, db)
				tb.addPlayers(t, 1, "ada", "ben", "cleo")
				for i := range tt.games {
					score := 0.0
					if i < tt.wins {
						score = 1
					}
					tb.mustCount(t, tb.game(fmt.Sprint("g", i), "ada", "ben", score))
				}
				for i := range tt.others {
					tb.mustCount(t, tb.game(fmt.Sprint("o", i), "cleo", "ada", 0.5))
				}
				tb.now = tb.now.Add(tt.age)
				list, err := tb.Arranged(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if !tt.listed {
					if len(list) != 0 {
						t.Errorf("listed: %+v", list)
					}
					return
				}
				if len(list) != 1 {
					t.Fatalf("got %+v, want one pair", list)
				}
				p := list[0]
				if p.Winner != "ada" || p.Loser != "ben" || p.Games != tt.games || p.Points != float64(tt.wins) || p.All != tt.games+tt.others || p.Gained <= 0 {
					t.Errorf("got %+v", p)
				}
			})
		})
	}
}
