package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"mancala/match"
	"mancala/web/webtest"
)

// atOneScreen makes a game of two at the screen of a new person, and opens its page.
func (s *service) atOneScreen(form url.Values) (room string, p *webtest.Person, tab *webtest.Client) {
	s.Helper()
	p = s.person()
	form.Set("screen", "1")
	room, err := p.Make(s.ctx, form)
	s.must(err)
	return room, p, s.open(p, room)
}

// forSeat sends a command for a seat, and returns the code of the refusal.
func (s *service) forSeat(tab *webtest.Client, seat int, kind string, fields map[string]any) string {
	s.Helper()
	fields["as"] = seat
	f, err := tab.Do(s.ctx, kind, fields)
	s.must(err)
	return f.Code
}

func TestOneBrowserPlaysBothSeatsOfItsScreen(t *testing.T) {
	s := serve(t)
	room, p, tab := s.atOneScreen(url.Values{"rules": {"oware"}, "name": {"Ada", "Ben"}})
	s.must(tab.Until(s.ctx, "the game", func(g *webtest.Game) bool { return g.Text("state") == "live" }))
	var seats []string
	tab.Look(func(g *webtest.Game) { seats = g.Texts("seats") })
	if len(seats) != 2 || !match.PlaysFor(seats[0], seats[1]) {
		t.Fatalf("the seats are %q", seats)
	}
	moves := []string{"c", "c", "d", "d", "e", "e"}
	for ply := range moves {
		seat := ply % 2
		if got := s.forSeat(tab, 1-seat, "move", map[string]any{"ply": ply, "move": "a"}); got != "not-your-turn" {
			t.Errorf("ply %d: the seat that is not on turn: %q", ply, got)
		}
		if got := s.forSeat(tab, seat, "move", map[string]any{"ply": ply, "move": moves[ply]}); got != "" {
			t.Fatalf("ply %d: %q", ply, got)
		}
		s.must(tab.Until(s.ctx, "the move", func(g *webtest.Game) bool { return g.Number("ply") == ply+1 }))
	}
	for left := range 6 { // without asking, and without a limit
		ply := 6 - left
		if got := s.forSeat(tab, (ply+1)%2, "offer", map[string]any{"what": "takeback", "ply": ply}); got != "" {
			t.Fatalf("a takeback after %d plies: %q", ply, got)
		}
		s.must(tab.Until(s.ctx, "the takeback", func(g *webtest.Game) bool { return g.Number("ply") == ply-1 }))
	}
	page := s.request(p, "GET", "/"+room, "", "", nil).Body
	for _, want := range []string{"Ada", "Ben", "data-alone"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
}

func TestSeatAtAScreenBelongsToItsKeeperAlone(t *testing.T) {
	s := serve(t)
	room, _, tab := s.atOneScreen(url.Values{"rules": {"oware"}})
	s.must(tab.Until(s.ctx, "the game", func(g *webtest.Game) bool { return g.Text("state") == "live" }))
	s.move(tab, "a")
	_, stranger, _ := s.atOneScreen(url.Values{"rules": {"oware"}}) // keeps another seatmate
	other := s.open(stranger, room)
	s.must(other.Until(s.ctx, "the game", func(g *webtest.Game) bool { return g.Number("ply") == 1 }))
	if f, err := other.Do(s.ctx, "sit", nil); err != nil || f.Code != "no-seat" {
		t.Errorf("a stranger sits down: %q, %v", f.Code, err)
	}
	for seat := range 3 {
		for kind, fields := range map[string]map[string]any{
			"move": {"ply": 1, "move": "a"}, "resign": {}, "offer": {"what": "takeback", "ply": 1},
		} {
			if got := s.forSeat(other, seat, kind, fields); got != "not-playing" {
				t.Errorf("a stranger's %s for seat %d: %q", kind, seat, got)
			}
		}
	}
	if got := s.forSeat(tab, 2, "move", map[string]any{"ply": 1, "move": "a"}); got != "not-playing" {
		t.Errorf("a seat that does not exist: %q", got)
	}
	tab.Look(func(g *webtest.Game) {
		if g.Number("ply") != 1 {
			t.Errorf("the game has %d plies", g.Number("ply"))
		}
	})
}

func TestCommandOfAProgramIsForTheSeatThatItNames(t *testing.T) {
	s := serve(t)
	room, p, tab := s.atOneScreen(url.Values{"rules": {"oware"}})
	s.must(tab.Until(s.ctx, "the game", func(g *webtest.Game) bool { return g.Text("state") == "live" }))
	commands := "/api/v1/games/" + room + "/commands"
	for body, want := range map[string]int{
		`{"id":"a","kind":"resign","as":2}`:          http.StatusUnprocessableEntity, // there is no such seat
		`{"id":"b","kind":"move","as":1,"move":"a"}`: http.StatusUnprocessableEntity, // it is not on turn
		`{"id":"c","kind":"resign","as":1}`:          http.StatusOK,
	} {
		if page := s.request(p, "POST", commands, "application/json", body, nil); page.Status != want {
			t.Errorf("%s: %d %s", body, page.Status, page.Body)
		}
	}
	s.must(tab.Until(s.ctx, "the end", func(g *webtest.Game) bool { return g.Text("state") == "over" }))
	if result := s.page(p, "/api/v1/games/"+room, http.StatusOK); !strings.Contains(result, `"winners":[0]`) {
		t.Errorf("the second seat has resigned: %s", result)
	}
}
