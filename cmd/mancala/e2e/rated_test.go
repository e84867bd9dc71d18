package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// A rated seek that exists when the page opens can be joined by players with an
// account, and by no guest.
func TestRatedSeekNeedsAnAccount(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, ben, guest := s.person("Ada", desktop), s.person("Ben", desktop), s.person("Guest", phone)
	ada.makesAccount("Ada")
	ben.makesAccount("Ben")
	ada.comesIn()
	ask[bool](ada, `document.querySelector("#make [name=rated]").checked = true`)
	seek := ada.seeks("kalah", "5+3")
	guest.comesIn()
	guest.hears(row(seek)+" .why", "Rated games need an account")
	if ask[bool](guest, fmt.Sprintf("e2e.visible('%s button')", row(seek))) {
		t.Error("a guest is offered a rated game")
	}
	ben.opens("/")
	ben.inLobby()
	ben.clicks(row(seek) + " button")
	if one, other := ada.isPlaying(), ben.isPlaying(); one != other {
		t.Errorf("they play %s and %s", one, other)
	}
}

// Two players with accounts play a rated game to its end. Both see the change
// of their ratings, on the game's page and on their profiles. The figures stay
// the same after the server is killed and rooms are read again.
func TestRatedGameChangesTheRatingsOnce(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, ben := s.person("Ada", desktop), s.person("Ben", phone)
	ada.makesAccount("Ada")
	ben.makesAccount("Ben")
	ada.opens("/")
	ada.sets("#clock", "5+3")
	ask[bool](ada, `document.querySelector("[name=rated]").checked = true`)
	ada.clicks(action("new"))
	ada.until("location.pathname.length === 11")
	ada.online()
	ada.hears("#agreed", "rated game")
	g := &table{t: t, server: s, random: fixed(), players: []*person{ada, ben}, draft: map[*person][]int{}}
	g.id = strings.TrimPrefix(ask[string](ada, "location.pathname"), "/")
	ben.joins(g.id)
	for _, p := range g.players {
		p.until(`document.querySelector("[data-board]").dataset.state === "live"`)
	}
	v := g.plays(g.shows(), 4) // at once: a rated game is cancelled without a first move within half a minute
	for _, p := range g.players {
		p.hears(".seat[data-seat='0'] .rating", "1500?")
		p.hears(".seat[data-seat='1'] .rating", "1500?")
	}
	loser, winner := g.mover(v)
	loser.resigns()
	winner.hears("#rating", "Your rating: 1662? +162")
	loser.hears("#rating", "Your rating: 1338? \u2212162")
	loser.opens("/") // a player who has gone is named as before
	winner.sees(".seat[data-here='0']")
	if ask[bool](winner, `[...document.querySelectorAll(".seat bdi")].some((name) => name.scrollWidth > name.clientWidth)`) {
		t.Error("a name beside a rating is cut")
	}

	profile := func(p *person, name, rating string) {
		t.Helper()
		p.opens("/@/" + name)
		listed := fmt.Sprintf(`document.querySelector("[data-game='%s']")?.dataset.outcome === %q`, g.id, map[string]string{"1662?": "won", "1338?": "lost"}[rating])
		if held, err := p.comes(listed, answerTime); err == nil && !held {
			p.opens("/@/" + name) // the list of games is written after the ratings
		}
		p.hears("[data-rating='kalah.blitz']", rating)
		if games := ask[string](p, `document.querySelector("[data-rating='kalah.blitz'] td:last-child").textContent`); games != "1" {
			t.Errorf("the profile of %s counts %s games", name, games)
		}
		p.until(listed)
	}
	profile(loser, winner.name, "1662?")
	s.kill()
	s.start()
	winner.hears("#rating", "Your rating: 1662? +162")
	winner.opens("/" + g.id) // the room is read again
	winner.hears("#rating", "Your rating: 1662? +162")
	profile(loser, winner.name, "1662?")
	profile(winner, loser.name, "1338?")
	winner.hears(".against-me", "1 won, 0 drawn, 0 lost")
}
