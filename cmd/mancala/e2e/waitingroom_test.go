package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// Settings may change until the last seat is taken. A player plays only by
// rules that they agreed to: after a change, every seated player is asked
// again.
func TestSeatedPlayersAgreeToChangedSettings(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, ben, cleo := s.person("Ada", desktop), s.person("Ben", phone), s.person("Cleo", tablet)
	id := ada.makes(settings{rules: "basic-four"})
	ben.joins(id)
	ben.loses(action("play"))
	cleo.opens("/" + id)
	cleo.online()

	ada.clicks("#settings summary")
	// Each change takes effect at once. House rules belong to a game, so
	// another game starts without them.
	for _, set := range [][2]string{{"#rules", "oware-abapa"}, {"#options", "seeds=3"}, {"#clock", "5+3"}, {"#start", "friend"}} {
		ada.sets(set[0], set[1])
	}
	ada.clicks(action("settings"))
	for _, p := range []*person{ada, ben, cleo} {
		p.hears("#title", "Oware Abapa")
		p.hears("#house", "3 instead of 4")
		p.hears("#agreed", "5 minutes")
		p.until("e2e.board().pits.join() === '3,3,3,3,3,3,3,3,3,3,3,3'")
	}
	ben.sees(action("play"))
	if got := len(s.game(id).Snap.Sitters); got != 1 {
		t.Errorf("%d have a seat after the change, want Ada alone", got)
	}
	if ask[bool](cleo, `e2e.visible("#settings")`) {
		t.Error("Cleo could change the game too")
	}

	// Settings that cannot be played are refused with the reason, and nothing
	// changes.
	ada.clicks("#settings summary")
	ada.sets("#options", "pits=13 seeds=30")
	ada.clicks(action("settings"))
	ada.hears("#status", "cannot be played")
	ben.clicks(action("play"))
	ben.until("e2e.board().state === 'live'")
	ada.hears("#status", "'s turn") // and not the refusal
	if role := ben.role(); role != "0" {
		t.Errorf("the friend was to start and has seat %s", role)
	}
	g := &table{t: t, server: s, id: id, players: []*person{ada, ben}, watchers: []*person{cleo}, random: fixed()}
	g.plays(g.shows(), 2)
}

// The link can be copied, and an invitation can be taken back.
func TestInvitationIsCopiedAndTakenBack(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, ben := s.person("Ada", desktop), s.person("Ben", phone)
	id := ada.makes(settings{})
	if link := ask[string](ada, `document.querySelector("#link").value`); link != "http://"+s.addr+"/"+id {
		t.Errorf("the link is %s", link)
	}
	ada.keepsAsking()
	ada.clicks(action("copy"))
	ada.until(`/Copied|Selected/.test(document.querySelector("[data-action=copy]").textContent)`)
	ben.opens("/" + id)
	ben.online()
	ben.clicks(action("watch"))
	ben.loses(action("play"))
	ada.confirms("#waiting " + action("abort"))
	for _, p := range []*person{ada, ben} {
		p.until("e2e.board().state === 'over'")
		p.hears("#headline", "Nobody won")
	}
}

// The creator of a game gets a waiting room with the link. A visitor is offered
// a seat beside the board, with one tap. The third visitor watches.
func TestTwoTapsMakeAGameOfTwo(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, ben, cleo := s.person("Ada", phone), s.person("Ben", phone), s.person("Cleo", phone)
	ada.opens("/")
	ada.clicks(action("new")) // the first tap
	ada.sees("#link")
	ada.loses("[data-board]")
	id := strings.TrimPrefix(ask[string](ada, "location.pathname"), "/")
	ada.online()
	for range 3 { // link previews take no seat
		s.get("/" + id)
	}
	ben.opens("/" + id)
	ben.sees("[data-board]")
	ben.hears("#invite", "invites you to Kalah")
	ben.hears("#agreed", "No clock, friendly game.")
	if low := ask[float64](ben, `document.querySelector("#sit [data-action=play]").getBoundingClientRect().bottom`); low > 640 {
		t.Errorf("Play is %v px down the page", low)
	}
	ben.online()
	ben.clicks(action("play")) // the second tap
	for _, p := range []*person{ada, ben} {
		p.until(`e2e.board().state === "live"`)
		p.sees("[data-board]")
		p.loses("#waiting")
	}
	cleo.opens("/" + id)
	cleo.online()
	cleo.hears("#status", "Both seats are taken")
	cleo.loses(action("play"))
}

// Settings take effect as soon as they are changed. The youngest starts, once
// one of the two players has claimed to be the youngest.
func TestGameStartsOnceAPlayerClaimsToBeTheYoungest(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, ben := s.person("Ada", phone), s.person("Ben", phone)
	id := ada.makes(settings{})
	ben.opens("/" + id)
	ben.online()
	ada.sets("#start", "youngest")
	ben.hears("#agreed", "The youngest player starts.")
	ada.sets("#rules", "wise") // the starting player lays out first in this game
	ben.hears("#agreed", "The youngest player fills the board first.")
	ada.hears("#settings label[for=start]", "Who fills the board first")
	ada.sets("#rules", "kalah")
	ben.hears("#agreed", "The youngest player starts.")
	ask[bool](ada, `(document.querySelector("#settings [name=assists]").click(), true)`)
	ben.hears("#agreed", "No previews.")
	ben.clicks(action("play"))
	for _, p := range []*person{ada, ben} {
		p.hears("#invite", "Who is the youngest?")
		p.sees(action("youngest"))
	}
	ben.clicks(action("youngest"))
	for _, p := range []*person{ada, ben} {
		p.until("e2e.board().state === 'live'")
		p.hears("#match", "without previews")
	}
	if role := ben.role(); role != "0" {
		t.Errorf("the youngest has seat %s", role)
	}
}

// A guest can choose a name, and other players read it.
func TestChosenNameIsReadByOthers(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, ben := s.person("Ada", phone), s.person("Ben", phone)
	id := ada.makes(settings{})
	ask[bool](ada, `((document.querySelector("#name").value = "Ada L."), true)`)
	ada.clicks("#name-form button")
	ada.hears("#sitters", "Ada L. (you)")
	ben.opens("/" + id)
	ben.hears("#invite", "Ada L. invites you")
	ask[bool](ada, `((document.querySelector("#name").value = " "), true)`)
	ada.forgive("422") // Chromium's message about a refused request
	ada.clicks("#name-form button")
	ada.hears("#waiting-said", "name")
}

// A finished game can be viewed from its first position to its last.
func TestFinishedGameIsViewedFromFirstToLast(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "giuthi"}, 2)
	boards := []view{g.shows()}
	for v := boards[0]; v.Snap.State != "over"; {
		v = g.ply(v)
		boards = append(boards, v)
	}
	stranger := g.server.person("Stranger", phone)
	stranger.opens("/" + g.id)
	for _, p := range []*person{g.players[0], stranger} {
		at := func(n int) {
			t.Helper()
			v := boards[n].Snap
			p.until(fmt.Sprintf("e2e.board().ply === %d && e2e.board().pits.join() + '/' + e2e.board().stores.join() === %q", n, join(v.Pits)+"/"+join(v.Stores)))
		}
		last := len(boards) - 1
		at(last)
		p.clicks(action("first"))
		at(0)
		for n := 1; n <= min(5, last); n++ {
			p.clicks(action("forward"))
			at(n)
			p.hears("#status", fmt.Sprintf("move %d of %d", n, last))
		}
		p.clicks(action("back"))
		at(min(5, last) - 1)
		p.clicks(action("last"))
		at(last)
		p.draws("moves")
		p.clicks("#moves [data-at='2']")
		p.shuts()
		at(2)
		p.clicks(action("flip"))
		at(2)
		p.clicks(action("flip"))
		p.clicks(action("last"))
		at(last)
	}
}
