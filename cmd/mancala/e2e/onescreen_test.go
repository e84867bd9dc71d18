package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// plies plays at one screen, by tap or by key, until the number of plies is until or the game
// is over.
func (p *person) plies(until int, play func(pit int)) {
	p.t.Helper()
	for {
		p.until(`e2e.board().state === "over" || e2e.board().anim === "idle" && e2e.legal().length > 0`)
		ply := ask[int](p, "e2e.board().ply")
		if ply >= until || ask[bool](p, `e2e.board().state === "over"`) {
			return
		}
		play(ask[int](p, "e2e.legal()[0]"))
		p.until(fmt.Sprintf(`e2e.board().ply > %d || e2e.board().state === "over"`, ply))
	}
}

// beginsBeside fills in the form of a game at one screen, and waits for the game.
func (p *person) beginsBeside(other string) {
	p.t.Helper()
	p.sets("[name=name]", p.name)
	p.sets("label:nth-of-type(2) [name=name]", other)
	p.presses(action("new"))
	p.until("location.pathname.length === 11")
	p.online()
}

// Two people begin at the home page and play a whole game by taps on one phone. In the middle
// the page is loaded again and the server is killed.
func TestTwoPeoplePlayAWholeGameOnOnePhone(t *testing.T) {
	t.Parallel()
	s := serve(t).inWholeBrowser()
	ada := s.person("Ada", phone)
	ada.prefers("speed", "instant")
	ada.opens("/")
	keepPicture(t, "home-360", ada.shot)
	ada.presses(action("here"))
	ada.until(`location.pathname === "/here" && document.readyState === "complete"`)
	keepPicture(t, "here-360", ada.shot)
	ada.beginsBeside("Ben")
	ada.hears("#status", "Ada's turn.")
	if ask[bool](ada, `document.querySelector("#chat-panel").checkVisibility()`) {
		t.Error("the two have a chat with each other")
	}
	tap := func(at int) {
		turn := ask[int](ada, "e2e.board().turn")
		if owner := ask[int](ada, fmt.Sprintf(`Number(document.querySelector('[data-pit="%d"]').dataset.owner)`, at)); owner != turn {
			t.Errorf("pit %d of seat %d can be played in the turn of seat %d", at, owner, turn)
		}
		ada.presses(pit(at))
	}
	ada.plies(6, tap)
	keepPicture(t, "both-360", ada.shot)
	for left := 6; left > 3; left-- { // without asking the other player
		ada.presses(action("undo"))
		ada.until(fmt.Sprintf("e2e.board().ply === %d", left-1))
	}
	if err := ada.reloads(); err != nil {
		t.Fatal(err)
	}
	ada.online()
	ada.plies(6, tap)
	s.kill()
	s.start()
	ada.online()
	ada.plies(300, tap)
	ada.sees("#headline")
	ada.hears("#headline", "won")
	keepPicture(t, "over-360", ada.shot)
	before := ask[string](ada, "location.pathname")
	ada.presses(action("rematch"))
	ada.until(fmt.Sprintf("location.pathname !== %q && location.pathname.length === 11", before))
	ada.online()
	ada.hears("#status", "Ben's turn.")
	ada.plies(2, tap)
	ada.opens("/")
	ada.hears(".resume, .mine", "Ben")
}

// The board stays, turns to the player on move, or turns the numbers of the far player alone.
func TestBoardAtOneScreenTurnsAsItsPlayersLike(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada := s.person("Ada", desktop)
	ada.prefers("speed", "instant")
	ada.opens("/here")
	keepPicture(t, "here-1440", ada.shot)
	ada.beginsBeside("Ben")
	bottom := func(what, name string) {
		t.Helper()
		ada.until(`e2e.board().anim === "idle" && e2e.legal().length > 0`)
		if got := ada.text(".seats[data-place=bottom] .name"); got != name {
			t.Errorf("%s: %q is at the bottom, want %q", what, got, name)
		}
	}
	turns := func(value string) {
		t.Helper()
		ada.presses(action("quick"))
		ada.presses(fmt.Sprintf("#quick [name=turns][value=%s]", value))
		ada.presses("#quick form[method=dialog] button")
		ada.until(`!document.querySelector("#quick").contains(document.activeElement)`) // keys are for the board again
	}
	key := func(at int) { ada.types(fmt.Sprint(at%6 + 1)) }
	ada.tabsTo("[data-pit]")
	bottom("at first", "Ada")
	ada.plies(1, key)
	ada.hears("#say", "Ada played 1")
	ada.hears("#say", "Ben's turn.")
	bottom("after a ply", "Ada")
	turns("on")
	bottom("when it turns", "Ben")
	// In no frame the names have changed sides and the board has not.
	ada.moves(true) // without motion, all of the page is drawn in one frame
	ada.pref("speed", "fast")
	ask[bool](ada, `e2e.sides = new Set(), (function look() {
		const name = document.querySelector(".seats[data-place=bottom] .name").textContent;
		e2e.sides.add(name + " " + document.querySelector("[role=row][data-place=bottom] [data-pit]").dataset.pit);
		return requestAnimationFrame(look) > 0;
	})()`)
	ada.plies(2, key)
	bottom("after the next ply", "Ada")
	ada.moves(false)
	sides := ask[[]string](ada, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done([...e2e.sides]))))`)
	if len(sides) != 2 {
		t.Errorf("the names and the first pit at the bottom were %q", sides)
	}
	turns("across")
	bottom("when the numbers are turned", "Ada")
	if turned := ask[[]string](ada, `[...document.querySelectorAll(".row .cell .count")].map((el) => getComputedStyle(el).rotate)`); turned[0] != "180deg" || turned[len(turned)-1] != "none" {
		t.Errorf("the numbers are turned by %q", turned)
	}
	keepPicture(t, "across-1440", ada.shot)
	ada.pref("kids", "on")
	ada.plies(3, func(at int) {
		key(at)
		ada.hears("#status", "Tap again")
		ada.types(kb.Enter)
	})
	keepPicture(t, "kids-1440", ada.shot)
}
