package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"mancala/web/site"
	"mancala/web/webtest"
)

// id returns the ID of a player.
func (s *service) id(p *webtest.Person) string {
	s.Helper()
	page, err := p.Get(s.ctx, "/api/v1/me")
	s.must(err)
	var me site.MeJSON
	s.must(json.Unmarshal([]byte(page.Body), &me))
	return me.ID
}

// relates sends a form about another player (follow, block and so on) and returns
// the address that it leads to.
func (s *service) relates(who *webtest.Person, what string, other *webtest.Person, back string) string {
	s.Helper()
	page, err := who.Post(s.ctx, "/people", url.Values{"do": {what}, "player": {s.id(other)}, "back": {back}})
	s.must(err)
	if page.Status != http.StatusSeeOther {
		s.Fatalf("%s: %d %.300s", what, page.Status, page.Body)
	}
	return page.Header.Get("Location")
}

func (s *service) blocks(who, other *webtest.Person) {
	s.Helper()
	s.relates(who, "block", other, "")
}

// A blocked player cannot sit down beside the player who blocks them, whichever
// of the two made the game. This holds for form, API and socket. The refusal
// does not give the reason.
func TestBlockKeepsTwoPlayersFromOneGame(t *testing.T) {
	s := serve(t)
	ada, ben, cleo := s.guest(), s.guest(), s.guest()
	s.blocks(ada, ben)
	for name, by := range map[string][2]*webtest.Person{"Ada's game,": {ada, ben}, "Ben's game,": {ben, ada}} {
		id, err := by[0].Make(s.ctx, nil)
		s.must(err)
		page, err := by[1].Post(s.ctx, "/"+id+"/sit", nil)
		s.must(err)
		if page.Status != http.StatusUnprocessableEntity || !strings.Contains(page.Body, "You cannot take this seat.") || strings.Contains(page.Body, "block") {
			t.Errorf("%s form: %d %s", name, page.Status, page.Body)
		}
		page = s.request(by[1], "POST", "/api/v1/games/"+id+"/commands", "application/json", `{"id":"s","kind":"sit"}`, nil)
		if !strings.Contains(page.Body, `"code":"seat-kept"`) {
			t.Errorf("%s API: %d %s", name, page.Status, page.Body)
		}
		c := s.talk(s.bare(by[1], nil))
		c.say(`{"t":"sub","room":%q}`, id)
		c.hear("sync")
		c.say(`{"t":"cmd","room":%q,"id":"s","kind":"sit"}`, id)
		c.refused("seat-kept")
		s.must(cleo.Sit(s.ctx, id)) // other players may
	}
	s.relates(ada, "unblock", ben, "")
	id, err := ada.Make(s.ctx, nil)
	s.must(err)
	s.must(ben.Sit(s.ctx, id))
}

// Neither player sees the other's seek, on the page or live, and neither may
// accept it. A block takes effect at once, and so does its end.
func TestBlockHidesSeeksBothWays(t *testing.T) {
	s := serve(t)
	ada, ben, cleo := s.guest(), s.guest(), s.guest()
	open := map[*webtest.Person]*talk{}
	for _, p := range []*webtest.Person{ada, ben, cleo} {
		open[p], _ = s.visit(p)
	}
	seek := func(p *webtest.Person, key string) string {
		open[p].say(`{"t":"cmd","room":"lobby","id":%q,"kind":"seek","key":%q,"rules":"oware","clock":"none"}`, key, key)
		return open[p].waits()
	}
	sees := func(p *webtest.Person, id string, want bool) {
		t.Helper()
		page, err := p.Get(s.ctx, "/")
		s.must(err)
		if strings.Contains(page.Body, `data-seek="`+id) != want {
			t.Errorf("the page shows %s: want %v", id, want)
		}
		c, first := s.visit(p)
		for strings.Contains(first.Raw, id) != want {
			first = c.hear("seeks") // new seeks are sent once a second
		}
	}
	s.blocks(ada, ben)
	adas, bens := seek(ada, "ka"), seek(ben, "kb")
	sees(cleo, adas, true)
	sees(cleo, bens, true)
	sees(ada, bens, false)
	sees(ben, adas, false)
	open[cleo].hear("seeks")
	open[ben].say(`{"t":"cmd","room":"lobby","id":"a","kind":"accept","seek":%q}`, adas)
	open[ben].refused("seek-gone")
	page, err := ada.Post(s.ctx, "/"+bens+"/accept", nil)
	s.must(err)
	if page.Status != http.StatusConflict {
		t.Errorf("Ben's seek is accepted: %d", page.Status)
	}
	s.relates(ada, "unblock", ben, "")
	if f := open[ben].hear("snap"); !strings.Contains(f.Raw, adas) {
		t.Errorf("unblocked, Ben is shown %s", f.Raw)
	}
	s.blocks(ben, ada)
	if f := open[ada].hear("snap"); !strings.Contains(f.Raw, bens) {
		t.Errorf("Ada was shown %s", f.Raw)
	}
	if f := open[ada].hear("snap"); strings.Contains(f.Raw, bens) {
		t.Errorf("blocked again, Ada is shown %s", f.Raw)
	}
}

// A player's chat is hidden from players who block them, both live and in
// earlier lines. Other players read it.
func TestBlockHidesChat(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah")
	ada, ben := s.people[0], s.people[1]
	fan, other := s.guest(), s.guest()
	watcher, reader := s.open(fan, id), s.open(other, id)
	say := func(c *webtest.Client, n int) {
		c.Send(s.ctx, fmt.Sprintf(`{"t":"chat","room":%q,"id":"h%d","text":"word %d."}`, id, n, n))
	}
	s.blocks(ada, ben)
	s.blocks(other, fan)
	say(seats[1], 1)
	s.says(seats[1], "word 1.")
	say(seats[0], 2)
	s.says(seats[0], "word 2.")
	say(watcher, 3)
	s.says(watcher, "word 3.")
	say(reader, 4)
	s.says(reader, "word 4.")
	s.says(watcher, "word 4.") // a block works one way: fan still reads the blocker
	late := s.open(s.guest(), id)
	s.says(late, "word 3.")
	again := s.open(ada, id)
	s.says(again, "word 2.")
	anew := s.open(other, id)
	s.says(anew, "word 4.")
	for name, deaf := range map[string]struct {
		c    *webtest.Client
		word string
	}{"the blocker": {seats[0], "word 1."}, "the blocker, later": {again, "word 1."}, "a watcher": {reader, "word 3."}, "a watcher, later": {anew, "word 3."}} {
		for _, f := range deaf.c.Frames() {
			if f.T == "chat" && strings.Contains(f.Raw, deaf.word) {
				t.Errorf("%s reads %s", name, f.Raw)
			}
		}
	}
}

// The forms lead back to the page that they were on, and never to another site.
func TestFormsOfPeopleLeadBackToTheirPage(t *testing.T) {
	s := serve(t)
	ada, ben := s.guest(), s.guest()
	for back, want := range map[string]string{
		"/people": "/people", "": "/people", "/k3v9qa2mx1?x=1#y": "/k3v9qa2mx1?x=1#y",
		"//evil.example/": "/people", `/\evil.example`: "/people", "https://evil.example/": "/people", "javascript:alert(1)": "/people",
	} {
		if to := s.relates(ada, "follow", ben, back); to != want {
			t.Errorf("%q leads to %q, want %q", back, to, want)
		}
	}
	for _, form := range []url.Values{{}, {"do": {"hug"}}, {"do": {"follow"}, "player": {"nobody"}}, {"do": {"block"}, "player": {s.id(ada)}}} {
		if page, err := ada.Post(s.ctx, "/people", form); err != nil || page.Status < 400 || page.Status >= 500 {
			t.Errorf("%v: %d, %v", form, page.Status, err)
		}
	}
}

func TestPeoplePageListsFollowedPlayers(t *testing.T) {
	s := serve(t)
	ada, ben, cleo := s.guest(), s.guest(), s.guest()
	s.relates(ada, "follow", ben, "")
	s.blocks(ada, cleo)
	page, err := ada.Get(s.ctx, "/people")
	s.must(err)
	following, blocked, _ := strings.Cut(page.Body, `id="blocked"`)
	if !strings.Contains(following, s.id(ben)) || !strings.Contains(blocked, s.id(cleo)) || strings.Contains(blocked, s.id(ben)) {
		t.Errorf("the page is %s", page.Body)
	}
	for path, want := range map[string]int{"/people": 200, "/people/" + s.id(ada): 200, "/people/nobody": 404} {
		if page, err := s.person().Get(s.ctx, path); err != nil || page.Status != want {
			t.Errorf("a stranger gets %s: %d, %v", path, page.Status, err)
		}
	}
	page, err = ben.Get(s.ctx, "/people")
	s.must(err)
	if strings.Contains(page.Body, s.id(ada)) {
		t.Error("the followed player is told")
	}
}
