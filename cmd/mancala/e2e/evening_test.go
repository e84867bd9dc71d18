package e2e

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

// evening is a Swiss tournament in which each person has a browser context of their own. The test
// adds the points up by itself, in halves, from what the players do.
type evening struct {
	cup
	wall, absent *person
	players      map[string]*person // by name; the tournament shows only names
	halves       map[string]int
}

// pair is a board as the host's desk shows it. Of a bye, Two is the word for it.
type pair struct {
	One   string `json:"one"`
	Two   string `json:"two"`
	State string `json:"state,omitempty"`
}

const (
	deskPairs = `[...document.querySelectorAll("#board-rows li")].map((li) => ({ one: li.querySelector(".one bdi").textContent, two: li.querySelector(".two bdi").textContent, state: li.dataset.state }))`
	wallPairs = `[...document.querySelectorAll("#lines li")].map((li) => ({ one: li.querySelector(".one").textContent, two: li.querySelector(".two").textContent }))`

	// Rows of standings are pairs of a name and points, as the page writes them.
	pageRows = `[...document.querySelectorAll("#standings [data-player]")].map((tr) => [tr.querySelector(".who").textContent.trim(), tr.querySelector(".points").textContent])`
	deskRows = `[...document.querySelectorAll("#standings tbody tr")].map((tr) => [tr.cells[1].textContent, tr.cells[2].textContent])`
	wallRows = `[...document.querySelectorAll("#ranks li")].map((li) => [li.querySelector(".one").textContent, li.lastChild.textContent])`
	inHalves = `.map(([name, points]) => ({ name, halves: 2 * Number(points.replace("½", ".5")) }))`
)

// starts lets the host look at the pairings of a round and start it. It returns the boards, which
// the projector shows too.
func (e *evening) starts(round int) []pair {
	e.t.Helper()
	e.host.presses("[data-step=plan]")
	e.host.presses("[data-plan=start]")
	e.host.hears("#boards-heading", fmt.Sprintf("Round %d", round))
	e.host.until(`document.querySelector("#board-rows [data-state=running]") !== null`)
	pairs := ask[[]pair](e.host, deskPairs)
	shown := slices.Clone(pairs)
	for i := range shown {
		shown[i].State = ""
	}
	want, err := json.Marshal(shown)
	if err != nil {
		e.t.Fatal(err)
	}
	e.wall.hears("#stage", fmt.Sprintf("Round %d of 3", round))
	e.wall.until(fmt.Sprintf(`JSON.stringify(%s) === %q`, wallPairs, want))
	return pairs
}

// plays lets all players of a round find their games and end them. The first board of round 1 is
// played with taps; elsewhere a player resigns.
func (e *evening) plays(round int, pairs []pair) {
	e.t.Helper()
	for i, b := range pairs {
		one, two := e.players[b.One], e.players[b.Two]
		if two == nil {
			e.sitsOut(round, one)
			continue
		}
		game := one.isPlaying()
		if other := two.isPlaying(); other != game {
			e.t.Fatalf("%s is taken to game %s, and %s to %s", b.One, game, b.Two, other)
		}
		switch {
		case round == 1 && i == 0:
			g := &table{t: e.t, server: e.server, id: game, players: []*person{one, two}, random: fixed(), hands: true}
			winners := g.playOut().Snap.Result.Winners
			for _, seat := range winners {
				e.halves[g.seat(seat).name] += 2 / len(winners)
			}
		case (i+round)%2 == 0:
			one.resigns()
			e.halves[b.Two] += 2
		default:
			two.resigns()
			e.halves[b.One] += 2
		}
	}
	e.host.until(fmt.Sprintf(`document.querySelectorAll("#board-rows :is([data-state=over], [data-state=bye])").length === %d`, len(pairs)))
}

// sitsOut checks that a player is told of their bye, also on the page of their last game.
func (e *evening) sitsOut(round int, p *person) {
	e.t.Helper()
	if ask[bool](p, "e2e.board() !== null") {
		p.presses(action("to-event"))
	}
	p.hears("#me-said", fmt.Sprintf("You have the bye in round %d.", round))
	e.halves[p.name] += 2
}

// correct gives a board another result than was played.
func (e *evening) correct(round, board int, b pair) {
	e.t.Helper()
	if ask[string](e.host, `document.querySelector("#which-round").value`) != fmt.Sprint(round) {
		e.t.Fatalf("the desk does not show round %d", round)
	}
	e.host.presses(fmt.Sprintf("#board-rows [data-pairing='%d'] [data-do=open]", board))
	e.host.presses("#result [value=draw]")
	e.host.sets("#reason", "They agreed on a draw")
	e.host.presses("#result button")
	e.host.loses("#board[open]")
	e.halves[b.One], e.halves[b.Two] = 1, 1 // it was their first game
}

// standing is a row of standings.
type standing struct {
	Name   string `json:"name"`
	Halves int    `json:"halves"`
}

// ranks waits until a page shows the points that the test has added up, the highest first.
func (e *evening) ranks(p *person, rows string) {
	e.t.Helper()
	var want []standing
	for name, halves := range e.halves {
		want = append(want, standing{name, halves})
	}
	slices.SortFunc(want, func(a, b standing) int { return cmp.Compare(a.Name, b.Name) })
	text, err := json.Marshal(want)
	if err != nil {
		e.t.Fatal(err)
	}
	rows += inHalves
	byName := ".sort((a, b) => (a.name < b.name ? -1 : 1))"
	if held, err := p.comes(fmt.Sprintf("JSON.stringify(%s%s) === %q", rows, byName, text), patience/2); err != nil || !held {
		e.t.Fatalf("%s sees the standings %v, want the points %s (%v)", p.name, ask[[]standing](p, rows), text, err)
	}
	if shown := ask[[]standing](p, rows); !slices.IsSortedFunc(shown, func(a, b standing) int { return b.Halves - a.Halves }) {
		e.t.Errorf("%s sees the standings %v, which are not in the order of the points", p.name, shown)
	}
}

// A host makes a tournament on one screen. Twelve players join with a code and check in, one joins
// and does not come, and one comes late. Three rounds are played, and one result is corrected. Every
// page has the points of an independent sum, and the pages that follow are never loaded again.
func TestClubEveningEndsWithThePointsThatWerePlayed(t *testing.T) {
	t.Parallel()
	s := serve(t)
	e := &evening{players: map[string]*person{}, halves: map[string]int{}}
	e.cup = s.person("Host", desktop).makesCup(s, map[string]string{
		"format": "swiss", "rounds": "3", "clock": "none", "options": "pits=3 seeds=1",
	})
	e.host.clicks(action("desk"))
	e.host.atDesk()
	e.wall = s.person("The wall", projector)
	e.wall.opens("/t/" + e.id + "/screen")
	e.wall.hears("#join", e.code)
	for _, name := range []string{"Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gül", "Hal", "Ivy", "Joe", "Kim", "Lea"} {
		e.players[name], e.halves[name] = e.enters(name, []screen{phone, tablet}[len(e.players)%2]), 0
	}
	e.absent = s.person("Max", phone)
	e.absent.enters(e.code, "Max")
	follow := []*person{e.host, e.wall, e.absent}
	for _, p := range follow {
		p.stays()
	}
	e.host.hears("[data-count-of=missing] dd", "1")
	e.host.presses("#absent")
	e.host.until(fmt.Sprintf(`document.querySelector("%s").hasAttribute("data-out")`, e.host.row("Max")))
	e.absent.hears("#me-said", "You are not playing now.")

	first := e.starts(1)
	if len(first) != 6 {
		t.Fatalf("round 1 has the boards %v", first)
	}
	late := s.person("Nia", phone)
	late.enters(e.code, "Nia")
	late.hears("#me-said", "You play from round 2 on.")
	e.plays(1, first)
	e.correct(1, 1, first[0])
	e.ranks(e.absent, pageRows)

	e.players["Nia"], e.halves["Nia"] = late, 1 // half a point for the round that she missed
	for _, round := range []int{2, 3} {
		pairs := e.starts(round)
		if len(pairs) != 7 || pairs[6].State != "bye" {
			t.Fatalf("round %d has the boards %v, want six and a bye", round, pairs)
		}
		e.plays(round, pairs)
		e.ranks(e.absent, pageRows)
	}
	e.host.confirms("[data-step=finish]")
	e.host.hears("#now-heading", "The tournament is over")
	e.ranks(e.host, deskRows)
	e.ranks(e.wall, wallRows)
	for _, p := range follow {
		p.stayed()
	}
	last := ask[int](e.host, `Number(document.querySelector("#podium li").dataset.place)`)
	if last != 1 {
		t.Errorf("the podium begins with place %d", last)
	}
}
