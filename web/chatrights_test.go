package web

import (
	"encoding/json"
	"strings"
	"testing"

	"mancala/lobby/seeks"
	"mancala/web/webtest"
)

// writes sends a chat line to a game. It expects the refusal code want, or no
// refusal if want is empty.
func (s *service) writes(who *webtest.Person, id, line, want string) {
	s.Helper()
	c := s.talk(s.bare(who, nil))
	c.say(`{"t":"sub","room":%q}`, id)
	c.hear("sync")
	c.say(`{"t":"chat","room":%q,"id":"w1",%s}`, id, line)
	for {
		f := c.hear("err", "chat")
		if f.T == "chat" && f.Code == "" && want == "" || f.Code == want && f.T == "err" {
			return
		}
		if f.T == "err" {
			s.Errorf("%s: refused with %s, want %q", line, f.Raw, want)
			return
		}
	}
}

const ownWords, preset = `"text":"well, well"`, `"preset":"hello"`

// Free text needs the consent of both players. A preset needs no consent.
func TestFreeTextNeedsTheConsentOfBothPlayers(t *testing.T) {
	s := serve(t)
	id, _ := s.game("rules=kalah")
	ada, ben := s.people[0], s.people[1]
	s.writes(ada, id, ownWords, "")
	for _, change := range []string{`{"chat":"presets"}`, `{"chat":"off"}`, `{"kids":"on","chat":"free"}`} {
		page, err := ben.Patch(s.ctx, "/api/v1/me/settings", change)
		s.must(err)
		if page.Status != 200 {
			t.Fatal(page.Body)
		}
		for _, who := range []*webtest.Person{ada, ben} {
			s.writes(who, id, ownWords, "chat-presets")
			s.writes(who, id, preset, "")
		}
	}
	_, err := ben.Patch(s.ctx, "/api/v1/me/settings", `{"kids":"off"}`)
	s.must(err)
	s.writes(ada, id, ownWords, "")
}

// A watcher in kids mode can write only presets.
func TestWatcherInKidsModeWritesOnlyPresets(t *testing.T) {
	s := serve(t)
	id, _ := s.game("rules=kalah")
	fan := s.guest()
	s.writes(fan, id, ownWords, "")
	_, err := fan.Patch(s.ctx, "/api/v1/me/settings", `{"kids":"on"}`)
	s.must(err)
	s.writes(fan, id, ownWords, "chat-presets")
	s.writes(fan, id, preset, "")
}

// Guests who met through the lobby can write only presets to each other. So can
// guests who watch them.
func TestStrangersWriteOnlyPresets(t *testing.T) {
	s := serve(t)
	_, seek := s.seeker("k1")
	ada := s.people[0]
	ben := s.guest()
	c, _ := s.visit(ben)
	c.say(`{"t":"cmd","room":%q,"id":"a","kind":"accept","seek":%q}`, seeks.Room, seek)
	id := c.goes()
	for name, who := range map[string]*webtest.Person{"Ada": ada, "Ben": ben, "a watcher": s.guest()} {
		t.Run(name, func(*testing.T) {
			s.writes(who, id, ownWords, "chat-presets")
			s.writes(who, id, preset, "")
		})
	}
}

// A watcher in kids mode reads presets but no free text, live and in earlier
// lines. Without kids mode they read everything.
func TestChildReadsOnlyPresets(t *testing.T) {
	s := serve(t)
	id, _ := s.game("rules=kalah")
	child, fan := s.guest(), s.open(s.guest(), id)
	say := func(line string) { fan.Send(s.ctx, `{"t":"chat","room":"`+id+`","id":"c",`+line+`}`) }
	kids := func(value string) {
		_, err := child.Patch(s.ctx, "/api/v1/me/settings", `{"kids":"`+value+`"}`)
		s.must(err)
	}
	kids("on")
	say(`"text":"first words"`)
	s.says(fan, "first words")
	c := s.open(child, id)
	say(`"text":"more words"`)
	s.says(fan, "more words")
	say(`"preset":"hello"`)
	s.says(c, "hello")
	for _, f := range c.Frames() {
		if f.T == "chat" && strings.Contains(f.Raw, "words") {
			t.Errorf("a child reads %s", f.Raw)
		}
	}
	kids("off")
	say(`"text":"last words"`)
	s.says(c, "last words")
}

// A player whose settings cannot be read counts as a child, until the settings
// can be read.
func TestPlayerWithUnreadableSettingsCountsAsAChild(t *testing.T) {
	s := serve(t)
	p := s.guest()
	var here struct{ ID string }
	s.must(json.Unmarshal([]byte(s.me(p)), &here))
	child := func() (so bool) {
		for _, device := range s.Presence.Devices(here.ID) {
			so = device.(interface{ Child() bool }).Child()
		}
		return so
	}
	s.tables.unread.Store(true)
	conn, err := p.Dial(s.ctx, nil)
	s.must(err)
	defer conn.CloseNow()
	s.eventually("the player counts as a child", child)
	s.tables.unread.Store(false)
	s.eventually("the player counts as an adult", func() bool { return !child() })
}
