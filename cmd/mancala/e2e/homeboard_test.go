package e2e

import (
	"fmt"
	"testing"
)

// One tap on the board of the home page is the first move of a game against the easiest
// computer player. Until then the board plays by itself, and is at its start again when
// the pointer or the focus comes to it.
func TestBoardOfTheHomePagePlaysAtOneTap(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada := s.person("Ada", phone)
	ada.moves(true)
	ada.opens("/")
	const counts = `[...document.querySelectorAll(".hero .count")].map((c) => c.dataset.n).join()`
	start := "0,4,4,4,4,4,4,4,4,4,4,4,4,0"
	ada.until(fmt.Sprintf("%s !== %q", counts, start))
	ask[bool](ada, `(document.querySelector(".hero [value=c]").focus(), true)`)
	ada.until(fmt.Sprintf("%s === %q", counts, start))
	ada.clicks(".hero [value=c]")
	ada.until("location.pathname.length === 11")
	ada.online()
	ada.until(`e2e.board().ply >= 1 && e2e.legal().length > 0`)
	ada.hears("main", "Pip")
	if role := ada.role(); role != "0" {
		t.Errorf("the visitor has the seat %s", role)
	}
}

// In the waiting room the steppers change the house rules of the game, and show those that
// were typed.
func TestSteppersChangeTheHouseRules(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada := s.person("Ada", desktop)
	ada.makes(settings{rules: "kalah"})
	ada.clicks("#settings > summary")
	ada.clicks(`[data-option=seeds] [data-step="1"]`)
	ada.hears("#house", "5 instead of 4")
	ada.until("e2e.board().pits.join() === '5,5,5,5,5,5,5,5,5,5,5,5'")
	ada.clicks(`[data-option=pits] [data-step="-1"]`)
	ada.until("e2e.board().pits.join() === '5,5,5,5,5,5,5,5,5,5'")
	ada.sets("#options", "seeds=3")
	ada.until("e2e.board().pits.join() === '3,3,3,3,3,3,3,3,3,3,3,3'")
	if got := ask[string](ada, `document.querySelector("[data-option=seeds] input").value`); got != "3" {
		t.Errorf("the stepper shows %q", got)
	}
}

// Folded settings have no boxes. Chromium looks at all fields of a page that has loaded, and would lay them out.
func TestFoldedSettingsAreNotLaidOut(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada := s.person("Ada", phone)
	for _, page := range []string{"/", "/bot"} {
		ada.opens(page)
		const folded = `Array.from(document.querySelectorAll("details:not([open]) :is(input, select)"))`
		if n := ask[int](ada, folded+".length"); n == 0 {
			t.Errorf("%s has no folded settings", page)
		}
		if n := ask[int](ada, folded+".filter((field) => field.getClientRects().length > 0).length"); n > 0 {
			t.Errorf("%s lays out %d folded fields", page, n)
		}
	}
}
