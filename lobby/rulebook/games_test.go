package rulebook

import (
	"testing"

	"mancala/lobby"
	"mancala/lobby/lobbytest"
)

func TestGamesAreNamedByTheRuleSetThatTheyWereMadeFrom(t *testing.T) {
	lobbytest.With(t, func(t *testing.T, db lobby.DB) {
		b, people, ada, ben := open(t, db)
		keep := func(player, name string) string {
			t.Helper()
			id, err := b.Keep(t.Context(), Entry{Player: player, Name: name, System: "kalah", Options: "pits=9"})
			if err != nil {
				t.Fatal(err)
			}
			return id
		}
		do := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		rooms := []string{"game1", "game2", "game3", "game4", "game5", "none"}
		names := func(want string) {
			t.Helper()
			found, err := b.Behind(t.Context(), rooms)
			got := ""
			for _, room := range rooms {
				if e, ok := found[room]; ok {
					got += room + " " + e.Name + " " + e.System + " " + e.Options + ". "
				}
			}
			if err != nil || got != want {
				t.Errorf("games have the rule sets %q, %v; want %q", got, err, want)
			}
		}
		names("")
		long, wide := keep(ada, "Long Kalah"), keep(ben, "Wide Kalah")
		do(b.Made(t.Context(), "game1", long, "kalah", "pits=9"))
		do(b.Made(t.Context(), "game1", wide, "kalah", "pits=9")) // a game has one
		do(b.Made(t.Context(), "game2", long, "kalah", "pits=8")) // other rules
		do(b.Made(t.Context(), "game2", "nosuch", "kalah", "pits=9"))
		plain, err := b.Keep(t.Context(), Entry{Player: ada, Name: "Best Kalah", System: "kalah"})
		do(err)
		do(b.Made(t.Context(), "none", plain, "kalah", "")) // the usual rules have no other name
		do(b.Made(t.Context(), "game4", wide, "kalah", "pits=9"))
		do(b.Again(t.Context(), "game1", "game3"))
		do(b.Again(t.Context(), "game1", "game3"))
		do(b.Again(t.Context(), "game2", "none"))
		names("game1 Long Kalah kalah pits=9. game3 Long Kalah kalah pits=9. game4 Wide Kalah kalah pits=9. ")
		do(b.Compare(t.Context(), map[string]Rules{"game1": {"kalah", "pits=9"}, "game4": {"kalah", "pits=9"}, "none": {"oware", ""}}))
		names("game1 Long Kalah kalah pits=9. game3 Long Kalah kalah pits=9. game4 Wide Kalah kalah pits=9. ")
		do(b.Again(t.Context(), "game1", "game5"))
		do(b.Compare(t.Context(), map[string]Rules{"game3": {"kalah", "pits=8"}, "game5": {"oware", "pits=9"}}))
		names("game1 Long Kalah kalah pits=9. game4 Wide Kalah kalah pits=9. ")
		do(b.Forget(t.Context(), ben, long)) // Ben is not its author
		names("game1 Long Kalah kalah pits=9. game4 Wide Kalah kalah pits=9. ")
		if _, err := b.Remove(t.Context(), wide); err != nil {
			t.Fatal(err)
		}
		names("game1 Long Kalah kalah pits=9. ")
		for _, want := range []int{1, 0} { // the row of game4, before the sweep and after it
			if got, err := b.orphans(t.Context()); err != nil || len(got) != want {
				t.Errorf("games of deleted rule sets are remembered: %q, %v; want %d", got, err, want)
			}
			do(b.Sweep(t.Context()))
		}
		names("game1 Long Kalah kalah pits=9. ")
		do(people.Forget(t.Context(), ada))
		names("")
	})
}
