package tournament_test

import (
	"slices"
	"testing"

	"mancala/lobby/tournament"
)

func TestDeletionDropsTheNamesOfPlayersWhosePlacesOthersHaveTaken(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(2)
	h.must("", tournament.KindJoin, tournament.Order{Player: "ppaper", Paper: true})
	replace := func(player, other string) {
		t.Helper()
		h.must("", tournament.KindJoin, tournament.Order{Player: other})
		h.must("", tournament.KindReplace, tournament.Order{Player: player, Other: other})
	}
	replace("ppaper", "p4")
	replace("p1", "p5")
	replace("p5", "p1") // who then have their place again
	replace("p1", "p5")
	replace("p2", "p6")
	h.must("", tournament.KindJoin, tournament.Order{Player: "p2"})
	h.must(host, tournament.KindDelete, nil)
	s := h.state()
	l := s.Listing()
	if slices.Sort(l.Unname); !slices.Equal(l.Unname, []string{"p1", "p2", "p4", "p5", "p6"}) || !slices.Equal(l.Forget, []string{"ppaper"}) {
		t.Errorf("the names of %q go, and %q are forgotten", l.Unname, l.Forget)
	}
	h.agrees()
}
