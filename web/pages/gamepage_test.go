package pages

import (
	"testing"

	"mancala/engine"
	"mancala/match"
	"mancala/web/messages"
)

func TestPitIsNamedWithItsMarks(t *testing.T) {
	c, err := messages.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	rules, _ := engine.System("bao")
	s := &match.Public{
		Shape: [3]int{2, 1, 16}, Pits: make([]int, 32), Stores: []int{0, 0},
		Marks: map[int]string{1: "h", 2: "!", 3: "h!", 4: "x"},
	}
	board := showBoard(c, s, rules, 0, func(side int) string { return []string{"Ada", "Ben"}[side] })
	want := map[int]string{
		0: "Ada's pit 1, 0 seeds.", 1: "Ada's pit 2, a house, 0 seeds.", 2: "Ada's pit 3, blocked, 0 seeds.",
		3: "Ada's pit 4, a blocked house, 0 seeds.", 4: "Ada's pit 5, claimed by Ben.",
	}
	for _, row := range board.Rows {
		for _, pit := range row.Pits {
			if name := want[pit.ID]; name != "" && pit.Name != name {
				t.Errorf("pit %d: %q, want %q", pit.ID, pit.Name, name)
			}
			delete(want, pit.ID)
		}
	}
	for pit := range want {
		t.Errorf("pit %d is on no row", pit)
	}
}

// Until a game of Bao is over, its piles are hands. Then they hold the seeds won, also in a position that a
// reader of its analysis has set up.
func TestSeedsInHandAreCalledSoUntilTheGameIsOver(t *testing.T) {
	c, err := messages.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	g := engine.MustCompile("bao")
	named := func(side int) string { return []string{"Ada", "Ben"}[side] }
	for text, want := range map[string]storeView{
		"0,0,0,0,0,0,0,0,0,2,2,6h,0,0,0,0/0,0,0,0,0,0,0,0,0,2,2,6h,0,0,0,0 22/22 S play 0 0": {0, 22, "Ada has 22 seeds in hand.", "In hand"},
		"0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 64/0 N over 0 10":   {0, 64, "Ada's store, 64 seeds.", ""},
	} {
		p, err := g.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := boardSetUp(c, "Bao", g, p, named).Stores[0]; got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
		if got := editOf(g, p, named).InHand; got != (want.Label != "") {
			t.Errorf("%s: the form says %v of seeds in hand", text, got)
		}
	}
}
