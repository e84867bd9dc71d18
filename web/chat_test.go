package web

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/web/site"
	"mancala/web/socket"
	"mancala/web/webtest"
)

// says waits for a line of chat that contains text.
func (s *service) says(c *webtest.Client, text string) webtest.Frame {
	s.Helper()
	f, err := c.Expect(s.ctx, "a line with "+text, func(f webtest.Frame) bool { return f.T == "chat" && strings.Contains(f.Raw, text) })
	s.must(err)
	return f
}

func TestChatHasAStreamForPlayersAndOneForWatchers(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah")
	fan := s.person()
	_, err := fan.Make(s.ctx, nil) // gives the fan a name
	s.must(err)
	watcher, other := s.open(fan, id), s.open(s.person(), id)
	seats[0].Send(s.ctx, fmt.Sprintf(`{"t":"chat","room":%q,"id":"h1","preset":"good-luck"}`, id))
	if f := s.says(seats[1], "good-luck"); !strings.Contains(f.Raw, `"seat":0`) {
		t.Errorf("the line is %s", f.Raw)
	}
	watcher.Send(s.ctx, fmt.Sprintf(`{"t":"chat","room":%q,"id":"h2","text":"  <b>Nice</b>   one "}`, id))
	if f := s.says(other, "Nice"); !strings.Contains(f.Raw, `\u003cb\u003eNice\u003c/b\u003e one"`) || !strings.Contains(f.Raw, `"seat":-1`) {
		t.Errorf("the line is %s", f.Raw)
	}
	s.says(watcher, "Nice")

	late := s.open(s.person(), id)
	s.says(late, "Nice")
	again := s.open(s.people[1], id)
	s.says(again, "good-luck")
	for name, c := range map[string]*webtest.Client{"player": seats[1], "player who came again": again} {
		for _, f := range c.Frames() {
			if f.T == "chat" && strings.Contains(f.Raw, "Nice") {
				t.Errorf("a %s heard the watchers: %s", name, f.Raw)
			}
		}
	}
}

func TestInvalidChatIsRefused(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) { c.Limits[site.LimitChat] = lobby.Rate{N: 8, Per: time.Hour} })
	id, _ := s.game("rules=kalah")
	player := s.talk(s.bare(s.people[0], nil))
	player.say(`{"t":"chat","room":%q,"id":"h0","text":"too early"}`, id)
	player.refused("not-following")
	player.say(`{"t":"sub","room":%q}`, id)
	player.hear("sync")
	for name, line := range map[string]string{
		"empty":         `"text":"   "`,
		"control":       `"text":"a\u0007b"`,
		"bidirectional": `"text":"\u202eabc"`,
		"invisible":     `"text":"\u200b\u200b"`,
		"too long":      `"text":"` + strings.Repeat("x", 300) + `"`,
		"no preset":     `"preset":"insult"`,
		"both":          `"preset":"hello","text":"you"`,
	} {
		player.say(`{"t":"chat","room":%q,"id":"h1",%s}`, id, line)
		if f := player.hear("err"); f.Code != "bad-text" || f.ID != "h1" {
			t.Errorf("%s: answered with %s", name, f.Raw)
		}
	}
	player.say(`{"t":"chat","room":%q,"id":"h2","preset":"hello"}`, id)
	player.hear("chat")
	player.say(`{"t":"chat","room":%q,"id":"h3","preset":"hello"}`, id)
	player.refused("slow-down")

	stranger := s.talk(s.bare(s.person(), nil))
	stranger.say(`{"t":"sub","room":%q}`, id)
	stranger.hear("sync")
	stranger.say(`{"t":"chat","room":%q,"id":"h4","preset":"hello"}`, id)
	stranger.refused("no-identity")
	if s.counted("refused_total", "bad-text") != 7 {
		t.Errorf("counted %v refusals of texts, want 7", s.counted("refused_total", "bad-text"))
	}
}

// The server remembers that a chat is empty and does not ask the database,
// until the first line is written.
func TestEmptyChatAsksNoDatabase(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah")
	s.open(s.person(), id)
	quiet := func(stream string) bool { return s.Chat.KnowsQuiet(id, stream) }
	s.eventually("that the watchers' stream is known to be empty", func() bool { return quiet(lobby.StreamWatchers) })
	fan := s.person()
	_, err := fan.Make(s.ctx, nil) // gives the fan a name
	s.must(err)
	s.open(fan, id).Send(s.ctx, fmt.Sprintf(`{"t":"chat","room":%q,"id":"h1","text":"Nice"}`, id))
	s.says(s.open(s.person(), id), "Nice")
	if quiet(lobby.StreamWatchers) {
		t.Error("the watchers' stream still counts as empty")
	}
	s.eventually("that the players' stream is known to be empty", func() bool {
		seats[0].Send(s.ctx, fmt.Sprintf(`{"t":"sub","room":%q}`, id))
		return quiet(lobby.StreamPlayers)
	})
}

// A game can allow free chat, presets only, or no chat.
func TestGameAllowsFreeChatPresetsOrNone(t *testing.T) {
	for level, want := range map[string][2]string{
		"free": {"", ""}, "presets": {"", "chat-presets"}, "off": {"chat-off", "chat-off"},
	} {
		t.Run(level, func(t *testing.T) {
			s := serve(t)
			id, _ := s.game("rules=kalah&chat=" + level)
			player := s.talk(s.bare(s.people[0], nil))
			player.say(`{"t":"sub","room":%q}`, id)
			player.hear("sync")
			for i, line := range []string{`"preset":"hello"`, `"text":"hello"`} {
				player.say(`{"t":"chat","room":%q,"id":"h1",%s}`, id, line)
				if f := player.hear("chat", "err"); f.Code != want[i] {
					t.Errorf("%s: answered with %s, want %q", line, f.Raw, want[i])
				}
			}
		})
	}
}

func TestPlayerKeepsANoteOnAGame(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=ignorant")
	watcher := s.open(s.person(), id)
	_, err := seats[0].Expect(s.ctx, "how many watch", func(f webtest.Frame) bool {
		return f.T == "note" && f.Kind == "watching" && strings.Contains(f.Raw, `"count":1`)
	})
	s.must(err)
	seats[0].Send(s.ctx, fmt.Sprintf(`{"t":"note","room":%q,"kind":"filling","n":54,"of":72,"pits":[9,9,9,9,9,9,0,0,0,0,0,0],"seat":1,"by":"somebody"}`, id))
	f, err := watcher.Expect(s.ctx, "how far the board is filled", func(f webtest.Frame) bool { return f.Kind == "filling" })
	s.must(err)
	if !strings.Contains(f.Raw, `"n":54`) || !strings.Contains(f.Raw, `"pits":[9,9,9,9,9,9,0,0,0,0,0,0]`) || !strings.Contains(f.Raw, `"seat":0`) || strings.Contains(f.Raw, "somebody") {
		t.Errorf("the note is %s", f.Raw)
	}
	talk := s.talk(s.bare(s.people[0], nil))
	talk.say(`{"t":"sub","room":%q}`, id)
	talk.hear("sync")
	for _, note := range []string{
		`"kind":"presence","here":false`, `"kind":"quarantined"`, `"kind":""`, `"kind":"filling","n":"many"`,
		`"kind":"filling","n":-1,"of":72`, `"kind":"filling","n":73,"of":72`, `"kind":"filling","n":1,"of":99999999`,
		`"kind":"filling","n":2,"of":72,"pits":[1,2]`, `"kind":"filling","n":2,"of":72,"pits":[3,-1]`,
	} {
		talk.say(`{"t":"note","room":%q,%s}`, id, note)
		talk.refused("bad-note")
	}
	other := s.talk(s.bare(s.people[1], nil)) // this player is not the one who lays out the board
	other.say(`{"t":"sub","room":%q,"reads":true}`, id)
	other.hear("sync")
	other.say(`{"t":"note","room":%q,"kind":"filling","n":54,"of":72}`, id)
	other.refused("bad-note")
	other.conn.CloseNow()
	seats[1].Close()
	_, err = seats[0].Expect(s.ctx, "that the opponent is away", func(f webtest.Frame) bool {
		return f.Kind == "presence" && strings.Contains(f.Raw, `"here":false`) && strings.Contains(f.Raw, `"seat":1`)
	})
	s.must(err)
}
