package e2e

import (
	"fmt"
	"testing"
	"time"
)

// id returns a person's player ID.
func (p *person) id() string {
	p.t.Helper()
	return ask[string](p, `fetch("/api/v1/me").then((r) => r.json()).then((me) => me.id)`)
}

// challenges challenges a player to Oware from the challenge page.
func (p *person) challenges(who string) {
	p.t.Helper()
	p.opens("/challenge?player=" + who)
	p.sets("[name=rules]", "oware")
	p.clicks(action("challenge"))
	p.sees("[data-notice=leave]")
}

// Ten people are in the lobby at once. Two want the same seek, and two are
// paired quickly. One challenge is accepted on another page and one is
// declined. One person watches, one game has a delay for its watcher, and one
// tab is hidden.
func TestTenPlayersMeetInTheLobby(t *testing.T) {
	t.Parallel()
	s := serve(t)
	var ten []*person
	for i := range 10 {
		p := s.person(fmt.Sprint("Person ", i), []screen{phone, tablet, desktop}[i%3])
		p.comesIn()
		ten = append(ten, p)
	}

	// The challenges: two people leave the lobby for another page, and receive
	// the challenges there.
	accepts, declines := ten[6].id(), ten[8].id()
	ten[6].opens("/learn")
	ten[8].opens("/settings")
	ten[5].challenges(accepts)
	ten[7].challenges(declines)
	ten[6].hears("#notices .text", "Oware. No clock, casual.")
	ten[6].clicks("[data-notice=accept]")
	ten[8].clicks("[data-notice=decline]")
	if one, other := ten[5].isPlaying(), ten[6].isPlaying(); one != other {
		t.Errorf("of a challenge come %s and %s", one, other)
	}
	ten[7].hears("#notices .text", "does not want to play now.")
	ten[8].loses("[data-notice=decline]")

	// The quick pairing, and a watcher of the game that it makes.
	ten[8].opens("/watch")
	ten[3].clicks(action("find"))
	ten[4].clicks(action("find"))
	pool := &table{t: t, server: s, id: ten[3].isPlaying(), players: ten[3:5], random: fixed(), draft: map[*person][]int{}}
	if other := ten[4].isPlaying(); pool.id != other {
		t.Errorf("of a search come %s and %s", pool.id, other)
	}
	ten[8].sees(card(pool.id))
	pool.plays(pool.shows(), 1)
	ten[8].hears(card(pool.id)+" .said", "1 move")

	// The delay.
	late := &table{t: t, server: s, id: ten[7].makes(settings{rules: "kalah", delay: "60"}), players: ten[7:9], watchers: ten[5:6], random: fixed(), draft: map[*person][]int{}}
	ten[8].joins(late.id)
	ten[8].isPlaying()
	ten[5].opens("/" + late.id)
	ten[5].online()
	before, public := late.movesUnseen(ten[5])
	if now := ask[string](ten[5], "e2e.sign()"); now != before && time.Now().Before(public) {
		t.Errorf("the watcher with a delay saw %s, and sees %s", before, now)
	}

	// The seek that two people want. The slower one joins another seek, from a
	// person with a hidden tab.
	seek := ten[0].seeks("giuthi", "none")
	other := ten[9].seeks("maruba", "none")
	title := ask[string](ten[9], "document.title")
	ten[9].hides(true)
	for _, p := range ten[1:3] {
		p.sees(row(seek))
		p.sees(row(other))
	}
	race(ten[1:3], seek)
	ten[0].isPlaying()
	for _, p := range ten[1:3] {
		p.until(`e2e.board()?.state === "live" || document.querySelector("#lobby-said")?.textContent === "Somebody was faster."`)
		if ask[bool](p, "e2e.board() === null") {
			p.clicks(row(other) + " button")
		}
		p.isPlaying()
	}
	ten[9].until(fmt.Sprintf(`document.title.startsWith("● ") && document.title.endsWith(%q) && location.pathname === "/"`, title))
	ten[9].hides(false)
	if id := ten[9].isPlaying(); id != other {
		t.Errorf("the player with a hidden tab plays %s", id)
	}
}

// A challenged player with a hidden tab sees the challenge in the tab's title.
func TestChallengeShowsInTheTitleOfAHiddenTab(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, ben := s.person("Ada", desktop), s.person("Ben", phone)
	ada.comesIn()
	ben.comesIn()
	who := ben.id()
	ben.opens("/learn")
	title := ask[string](ben, "document.title")
	ben.hides(true)
	ada.challenges(who)
	ben.until(`document.title.startsWith("● ") && document.title.includes("asks you to play Oware.")`)
	ben.hides(false)
	ben.until(fmt.Sprintf("document.title === %q", title))
	ada.clicks("[data-notice=leave]")
	ben.loses("[data-notice=accept]")
	ada.loses("[data-notice=leave]")
	ben.challenges(ada.id()) // when this challenge arrives, a returning notice would have arrived too
	ada.sees("[data-notice=accept]")
	if ask[bool](ada, `e2e.visible("[data-notice=leave]")`) {
		t.Error("a withdrawn challenge is shown again")
	}
}
