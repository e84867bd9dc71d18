package web

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"mancala/web/live"
	"mancala/web/site"
	"mancala/web/socket"
	"mancala/web/webtest"
)

// limited lets a client send a thousand messages at any pace, enough for a whole game. The
// allowance grows slowly: however busy the machine is, a flood exceeds it.
func limited(_ *site.Config, c *socket.Config) {
	c.Messages, c.MessageBurst = 1, 1000
}

// innocent plays a game while something happens to other players. The game must
// reach its end, and every client must have the same board.
func (s *service) innocent(meanwhile func()) {
	s.Helper()
	id, seats := s.game("rules=oware")
	watcher := s.open(s.person(), id)
	played := make(chan error, len(seats))
	for i, c := range seats {
		go func() { played <- c.PlayOn(s.ctx, rand.New(rand.NewPCG(7, uint64(i))), nil) }()
	}
	meanwhile()
	for range seats {
		s.must(<-played)
	}
	s.sameEverywhere(id, append(seats, watcher))
	s.replays(id, seats[0])
}

func TestMeaninglessMessagesAreRefused(t *testing.T) {
	s := serve(t, limited)
	s.innocent(func() {
		id, _ := s.game("rules=kalah")
		talk := s.talk(s.bare(s.people[0], nil))
		for name, tt := range map[string]struct{ say, code string }{
			"not JSON":         {`hello`, "bad-frame"},
			"half of it":       {`{"t":"sub","room":"`, "bad-frame"},
			"nothing":          {``, "bad-frame"},
			"a list":           {`[1,2,3]`, "bad-frame"},
			"null":             {`null`, "bad-frame"},
			"no kind":          {`{"room":"x"}`, "bad-frame"},
			"unknown kind":     {`{"t":"fly"}`, "bad-frame"},
			"wrong types":      {`{"t":"sub","room":7}`, "bad-frame"},
			"below zero":       {`{"t":"sub","room":"` + id + `","since":-1}`, "bad-frame"},
			"beyond numbers":   {`{"t":"sub","room":"` + id + `","since":1e400}`, "bad-frame"},
			"deep":             {strings.Repeat(`[`, 15_000), "bad-frame"},
			"deep and closed":  {`{"t":` + strings.Repeat(`[`, 7_000) + strings.Repeat(`]`, 7_000) + `}`, "bad-frame"},
			"bytes":            {"\x00\x01\x02", "bad-frame"},
			"a character 0":    {`{"t":"sub","room":"\u0000"}`, "bad-frame"},
			"no room":          {`{"t":"sub"}`, "no-room"},
			"unknown room":     {`{"t":"sub","room":"zzzzzzzzz9"}`, "no-room"},
			"a path":           {`{"t":"sub","room":"../../etc/passwd"}`, "no-room"},
			"an SQL statement": {`{"t":"sub","room":"'; DROP TABLE rooms; --"}`, "no-room"},
			"a long name":      {`{"t":"sub","room":"` + strings.Repeat("a2", 4000) + `"}`, "no-room"},
			"before sub":       {`{"t":"cmd","room":"` + id + `","id":"c1","kind":"resign"}`, "not-following"},
			"another room":     {`{"t":"cmd","room":"zzzzzzzzz9","id":"c1","kind":"resign"}`, "not-following"},
			"a note before":    {`{"t":"note","room":"` + id + `","kind":"filling"}`, "not-following"},
		} {
			talk.say("%s", tt.say)
			if f := talk.hear("err"); f.Code != tt.code || len(f.Raw) > 300 {
				t.Errorf("%s: answered with %s, want %s", name, f.Raw, tt.code)
			}
		}
		talk.say(`{"t":"unsub","room":"zzzzzzzzz9"}`)
		talk.say(`{"t":"sub","room":%q}`, id)
		talk.hear("sync")
		for name, tt := range map[string]struct{ fields, code string }{
			"no ID":          {`"kind":"resign"`, "bad-command"},
			"a long ID":      {`"id":"` + strings.Repeat("i", 100) + `","kind":"resign"`, "bad-command"},
			"no kind":        {`"id":"c1"`, "bad-command"},
			"a deep body":    {`"id":"c1","kind":"resign","x":` + strings.Repeat(`[`, 900) + strings.Repeat(`]`, 900), "bad-command"},
			"two kinds":      {`"id":"c1","kind":"resign","Kind":"wake"`, "reserved"},
			"another's seat": {`"id":"c1","kind":"move","ply":0,"move":"a","by":"someone","seat":1`, "bad-command"},
		} {
			talk.say(`{"t":"cmd","room":%q,%s}`, id, tt.fields)
			if f := talk.hear("err"); f.Code != tt.code {
				t.Errorf("%s: answered with %s, want %s", name, f.Raw, tt.code)
			}
		}
		if got := s.counted("refused_total", "bad-frame"); got < 13 {
			t.Errorf("counted %v refusals of frames", got)
		}
	})
}

func TestSocketsThatBreakTheProtocolAreClosed(t *testing.T) {
	s := serve(t, limited)
	s.innocent(func() {
		for name, tt := range map[string]struct {
			do   func(*websocket.Conn)
			code socket.Code
		}{
			"too large": {func(c *websocket.Conn) {
				_ = c.Write(s.ctx, websocket.MessageText, []byte(strings.Repeat("x", 17<<10)))
			}, socket.TooLarge},
			"not text":  {func(c *websocket.Conn) { _ = c.Write(s.ctx, websocket.MessageBinary, []byte("{}")) }, socket.BadMessage},
			"not UTF-8": {func(c *websocket.Conn) { _ = c.Write(s.ctx, websocket.MessageText, []byte("\x00\xff\xfe")) }, socket.InvalidText},
			"flooding": {func(c *websocket.Conn) {
				for c.Write(s.ctx, websocket.MessageText, []byte(`{"t":"sub","room":"zzzzzzzzz9"}`)) == nil {
				}
			}, socket.Flooding},
		} {
			conn := s.bare(s.person(), nil)
			go tt.do(conn)
			if code := s.talk(conn).closed(); code != websocket.StatusCode(tt.code) {
				t.Errorf("%s: closed with %d, want %d", name, code, tt.code)
			}
			s.eventually("the count of "+name, func() bool { return s.counted("socket_closes_total", tt.code.String()) == 1 })
		}
	})
}

func TestOneSocketCannotFollowEverything(t *testing.T) {
	s := serve(t, limited)
	s.innocent(func() {
		p := s.person()
		talk := s.talk(s.bare(p, nil))
		for i := range live.MaxSubs + 1 {
			id, err := p.Make(s.ctx, nil)
			s.must(err)
			talk.say(`{"t":"sub","room":%q}`, id)
			if f := talk.hear("sync", "err"); (f.T == "err") != (i == live.MaxSubs) {
				t.Errorf("room %d: %s", i, f.Raw)
			}
		}
		for i := range 500 {
			talk.say(`{"t":"sub","room":"aaaaaaa%03d"}`, 222+i%8)
			if f := talk.hear("err"); f.Code != "too-many-rooms" {
				t.Fatalf("answered with %s", f.Raw)
			}
		}
		watcher := s.talk(s.bare(s.person(), nil))
		for i := range 300 {
			watcher.say(`{"t":"sub","room":"aaaaaa%04d"}`, 2222+i%8)
			watcher.refused("no-room")
		}
	})
}

func TestForeignPagesGetNoSocket(t *testing.T) {
	s := serve(t, limited)
	for _, origin := range []string{"https://evil.example", "null", "http://127.0.0.1.evil.example"} {
		conn, err := s.person().Dial(s.ctx, http.Header{"Origin": {origin}})
		if err == nil {
			_ = conn.CloseNow()
			t.Errorf("%s got a socket", origin)
		}
	}
	if got := s.counted("sockets_refused_total", ""); got != 3 {
		t.Errorf("counted %v refusals", got)
	}
	s.bare(s.person(), http.Header{"Origin": {s.base}})
}

// An attacker on the network can forge a page of this host over plain HTTP.
// Such a page gets no socket of a server that uses TLS.
func TestPlainPagesGetNoSocketOfASecureServer(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) { c.Secure = true })
	conn, err := s.person().Dial(s.ctx, http.Header{"Origin": {s.base}})
	if err == nil {
		_ = conn.CloseNow()
		t.Errorf("%s got a socket", s.base)
	}
	s.bare(s.person(), http.Header{"Origin": {strings.Replace(s.base, "http:", "https:", 1)}})
}

func TestClientWithTooManySocketsIsToldSo(t *testing.T) {
	s := serve(t, func(_ *site.Config, c *socket.Config) { c.PerAddress = 2 })
	for range 2 {
		talk := s.talk(s.bare(s.person(), nil))
		talk.say(`anybody there?`) // the answer proves that the server counts this socket; the handshake ends slightly earlier
		talk.refused("bad-frame")
	}
	if code := s.talk(s.bare(s.person(), nil)).closed(); code != websocket.StatusCode(socket.TooMany) {
		t.Errorf("the third was closed with %d", code)
	}
}

// The server accepts a cookie only if it has signed it for a player that it
// knows.
func TestForgedCookiesGiveNoIdentity(t *testing.T) {
	s := serve(t)
	id, _ := s.game("rules=kalah")
	real := s.people[0].Cookie()
	unknown, err := s.Tokens.Sign("paaaaaaaaaaaa")
	s.must(err)
	head := real[:strings.LastIndex(real, ".")+1]
	for name, cookie := range map[string]string{
		"empty": "", "garbage": "garbage", "dots": "....", "long": strings.Repeat("1.", 2000),
		"no signature": head, "another signature": head + strings.Repeat("A", 43),
		"another player":     strings.Replace(real, ".p", ".pa", 1),
		"another key":        strings.Replace(real, "1.1.", "1.2.", 1),
		"a number too large": strings.Replace(real, "1.1.", "1.99999999999999999999.", 1),
		"a deleted player":   unknown,
	} {
		talk := s.talk(s.bare(webtest.NewPerson(s.base), http.Header{"Cookie": {site.CookieName + "=" + cookie}}))
		talk.say(`{"t":"sub","room":%q}`, id)
		if f := talk.hear("sync"); *f.As != -1 || *f.Me != "" {
			t.Errorf("%s: accepted as an identity: %s", name, f.Raw)
		}
		talk.say(`{"t":"cmd","room":%q,"id":"c1","kind":"resign"}`, id)
		talk.refused("no-identity")
	}
	talk := s.talk(s.bare(webtest.NewPerson(s.base), http.Header{"Cookie": {fmt.Sprintf("other=1; %s=%s", site.CookieName, real)}}))
	talk.say(`{"t":"sub","room":%q}`, id)
	if f := talk.hear("sync"); *f.As != 0 {
		t.Errorf("the real one was not believed: %s", f.Raw)
	}
}
