package lessons

import (
	"maps"
	"slices"
	"testing"

	"mancala/lobby"
	"mancala/lobby/lobbytest"
)

func TestStepsAddUpAndAreDeletedWithTheirPlayer(t *testing.T) {
	lobbytest.With(t, func(t *testing.T, db lobby.DB) {
		l, err := lobby.Open(t.Context(), db, lobby.Options{})
		if err != nil {
			t.Fatal(err)
		}
		kept, err := Open(t.Context(), db, l.People)
		if err != nil {
			t.Fatal(err)
		}
		ids := lobbytest.Guests(t, l.People, "ada", "ben")
		add := func(who string, done Done) {
			t.Helper()
			if err := kept.Add(t.Context(), ids[who], done); err != nil {
				t.Fatal(err)
			}
		}
		has := func(who string, want Done) {
			t.Helper()
			got, err := kept.Of(t.Context(), ids[who])
			if err != nil {
				t.Fatal(err)
			}
			if !maps.EqualFunc(got, want, slices.Equal) {
				t.Errorf("%s has done %v, want %v", who, got, want)
			}
		}
		has("ada", Done{})
		add("ada", Done{"kalah": {"sow"}, "oware": {"sow", "capture"}})
		add("ada", Done{"kalah": {"end", "sow"}})
		add("ben", Done{"kalah": {"again"}})
		has("ada", Done{"kalah": {"sow", "end"}, "oware": {"sow", "capture"}})

		if err := l.People.Forget(t.Context(), ids["ada"]); err != nil {
			t.Fatal(err)
		}
		has("ada", Done{})
		has("ben", Done{"kalah": {"again"}})
		if err := kept.Add(t.Context(), ids["ada"], Done{"kalah": {"sow"}}); lobby.CodeOf(err) != lobby.CodeNoPlayer {
			t.Errorf("a deleted player's step is stored: %v", err)
		}
		has("ada", Done{})
	})
}
