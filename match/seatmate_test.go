package match

import (
	"fmt"
	"testing"

	"mancala/match/machine"
	"mancala/match/refusal"
)

// atOneScreen returns a game of p0 and their seatmates.
func atOneScreen(t testing.TB, rules string, seats int) (tb *table, players []string) {
	players = []string{"p0"}
	for i := 1; i < seats; i++ {
		players = append(players, SeatmateID("p0", fmt.Sprint(i)))
	}
	return newTable(t, Creation{Settings: Settings{Rules: rules, Chat: "off"}, Creator: "p0", Seats: players}), players
}

func TestIDOfASeatmateNamesTheKeeper(t *testing.T) {
	mate := SeatmateID("pada", "Ben")
	if keeper, ok := KeeperOf(mate); !ok || keeper != "pada" || !PlaysFor("pada", mate) {
		t.Errorf("the keeper of %s is %q, %v", mate, keeper, ok)
	}
	if mate != SeatmateID("pada", "Ben") || mate == SeatmateID("pada", "Mia") || mate == SeatmateID("pben", "Ben") {
		t.Errorf("%s is not one player", mate)
	}
	for _, other := range []string{"pada", "bot3", "bot3.2", "", "q", "qada"} {
		if keeper, ok := KeeperOf(other); ok {
			t.Errorf("%q has the keeper %q", other, keeper)
		}
	}
	if PlaysFor("pad", mate) || PlaysFor("padaa", mate) || PlaysFor("pada", "pada") || PlaysFor(mate, mate) {
		t.Error("another player plays for a seatmate")
	}
}

func TestKeeperGetsTheLegalMovesOfEachSeatAtTheScreen(t *testing.T) {
	tb, players := atOneScreen(t, "kalah", 2)
	for ply := range 6 {
		turn := tb.m.onTurn()
		legal := string(tb.m.AppendPrivate(nil, machine.Audience(turn)))
		if got := string(tb.m.AppendPrivate(nil, 0)); got != legal || got == "" {
			t.Errorf("ply %d: the keeper gets %s, the seat on turn %s", ply, got, legal)
		}
		if turn == 0 && tb.m.AppendPrivate(nil, 1) != nil {
			t.Errorf("ply %d: the seatmate gets the keeper's moves", ply)
		}
		if tb.m.AppendPrivate(nil, machine.Watchers) != nil {
			t.Errorf("ply %d: watchers get legal moves", ply)
		}
		tb.play1(0)
	}
	if len(players) != 2 || len(tb.m.moves) != 6 {
		t.Errorf("%v played %d plies", players, len(tb.m.moves))
	}
}

func TestPlayersAtOneScreenNeedNoConsent(t *testing.T) {
	for _, tt := range []struct {
		rules string
		seats int
	}{{"kalah", 2}, {"basic-four", 4}} {
		t.Run(tt.rules, func(t *testing.T) {
			tb, players := atOneScreen(t, tt.rules, tt.seats)
			for range 6 {
				tb.play1(0)
			}
			for left := len(tb.m.moves); left > 0; left = len(tb.m.moves) { // without a limit
				by := players[tb.m.last.seat]
				tb.must(by, KindOffer, fmt.Sprintf(`{"what":"takeback","ply":%d}`, tb.m.pos.Ply))
				if len(tb.m.moves) >= left || len(tb.m.offers) > 0 {
					t.Fatalf("%d plies are left of %d, offers %v", len(tb.m.moves), left, tb.m.offers)
				}
			}
			for range 2 * tt.seats {
				tb.play1(0)
			}
			tb.must(players[1], KindOffer, `{"what":"draw"}`)
			if tb.m.stage != over || tb.m.result.Reason != "agreed" {
				t.Fatalf("a draw was not agreed: %v", tb.m.offers)
			}
			tb.must(players[1], KindOffer, `{"what":"rematch"}`)
			if !tb.m.rematches {
				t.Error("the players have to be asked about a rematch")
			}
		})
	}
}

func TestSeatmatesPlayNoGameThatCounts(t *testing.T) {
	people := []string{"p0", SeatmateID("p0", "1")}
	for want, c := range map[refusal.Code]Creation{
		CodeNotRateable: {Settings: Settings{Rules: "kalah", Clock: "5+3", Rated: true}, Seats: people},
		CodeBadSettings: {Settings: Settings{Rules: "kalah"}, Seats: people, Event: &Event{Room: "k3v9qa2mx1", Round: 1, Board: 1, Game: 1}},
	} {
		c.Secret = "secret"
		others := c
		others.Seats = []string{"p0", "p1"}
		newTable(t, others) // fails if it is refused to all players
		if got := code((&table{t: t, m: New()}).do(c.Command("create"))); got != want {
			t.Errorf("%+v: %q, want %q", c, got, want)
		}
	}
}
