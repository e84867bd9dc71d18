package pages

import (
	"strings"
	"testing"

	"mancala/engine"
	"mancala/engine/search/review"
	"mancala/web/messages"
)

// Each game is in the picker once, one of them is chosen, and its board is among the
// symbols of the page.
func TestPickerOffersEveryGameWithItsBoard(t *testing.T) {
	for _, chosen := range []string{"kalah", "pressman", "maruba", "chess"} {
		p := pick("rules", engine.Systems, chosen)
		seen, marked := map[string]bool{}, ""
		for _, card := range append(p.Front, p.More...) {
			seen[card.Name] = true
			if card.Chosen {
				marked += card.Name
			}
			if !strings.Contains(string(boardSymbols()), `<symbol id="`+card.Shape+`"`) || card.Pits == 0 {
				t.Errorf("%s has no board: %+v", card.Name, card)
			}
		}
		if len(seen) != len(engine.Systems) || len(p.Front) != len(frontGames) {
			t.Errorf("%d games of %d, %d in front", len(seen), len(engine.Systems), len(p.Front))
		}
		if want := map[string]string{"chess": "kalah"}[chosen]; marked != chosen && marked != want {
			t.Errorf("%s: chosen is %q", chosen, marked)
		}
		if p.Opened != (chosen == "pressman" || chosen == "maruba") {
			t.Errorf("%s: the folded games are open: %v", chosen, p.Opened)
		}
	}
}

// Each card of the home page says in every language where its game comes from.
func TestCardsOfTheHomePageSayWhereGamesComeFrom(t *testing.T) {
	spoken, err := messages.LoadLanguages()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range spoken.Catalogs {
		for _, f := range frontGames {
			if !c.Has("home.from." + f.system) {
				t.Errorf("%s: no text for %s", c.Lang, f.system)
			}
		}
	}
}

// The game that the board of the home page shows can be played, and both players capture.
func TestHomeBoardShowsAGameWithCapturesOfBothPlayers(t *testing.T) {
	demo := heroOf().Demo
	if !strings.Contains(demo, "12,") || strings.Count(demo, "[") != 1+len(strings.Fields(heroMoves)) {
		t.Errorf("the moves are %s", demo)
	}
	for store, want := range map[string]string{"South": "12", "North": "13"} {
		found := false
		for _, step := range strings.FieldsFunc(demo, func(r rune) bool { return strings.ContainsRune("[,]", r) }) {
			found = found || len(step) > 3 && strings.HasSuffix(step, want) || len(step) == 3 && strings.HasSuffix(step, want)
		}
		if !found {
			t.Errorf("%s captures nothing in %s", store, demo)
		}
	}
}

// What a move is worth has the same sign for the same lead, whoever moved.
func TestWorthsAreMeantForOnePlayer(t *testing.T) {
	spoken, err := messages.LoadLanguages()
	if err != nil {
		t.Fatal(err)
	}
	c := spoken.Catalogs[0]
	for _, tt := range []struct {
		view viewpoint
		seat int
		want string
	}{
		{viewpoint{0, 2}, 0, "+3"}, {viewpoint{0, 2}, 1, "−3"}, {viewpoint{1, 2}, 1, "+3"}, {viewpoint{0, 2}, 2, "+3"},
		{viewpoint{0, 4}, 0, "+3"}, {viewpoint{0, 4}, 1, ""},
	} {
		if got := tt.view.worth(c, tt.seat, review.Worth{Value: 3, Exact: true}); got != tt.want {
			t.Errorf("%+v, seat %d: %q, want %q", tt.view, tt.seat, got, tt.want)
		}
	}
}
