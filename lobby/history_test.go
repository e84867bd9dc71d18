package lobby

import (
	"cmp"
	"fmt"
	"testing"
	"time"
)

// past returns a player's past games as text. The viewer is the player unless c names
// another.
func (l *Lobby) past(t *testing.T, player string, c Chosen, limit int) string {
	t.Helper()
	c.Viewer = cmp.Or(c.Viewer, player)
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

func TestFinishedGamesAreReadPageByPage(t *testing.T) {
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
		put(Game{Room: "r5", In: two}, 5*time.Minute)              // not over
		put(Game{Room: "r6", In: []Part{{"pa", NoSeat}, {"pb", NoSeat}}, Ended: true}, 6*time.Minute)
		put(Game{Room: "r7", In: []Part{{"pa", 0}, {"pc", 1}, {"pb", 2}, {"pd", 3}}, System: "basic-teams", Ended: true, Won: []int{0, 2}}, 7*time.Minute)
		// A later update of a finished game does not move it in the list.
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

// A player sees all of their own games. Others see those that were rated or listed,
// and those in which they had a seat themselves.
func TestStrangersSeeRatedAndListedGamesOnly(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		l.know(t, "pa", "pb", "pc")
		start := newClock().now()
		two := []Part{{"pa", 0}, {"pb", 1}}
		for i, g := range []Game{
			{Room: "r1", In: two, Rated: true},
			{Room: "r2", In: two, Listed: true},
			{Room: "r3", In: two},
			{Room: "r4", In: []Part{{"pa", 0}, {"pc", 1}}},
			{Room: "r5", In: []Part{{"pa", 0}, {"pb", 1}, {"pc", NoSeat}}},
			{Room: "r6", In: two, Rated: true, Listed: true},
		} {
			g.Title, g.System, g.State, g.Ended, g.Won = "Kalah", "kalah", "over", true, []int{0}
			g.Updated = start.Add(time.Duration(i) * time.Minute)
			if err := l.Games.Put(t.Context(), g); err != nil {
				t.Fatal(err)
			}
		}
		no := false
		const r1, r2, r3 = "r1 kalah true 2 [pb];", "r2 kalah false 2 [pb];", "r3 kalah false 2 [pb];"
		const r4, r5, r6 = "r4 kalah false 2 [pc];", "r5 kalah false 2 [pb];", "r6 kalah true 2 [pb];"
		for _, tt := range []struct {
			c     Chosen
			limit int
			want  string
		}{
			{Chosen{Viewer: "pa"}, 9, r6 + r5 + r4 + r3 + r2 + r1},
			{Chosen{Viewer: "nobody"}, 9, r6 + r2 + r1},
			{Chosen{Viewer: "pb"}, 9, r6 + r5 + r3 + r2 + r1},
			{Chosen{Viewer: "pc"}, 9, r6 + r4 + r2 + r1},
			{Chosen{Viewer: "nobody", Rated: &no}, 9, r2},
			{Chosen{Viewer: "nobody"}, 2, r6 + r2},
			{Chosen{Viewer: "nobody", Before: Place{start.Add(5 * time.Minute), "r6"}}, 9, r2 + r1},
		} {
			if got := l.past(t, "pa", tt.c, tt.limit); got != tt.want {
				t.Errorf("%+v: %s, want %s", tt.c, got, tt.want)
			}
		}
		if games, err := l.Games.Past(t.Context(), "pa", Chosen{}, 9); err != nil || len(games) != 3 {
			t.Errorf("without an identity one sees %+v, %v; want three games", games, err)
		}
	})
}

// Puzzles are made from these games, so every visitor sees positions of them.
func TestFinishedGamesForAllVisitorsAreListedOnesInTheOrderOfTheirEnds(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		l.know(t, "pa", "pb")
		start := newClock().now()
		at := func(minute int) time.Time { return start.Add(time.Duration(minute) * time.Minute) }
		for _, g := range []Game{
			{Room: "r1", State: "over", Ended: true, Listed: true, Updated: at(3)},
			{Room: "r2", State: "over", Ended: true, Updated: at(1)},
			{Room: "r3", State: "live", Listed: true, Updated: at(1)},
			{Room: "r4", State: "over", Ended: true, Listed: true, Updated: at(2)},
			{Room: "r5", State: "over", Ended: true, Listed: true, Updated: at(2)},
			{Room: "r6", State: "over", Ended: true, Rated: true, Updated: at(2)},
		} {
			g.Title, g.System, g.In, g.Won = "Kalah", "kalah", []Part{{"pa", 0}, {"pb", 1}}, []int{0}
			if err := l.Games.Put(t.Context(), g); err != nil {
				t.Fatal(err)
			}
		}
		for _, tt := range []struct {
			after Place
			limit int
			want  string
		}{
			{Place{}, 9, "r4 r5 r1 "},
			{Place{}, 2, "r4 r5 "},
			{Place{at(2), "r4"}, 9, "r5 r1 "},
			{Place{at(3), "r1"}, 9, ""},
		} {
			list, err := l.Games.OverAndListed(t.Context(), tt.after, tt.limit)
			got := ""
			for _, p := range list {
				got += p.Room + " "
			}
			if err != nil || got != tt.want {
				t.Errorf("at most %d after %+v are %q, %v; want %q", tt.limit, tt.after, got, err, tt.want)
			}
		}
	})
}

// An instance of the previous release does not know which games are listed. It still
// writes rows beside this instance, and their games count as unlisted.
func TestGamesOfTheReleaseBeforeCountAsUnlisted(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		if err := db.Migrate(t.Context(), "lobby", schema[:7]); err != nil {
			t.Fatal(err)
		}
		old := func(room string, rated int) {
			t.Helper()
			err := db.Write(t.Context(), func(tx Tx) error {
				for seat, player := range []string{"pa", "pb"} {
					if _, err := tx.Exec(`INSERT INTO games (player, room, seat, title, state, ended, updated, system, rated, halves, finished)
						VALUES ($1, $2, $3, 'Kalah', 'over', 1, 7, 'kalah', $4, 2, 7)`, player, room, seat, rated); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		old("r1", 0)
		old("r2", 1)
		l := openLobby(t, db, newClock(), Options{})
		old("r3", 0) // the instance of the previous release still runs
		if got, want := l.past(t, "pa", Chosen{Viewer: "nobody"}, 9), "r2 kalah true 2 [pb];"; got != want {
			t.Errorf("a stranger sees %s, want %s", got, want)
		}
		const all = "r1 kalah false 2 [pb];r2 kalah true 2 [pb];r3 kalah false 2 [pb];"
		if got := l.past(t, "pa", Chosen{}, 9); got != all {
			t.Errorf("the player sees %s, want %s", got, all)
		}
		l.know(t, "pa", "pb")
		seen := Game{Room: "r3", Title: "Kalah", System: "kalah", State: "over", Ended: true, Listed: true, Won: []int{0}, Updated: time.UnixMilli(9), In: []Part{{"pa", 0}, {"pb", 1}}}
		if err := l.Games.Put(t.Context(), seen); err != nil {
			t.Fatal(err)
		}
		if got, want := l.past(t, "pa", Chosen{Viewer: "nobody"}, 9), "r2 kalah true 2 [pb];r3 kalah false 2 [pb];"; got != want {
			t.Errorf("once a player has opened it a stranger sees %s, want %s", got, want)
		}
	})
}
