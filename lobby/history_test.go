package lobby

import (
	"fmt"
	"testing"
	"time"
)

// past is somebody's past games as text.
func (l *Lobby) past(t *testing.T, player string, c Chosen, limit int) string {
	t.Helper()
	games, err := l.Games.Past(t.Context(), player, c, limit)
	if err != nil {
		t.Fatal(err)
	}
	out := ""
	for _, g := range games {
		out += fmt.Sprint(g.Room, " ", g.System, " ", g.Rated, " ", g.Outcome, " ", g.Others, ";")
	}
	return out
}

func TestPast(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		l.know(t, "pa", "pb", "pc", "pd")
		start := newClock().now()
		two := []Part{{"pa", 0}, {"pb", 1}}
		put := func(g Game, after time.Duration) {
			t.Helper()
			g.Title, g.State, g.Updated = "A game", "over", start.Add(after)
			if g.System == "" {
				g.System = "kalah"
			}
			if err := l.Games.Put(t.Context(), g); err != nil {
				t.Fatal(err)
			}
		}
		put(Game{Room: "r1", In: two, Ended: true, Rated: true, Won: []int{0}}, time.Minute)
		put(Game{Room: "r2", In: two, Ended: true, Won: []int{0, 1}, Shared: true}, 2*time.Minute)
		put(Game{Room: "r3", In: two, Ended: true, System: "oware", Won: []int{1}}, 3*time.Minute)
		put(Game{Room: "r4", In: two, Ended: true}, 4*time.Minute) // aborted
		put(Game{Room: "r5", In: two}, 5*time.Minute)              // goes on
		put(Game{Room: "r6", In: []Part{{"pa", NoSeat}, {"pb", NoSeat}}, Ended: true}, 6*time.Minute)
		put(Game{Room: "r7", In: []Part{{"pa", 0}, {"pc", 1}, {"pb", 2}, {"pd", 3}}, System: "basic-teams", Ended: true, Won: []int{0, 2}}, 7*time.Minute)
		// Somebody looks at an old game: it stays where it was.
		put(Game{Room: "r1", In: two, Ended: true, Rated: true, Won: []int{0}}, time.Hour)

		won, yes, no := Won, true, false
		const r1, r2, r3 = "r1 kalah true 2 [pb];", "r2 kalah false 1 [pb];", "r3 oware false 0 [pb];"
		for _, tt := range []struct {
			player string
			c      Chosen
			limit  int
			want   string
		}{
			{"pa", Chosen{}, 9, "r7 basic-teams false 2 [pc pb pd];r4 kalah false -1 [pb];" + r3 + r2 + r1},
			{"pa", Chosen{System: "kalah", Rated: &no}, 9, "r4 kalah false -1 [pb];" + r2},
			{"pa", Chosen{Outcome: &won, Rated: &yes}, 9, r1},
			{"pa", Chosen{Before: Place{start.Add(4 * time.Minute), "r4"}}, 2, r3 + r2},
			{"pa", Chosen{Before: Place{start.Add(4 * time.Minute), "r3"}}, 1, "r4 kalah false -1 [pb];"},
			{"pb", Chosen{Outcome: &won}, 9, "r7 basic-teams false 2 [pa pc pd];r3 oware false 2 [pa];"},
			{"nobody", Chosen{}, 9, ""}, {"pa", Chosen{}, -1, ""},
		} {
			if got := l.past(t, tt.player, tt.c, tt.limit); got != tt.want {
				t.Errorf("%s, %+v: %s, want %s", tt.player, tt.c, got, tt.want)
			}
		}
		for _, tt := range []struct {
			a, b string
			want Score
		}{{"pa", "pb", Score{1, 1, 1}}, {"pb", "pa", Score{1, 1, 1}}, {"pa", "pc", Score{Won: 1}}, {"pd", "pb", Score{Lost: 1}}, {"pa", "nobody", Score{}}} {
			if got, err := l.Games.Between(t.Context(), tt.a, tt.b); err != nil || got != tt.want {
				t.Errorf("%s against %s: %+v, %v; want %+v", tt.a, tt.b, got, err, tt.want)
			}
		}
	})
}
