package web

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"mancala/lobby/presence"
	"mancala/lobby/seeks"
	"mancala/web/webtest"
)

// peopleOf opens the socket of the page of people and returns its first
// snapshot.
func (s *service) peopleOf(who *webtest.Person) (*talk, webtest.Frame) {
	s.Helper()
	c := s.talk(s.bare(who, nil))
	c.say(`{"t":"sub","room":"people"}`)
	return c, c.hear("snap")
}

// strangers returns two players who have met in the lobby, and their game.
func (s *service) strangers() (ada, ben *webtest.Person, id string) {
	s.Helper()
	first, seek := s.seeker("k7")
	ada, ben = s.people[len(s.people)-1], s.guest()
	c, _ := s.visit(ben)
	c.say(`{"t":"cmd","room":%q,"id":"a","kind":"accept","seek":%q}`, seeks.Room, seek)
	id = c.goes()
	for _, t := range []*talk{first, c} {
		s.must(t.conn.CloseNow())
	}
	return ada, ben, id
}

// recordedPeople returns the frames of a page of people.
func (s *service) recordedPeople() []string {
	s.Helper()
	_, ben, id := s.strangers()
	fan := s.guest()
	s.relates(fan, "follow", ben, "")
	game := s.open(ben, id)
	c, first := s.peopleOf(fan)
	for !strings.Contains(first.Raw, id) {
		c, first = s.peopleOf(fan)
	}
	other := s.talk(s.bare(ben, nil)) // Ben stays online after the game's tab is closed
	defer func() { s.must(other.conn.CloseNow()) }()
	s.must(game.Must(s.ctx, "resign", nil))
	note := c.hear("note")
	for strings.Contains(note.Raw, id) {
		note = c.hear("note")
	}
	return []string{first.Raw, note.Raw}
}

// heres waits until a page of people lists exactly these players: "id", or "id
// game" for a player in a game.
func (c *talk) heres(want ...string) {
	c.Helper()
	for {
		f := c.hear("snap", "note")
		var body struct {
			Here []presence.Present
			Snap struct{ Here []presence.Present }
		}
		c.must(json.Unmarshal([]byte(f.Raw), &body))
		var got []string
		for _, who := range append(body.Here, body.Snap.Here...) {
			got = append(got, strings.TrimSpace(who.ID+" "+who.Game))
		}
		slices.Sort(got)
		if slices.Equal(got, want) {
			return
		}
	}
}

// A follower sees a player come, play strangers and go. They do not see games
// between friends, or players who hide their presence.
func TestFollowerSeesAPlayerComePlayAndGo(t *testing.T) {
	s := serve(t)
	_, ben, id := s.strangers()
	fan, bens := s.guest(), s.id(ben)
	s.eventually("the two to leave the lobby", func() bool {
		players, _, _ := s.Presence.Stats()
		return players == 0
	})
	s.relates(fan, "follow", ben, "")
	page, first := s.peopleOf(fan)
	if !strings.Contains(first.Raw, `"here":[]`) {
		t.Errorf("no followed player is connected, and the page shows %s", first.Raw)
	}
	sock := s.talk(s.bare(ben, nil))
	page.heres(bens)
	sock.say(`{"t":"sub","room":%q}`, id)
	page.heres(bens + " " + id)
	shown, err := fan.Get(s.ctx, "/people")
	s.must(err)
	if !strings.Contains(shown.Body, `href="/`+id+`"`) {
		t.Errorf("the page does not lead to Ben's game: %s", shown.Body)
	}
	_, err = ben.Patch(s.ctx, "/api/v1/me/settings", `{"seen":"nobody"}`)
	s.must(err)
	page.heres()
	_, err = ben.Patch(s.ctx, "/api/v1/me/settings", `{"seen":"followers"}`)
	s.must(err)
	page.heres(bens + " " + id)
	s.blocks(ben, fan)
	page.heres()
	if shown, err = fan.Get(s.ctx, "/people"); err != nil || strings.Contains(shown.Body, bens) {
		t.Errorf("the blocked follower still sees Ben: %v", err)
	}
	s.relates(ben, "unblock", fan, "")
	s.relates(fan, "follow", ben, "")
	page.heres(bens + " " + id)
	s.must(sock.conn.CloseNow())
	page.heres()

	s.game("rules=kalah")
	ada := s.people[len(s.people)-1]
	s.relates(fan, "follow", ada, "")
	page.heres(s.id(ada)) // a game with a friend is not shown
}

// A page of people receives no messages while none of the followed players
// comes or goes. Its state is released with its socket.
func TestPresenceIsReleasedWithItsSocket(t *testing.T) {
	s := serve(t)
	fan, ben := s.guest(), s.guest()
	s.relates(fan, "follow", ben, "")
	page, _ := s.peopleOf(fan)
	s.open(s.person(), s.waitingGame())
	if s.Presence.Busy() {
		t.Error("pages are told of players without followers")
	}
	page.say(`{"t":"cmd","room":"people","id":"x","kind":"leave"}`)
	page.refused("bad-frame")
	s.must(page.conn.CloseNow())
	s.eventually("the page to be forgotten", func() bool {
		_, pages, followed := s.Presence.Stats()
		return pages+followed == 0
	})
	stranger := s.talk(s.bare(s.person(), http.Header{}))
	stranger.say(`{"t":"sub","room":"people"}`)
	if f := stranger.hear("snap"); !strings.Contains(f.Raw, `"here":[]`) {
		t.Errorf("a stranger is told %s", f.Raw)
	}
}

// waitingGame returns a game that waits for its second player.
func (s *service) waitingGame() string {
	s.Helper()
	id, err := s.guest().Make(s.ctx, nil)
	s.must(err)
	return id
}
