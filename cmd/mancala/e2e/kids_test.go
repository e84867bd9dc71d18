package e2e

import (
	"fmt"
	"testing"
)

// The switch on the home page is of the player, not of the page: every page follows it, and a
// second tap ends it.
func TestKidsModeIsSwitchedOnTheHomePageAndFollowedByEveryPage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada := s.person("Ada", phone)
	const size = `Number.parseFloat(getComputedStyle(document.querySelector(".count")).fontSize)`
	sizes := func(path string) float64 {
		t.Helper()
		ada.opens(path)
		return ask[float64](ada, size)
	}
	adult := map[string]float64{}
	paths := []string{"/", "/learn/kalah/lesson", "/learn/bao/lesson"}
	for _, path := range paths {
		adult[path] = sizes(path)
	}
	ada.opens("/")
	ada.sees("#find")
	ada.sees("footer [href='/top']")
	ada.presses("[role=switch]")
	ada.sees("[role=switch][aria-checked=true]")
	ada.loses("#find")
	keepPicture(t, "kids-home-360", ada.shot)
	for _, path := range paths {
		if child := sizes(path); child < 1.15*adult[path] {
			t.Errorf("%s: numbers of %v px are %v px for children", path, adult[path], child)
		}
	}
	for _, path := range []string{"/bot", "/here", "/watch", "/t", "/t/new", "/learn", "/rules/new", "/settings", "/people", "/me", "/account", "/top"} {
		ada.opens(path)
		ada.until(`document.documentElement.dataset.kids === "on"`)
		ada.loses("footer [href='/top']")
	}
	for _, path := range []string{"/top", "/top/kalah"} {
		ada.opens(path)
		ada.until("location.pathname === '/'")
	}
	// A lesson and an analysis show what a move does, and play it with the second tap.
	again := func(what string) {
		t.Helper()
		keepPicture(t, "kids-"+what+"-360", ada.shot)
		at := ask[int](ada, `Number(document.querySelector("[data-legal='1']")?.dataset.pit ?? 0)`)
		ply := ask[int](ada, "Number(document.querySelector('[data-board]').dataset.ply)")
		ada.presses(pit(at))
		ada.hears("#status", "Tap again to play.")
		ada.sees(".peek")
		ada.until(fmt.Sprintf("document.querySelector('[data-board]').dataset.ply === '%d'", ply))
		ada.presses(pit(at))
		ada.until(fmt.Sprintf("document.querySelector('[data-board]').dataset.ply === '%d'", ply+1))
	}
	ada.opens("/learn/kalah/lesson")
	again("lesson")
	for _, rules := range []string{"kalah", "basic-four"} {
		ada.opens("/bot?rules=" + rules)
		ada.presses(action("new"))
		ada.until("location.pathname.length === 11")
		ada.online()
		ada.until("e2e.legal().length > 0")
		at := ask[int](ada, "e2e.legal()[0]")
		ada.presses(pit(at))
		ada.hears("#status", "Tap again to play.")
		keepPicture(t, "kids-"+rules+"-360", ada.shot)
		ply := ask[int](ada, "e2e.board().ply")
		ada.presses(pit(at))
		ada.until(fmt.Sprintf("e2e.board().ply > %d", ply))
		if rules == "kalah" {
			ada.resigns()
			ada.sees("#result")
			ada.opens(ask[string](ada, "location.pathname") + "/analysis#0")
			again("analysis")
		}
	}
	ada.opens("/")
	ada.resize(desktop)
	keepPicture(t, "kids-home-1440", ada.shot)
	ada.presses("[role=switch]")
	ada.sees("[role=switch][aria-checked=false]")
	ada.sees("#find")
}
