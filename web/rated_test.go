package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"mancala/lobby"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/room"
	"mancala/web/site"
	"mancala/web/webtest"
)

// member returns a signed-in person with an account.
func (s *service) member(name string) *webtest.Person {
	s.Helper()
	g, err := s.People.Guest(s.ctx)
	s.must(err)
	_, err = s.People.Upgrade(s.ctx, g.ID, name, func(lobby.Tx) error { return nil })
	s.must(err)
	session, err := s.Accounts.Begin(s.ctx, g.ID, "a test")
	s.must(err)
	token, err := s.Tokens.SignSession(g.ID, session.ID)
	s.must(err)
	base, err := url.Parse(s.base)
	s.must(err)
	p := s.person()
	p.HTTP.Jar.SetCookies(base, []*http.Cookie{{Name: site.CookieName, Value: token}})
	return p
}

// rated starts a rated game between two players, and returns its ID and their
// tabs in the order of the seats.
func (s *service) rated(ada, ben *webtest.Person) (string, []*webtest.Client) {
	s.Helper()
	id, err := ada.Make(s.ctx, url.Values{"rated": {"true"}, "clock": {"5+3"}, "start": {"creator"}})
	s.must(err)
	s.must(ben.Sit(s.ctx, id))
	return id, s.bySeat([]*webtest.Client{s.open(ada, id), s.open(ben, id)})
}

// resigned plays one ply for each player. Then the second player resigns, so
// the first wins.
func (s *service) resigned(tabs []*webtest.Client) {
	s.Helper()
	s.move(tabs[0], "a")
	s.move(tabs[1], "a")
	s.must(tabs[1].Must(s.ctx, "resign", nil))
}

// changes waits until a game has been rated, and returns the changes of the
// ratings.
func (s *service) changes(tab *webtest.Client) (list []match.RatingChange) {
	s.Helper()
	s.must(tab.Until(s.ctx, "the ratings", func(g *webtest.Game) bool {
		raw, err := json.Marshal(g.State["ratings"])
		s.must(err)
		s.must(json.Unmarshal(raw, &list))
		return len(list) > 0
	}))
	return list
}

func TestRatedGameChangesBothRatings(t *testing.T) {
	s := serve(t)
	ada, ben := s.member("Ada"), s.member("Ben")
	id, tabs := s.rated(ada, ben)
	s.resigned(tabs)
	for _, tab := range tabs {
		got := s.changes(tab)
		if len(got) != 2 || got[0] != (match.RatingChange{Before: 1500, After: 1662, Provisional: true}) || got[1].After != 1338 {
			t.Errorf("the ratings became %+v", got)
		}
	}
	ratings := func() string {
		t.Helper()
		out := ""
		for _, name := range []string{"Ada", "Ben"} {
			p, err := s.People.Named(s.ctx, name)
			s.must(err)
			list, err := s.Ratings.All(s.ctx, p.ID)
			s.must(err)
			for _, r := range list {
				out += fmt.Sprintln(name, r.System, r.Speed, r.Value, r.Volatility, r.Games, r.At)
			}
		}
		return out
	}
	before := ratings()
	// Run the task again, as after a takeover, and many times at once.
	view, err := s.rooms.View(s.ctx, id, "")
	s.must(err)
	var snap struct{ Seats [2]string }
	s.must(json.Unmarshal(view.Snapshot, &snap))
	body, err := json.Marshal(match.Rated{System: "kalah", Speed: "blitz", Seats: snap.Seats, Score: 1})
	s.must(err)
	task := room.Task{Room: id, Task: machine.Task{ID: match.TaskRate, Kind: match.TaskRate, Body: body}}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			answer, err := effectOf(s, match.TaskRate)(context.Background(), task)
			if err != nil || string(answer) != `{"ratings":[{"before":1500,"after":1662,"provisional":true},{"before":1500,"after":1338,"provisional":true}]}` {
				t.Errorf("again: %s, %v", answer, err)
			}
		})
	}
	group.Wait()
	if after := ratings(); after != before {
		t.Errorf("rated again:\n%s\nbefore:\n%s", after, before)
	}
}

// A rematch of a rated game is rated too, and its result counts separately.
func TestRematchOfARatedGameIsRated(t *testing.T) {
	s := serve(t)
	ada, ben := s.member("Ada"), s.member("Ben")
	_, tabs := s.rated(ada, ben)
	s.resigned(tabs)
	s.changes(tabs[0])
	s.must(tabs[0].Must(s.ctx, "offer", map[string]any{"what": "rematch"}))
	s.must(tabs[1].Must(s.ctx, "accept", map[string]any{"what": "rematch"}))
	next := ""
	s.must(tabs[0].Until(s.ctx, "a rematch", func(g *webtest.Game) bool { next = g.Text("rematch"); return next != "" }))
	tabs = s.bySeat([]*webtest.Client{s.open(ada, next), s.open(ben, next)})
	s.resigned(tabs)
	if got := s.changes(tabs[0]); got[0].Before != 1338 || got[0].After <= 1338 {
		t.Errorf("the rematch changed %+v", got)
	}
}

func TestRatedGameNeedsAccounts(t *testing.T) {
	s := serve(t)
	ada, guest := s.member("Ada"), s.guest()
	refused := func(p *webtest.Person, path, body string) {
		t.Helper()
		page, err := p.Send(s.ctx, path, body)
		s.must(err)
		if !strings.Contains(page.Body, `"code":"needs-account"`) || page.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s %s: %d %s", path, body, page.Status, page.Body)
		}
	}
	refused(guest, "/api/v1/games", `{"rated":true,"clock":"5+3"}`)
	id, err := ada.Make(s.ctx, url.Values{"rated": {"true"}, "clock": {"5+3"}})
	s.must(err)
	refused(guest, "/api/v1/games/"+id+"/commands", `{"id":"x","kind":"sit"}`)
	if err := guest.Sit(s.ctx, id); err == nil || !strings.Contains(err.Error(), "Rated games need an account.") {
		t.Errorf("by the form: %v", err)
	}
	s.refused(s.open(guest, id), "needs-account", "sit", nil)

	own, err := guest.Make(s.ctx, url.Values{"clock": {"5+3"}})
	s.must(err)
	refused(guest, "/api/v1/games/"+own+"/commands", `{"id":"x","kind":"settings","rated":true}`)
	s.refused(s.open(guest, own), "needs-account", "settings", map[string]any{"rated": true})

	// A guest can sit down while the creator makes the game rated. Such a game
	// is not counted.
	p, err := s.People.Named(s.ctx, "Ada")
	s.must(err)
	g, err := s.People.Guest(s.ctx)
	s.must(err)
	body, err := json.Marshal(match.Rated{System: "kalah", Speed: "blitz", Seats: [2]string{p.ID, g.ID}, Score: 1})
	s.must(err)
	answer, err := effectOf(s, match.TaskRate)(s.ctx, room.Task{Room: own, Task: machine.Task{Body: body}})
	if answer != nil || err != nil {
		t.Errorf("a guest's game was counted: %s, %v", answer, err)
	}
}

func TestFormOffersRatedGamesToAccounts(t *testing.T) {
	s := serve(t)
	for _, tt := range []struct {
		who  *webtest.Person
		want bool
	}{{s.member("Ada"), true}, {s.guest(), false}} {
		page, err := tt.who.Get(s.ctx, "/")
		s.must(err)
		if got := strings.Contains(page.Body, `name="rated"`); got != tt.want {
			t.Errorf("a box for rated games: %t, want %t", got, tt.want)
		}
	}
}
