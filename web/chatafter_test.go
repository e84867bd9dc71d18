package web

import (
	"fmt"
	"net/http"
	"net/url"
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

// During a listed game the players and the watchers do not read each other's
// chat. After the game all of them read both chats, including the earlier
// lines.
func TestBothChatsAreOpenAfterTheGame(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah&listed=true")
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

// The players' chat of an unlisted game stays with its seats after the end.
// Present watchers and later visitors do not read it. This also holds for a
// rated game. The players read the watchers' chat.
func TestPlayersChatOfAnUnlistedGameStaysWithItsSeats(t *testing.T) {
	for _, rated := range []bool{false, true} {
		t.Run(fmt.Sprint("rated=", rated), func(t *testing.T) {
			s := serve(t)
			ada, ben, fan := s.member("Ada"), s.member("Ben"), s.member("Fan")
			form := url.Values{"start": {"creator"}}
			if rated {
				form.Set("rated", "true")
				form.Set("clock", "5+3")
			}
			id, err := ada.Make(s.ctx, form)
			s.must(err)
			s.must(ben.Sit(s.ctx, id))
			seats := s.bySeat([]*webtest.Client{s.open(ada, id), s.open(ben, id)})
			watcher := s.open(fan, id)
			say := func(c *webtest.Client, text string) {
				t.Helper()
				c.Send(s.ctx, fmt.Sprintf(`{"t":"chat","room":%q,"id":"h","text":%q}`, id, text))
				s.says(c, text)
			}
			say(seats[0], "secret during")
			s.resigned(seats)
			s.must(watcher.Until(s.ctx, "the end", (*webtest.Game).Over))
			say(seats[0], "secret after")
			say(watcher, "from the gallery")
			s.says(seats[1], "from the gallery")
			s.says(seats[1], "secret after")
			for name, c := range map[string]*webtest.Client{
				"who watched": watcher, "a stranger": s.open(s.person(), id), "a member": s.open(s.member("Cleo"), id), "the watcher again": s.open(fan, id),
			} {
				c.Send(s.ctx, fmt.Sprintf(`{"t":"sub","room":%q}`, id)) // asks for the last lines again
				s.says(c, "from the gallery")
				c.Send(s.ctx, `{"t":"ping"}`)
				_, err := c.Expect(s.ctx, "a pong", func(f webtest.Frame) bool { return f.T == "pong" })
				s.must(err)
				if heard(c, "secret") {
					t.Errorf("%s hears the players", name)
				}
			}
			again := s.open(ben, id)
			s.says(again, "secret during")
			s.says(again, "from the gallery")
			for _, path := range []string{"/" + id, "/" + id + "/record", "/embed/" + id, "/" + id + "/card", "/" + id + "/analysis", "/" + id + "/annotated", "/api/v1/games/" + id, "/api/v1/games/" + id + "/replay"} {
				page, err := fan.Get(s.ctx, path)
				s.must(err)
				if strings.Contains(page.Body, "secret") {
					t.Errorf("%s has what the players said", path)
				}
			}
		})
	}
}

// Watchers of a game with a delay read the players' chat with the same delay as
// the board.
func TestChatIsAsLateAsTheBoard(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah&delay=60&listed=true")
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

// A watcher with an account is named to all clients. Guests are counted.
func TestWatchersWithAnAccountAreNamed(t *testing.T) {
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

	// Ada is no longer named once her settings hide her.
	page, err := ada.Patch(s.ctx, "/api/v1/me/settings", `{"seen":"nobody"}`)
	s.must(err)
	if page.Status != http.StatusOK {
		t.Fatalf("%d %s", page.Status, page.Body)
	}
	_, err = seats[0].Expect(s.ctx, "no name", func(f webtest.Frame) bool {
		return f.Kind == "watching" && strings.Contains(f.Raw, `"who":[]`)
	})
	s.must(err)
	another, moreSeats := s.game("rules=kalah")
	s.open(ada, another)
	bea := c.member("Bea who looks")
	s.open(bea, another)
	f, err := moreSeats[0].Expect(s.ctx, "the other's name", func(f webtest.Frame) bool {
		return f.Kind == "watching" && strings.Contains(f.Raw, "Bea")
	})
	s.must(err)
	if strings.Contains(f.Raw, "Ada") {
		t.Errorf("a hidden watcher is named: %s", f.Raw)
	}
}
