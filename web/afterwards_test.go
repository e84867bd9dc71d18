package web

import (
	"fmt"
	"strings"
	"testing"

	"mancala/web/webtest"
)

func heard(c *webtest.Client, text string) bool {
	for _, f := range c.Frames() {
		if f.T == "chat" && strings.Contains(f.Raw, text) {
			return true
		}
	}
	return false
}

// While a game goes on players and watchers do not hear each other; afterwards
// everybody hears both, also what was said before.
func TestChatAfterwards(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah")
	fan := s.person()
	_, err := fan.Make(s.ctx, nil)
	s.must(err)
	watcher := s.open(fan, id)
	say := func(c *webtest.Client, preset string) {
		c.Send(s.ctx, fmt.Sprintf(`{"t":"chat","room":%q,"id":"h","preset":%q}`, id, preset))
		s.says(c, preset)
	}
	say(seats[0], "good-luck")
	say(watcher, "hello")
	s.must(seats[1].Must(s.ctx, "resign", nil))
	s.must(watcher.Until(s.ctx, "the end", func(g *webtest.Game) bool { return g.Over() }))
	if heard(watcher, "good-luck") || heard(seats[0], "hello") {
		t.Error("one has heard the other while the game went on")
	}
	say(seats[0], "well-played")
	s.says(watcher, "well-played")
	say(watcher, "thanks")
	s.says(seats[1], "thanks")
	for _, c := range []*webtest.Client{watcher, seats[0], s.open(s.person(), id)} {
		c.Send(s.ctx, fmt.Sprintf(`{"t":"sub","room":%q}`, id))
		s.says(c, "good-luck")
		s.says(c, "hello")
	}
}

// Watchers of a game with a delay hear the players no earlier than they see them.
func TestChatIsLate(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah&delay=60")
	watcher := s.open(s.person(), id)
	s.must(seats[1].Must(s.ctx, "resign", nil))
	seats[0].Send(s.ctx, fmt.Sprintf(`{"t":"chat","room":%q,"id":"h","preset":"well-played"}`, id))
	s.says(seats[1], "well-played")
	late := s.open(s.person(), id)
	for _, c := range []*webtest.Client{watcher, late} {
		c.Send(s.ctx, `{"t":"ping"}`)
		_, err := c.Expect(s.ctx, "a pong", func(f webtest.Frame) bool { return f.T == "pong" })
		s.must(err)
		if heard(c, "well-played") {
			t.Error("a watcher hears what is said now")
		}
	}
}

// Who has an account and watches is named to all, guests are counted.
func TestWatchersAreNamed(t *testing.T) {
	s := serve(t)
	c := newContract(s)
	ada := c.member("Ada who looks")
	id, seats := s.game("rules=kalah")
	s.open(s.person(), id)
	s.open(ada, id)
	_, err := seats[0].Expect(s.ctx, "two watchers and a name", func(f webtest.Frame) bool {
		return f.Kind == "watching" && strings.Contains(f.Raw, `"who":["Ada who looks"]`)
	})
	s.must(err)
	_, err = s.open(s.person(), id).Expect(s.ctx, "a name", func(f webtest.Frame) bool { return strings.Contains(f.Raw, "Ada who looks") })
	s.must(err)
}
