package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"mancala/lobby/address"
	"mancala/lobby/seeks"
	"mancala/match/machine"
	"mancala/match/room"
	"mancala/web/live"
	"mancala/web/site"
	"mancala/web/socket"
	"mancala/web/webtest"
)

// visit opens the lobby and returns its first snapshot.
func (s *service) visit(by *webtest.Person) (*talk, webtest.Frame) {
	s.Helper()
	c := s.talk(s.bare(by, nil))
	c.say(`{"t":"sub","room":"lobby"}`)
	return c, c.hear("snap")
}

// guest returns a new person with an identity.
func (s *service) guest() *webtest.Person {
	s.Helper()
	p := s.person()
	_, err := p.Patch(s.ctx, "/api/v1/me/settings", `{}`)
	s.must(err)
	return p
}

// seeker returns the socket of a new guest with a seek, and the seek's ID.
func (s *service) seeker(key string) (*talk, string) {
	s.Helper()
	return s.seekerOf(s.guest(), key)
}

// seekerOf returns the socket of a person with a new seek, and the seek's ID.
func (s *service) seekerOf(p *webtest.Person, key string) (*talk, string) {
	s.Helper()
	c, _ := s.visit(p)
	c.say(`{"t":"cmd","room":"lobby","id":"s1","kind":"seek","key":%q,"rules":"oware","options":"seeds=5","clock":"5+3"}`, key)
	return c, c.waits()
}

// waits reads the confirmation of a seek and returns the seek's ID.
func (c *talk) waits() string {
	c.Helper()
	f := c.hear("wait", "err")
	var w struct{ Wait *struct{ Seek string } }
	c.must(json.Unmarshal([]byte(f.Raw), &w))
	if w.Wait == nil {
		c.Fatalf("does not wait: %s", f.Raw)
	}
	return w.Wait.Seek
}

// goes reads the message that a game has been made and returns the game's ID.
func (c *talk) goes() string {
	c.Helper()
	var f struct{ Game string }
	c.must(json.Unmarshal([]byte(c.hear("go").Raw), &f))
	return f.Game
}

// recordedLobby returns the frames of a lobby in which everything happens.
func (s *service) recordedLobby() (raw []string) {
	s.Helper()
	watcher, _ := s.visit(s.guest())
	tells := func(what string) {
		for {
			f := watcher.hear("seeks")
			if raw = append(raw, f.Raw); strings.Contains(f.Raw, what) {
				return
			}
		}
	}
	ada, seek := s.seeker("k1")
	tells(`"new":[{"seek":"` + seek)
	ada.say(`{"t":"sub","room":"lobby"}`)
	raw = append(raw, ada.hear("snap").Raw)
	ada.say(`{"t":"cmd","room":"lobby","id":"s2","kind":"leave"}`)
	raw = append(raw, ada.hear("wait").Raw)
	tells(`"gone":["` + seek)
	ada.say(`{"t":"cmd","room":"lobby","id":"s3","kind":"seek","key":"k2","rules":"oware","options":"seeds=5","clock":"5+3"}`)
	f := ada.hear("wait")
	raw = append(raw, f.Raw)
	_, rest, _ := strings.Cut(f.Raw, `"seek":"`)
	seek, _, _ = strings.Cut(rest, `"`)
	ben, _ := s.visit(s.guest())
	ben.say(`{"t":"cmd","room":"lobby","id":"b1","kind":"accept","seek":%q}`, seek)
	raw = append(raw, ben.hear("ack").Raw, ada.hear("go").Raw)
	ada.say(`{"t":"sub","room":"lobby","games":true}`)
	raw = append(raw, ada.hear("games").Raw)
	return append(raw, s.recordedChallenge()...)
}

// One of many players who accept the same seek at once gets the game. The
// others are refused.
func TestOneOfManyAcceptingPlayersGetsTheGame(t *testing.T) {
	s := serve(t)
	ada, seek := s.seeker("k")
	const many = 8
	people := make([]*talk, many)
	for i := range people {
		people[i], _ = s.visit(s.guest())
	}
	var group sync.WaitGroup
	for _, c := range people {
		group.Go(func() { c.say(`{"t":"cmd","room":"lobby","id":"a","kind":"accept","seek":%q}`, seek) })
	}
	group.Wait()
	won := 0
	for _, c := range people {
		switch f := c.hear("go", "err"); {
		case f.T == "go":
			won++
		case f.Code != "seek-gone" || !strings.Contains(f.Raw, "Somebody was faster."):
			t.Errorf("told %s", f.Raw)
		}
	}
	if game := ada.goes(); won != 1 || game != seek {
		t.Fatalf("%d play %s, the seek was %s", won, game, seek)
	}
	view, err := s.rooms.View(s.ctx, seek, "")
	s.must(err)
	if m := string(view.Snapshot); !strings.Contains(m, `"state":"live"`) || !strings.Contains(m, `"clockText":"5+3"`) || !strings.Contains(m, `"options":"seeds=5"`) {
		t.Errorf("the game is %s", m)
	}
}

// Two instances that both run the lobby make only one game of a seek.
func TestTwoLobbiesMakeOneGameOfASeek(t *testing.T) {
	s := serve(t)
	pair := func(other string) (late bool) {
		p := seeks.Pair{ID: seeks.GameID("pada", "k"), Seats: [2]string{"pada", other}, Owner: "pada", Other: other, Game: seeks.Game{Rules: "kalah", Clock: "none"}}
		body, err := json.Marshal(p)
		s.must(err)
		for range 2 { // a task may run twice
			result, err := effectOf(s, seeks.TaskOpen)(s.ctx, room.Task{Task: machine.Task{Body: body}})
			s.must(err)
			late = strings.Contains(string(result), "late")
		}
		return late
	}
	if pair("pben") || !pair("pcleo") {
		t.Error("two games came of one seek, or none")
	}
}

// A seek stays open if a player accepts it whom its owner has blocked. The lobby does not
// know of the block, as if the player had accepted before the seek was seen here.
func TestSeekStaysOpenAfterABlockedPlayerAccepts(t *testing.T) {
	s := serve(t)
	owner, stranger := s.guest(), s.guest()
	ada, seek := s.seekerOf(owner, "k")
	ben, _ := s.visit(stranger)
	s.must(s.Social.Block(s.ctx, s.id(owner), s.id(stranger)))
	_, err := s.rooms.Do(s.ctx, seeks.Room, machine.Command{
		ID: "a", Kind: seeks.KindAccept, By: s.id(stranger), Body: json.RawMessage(`{"seek":"` + seek + `"}`),
	})
	s.must(err)
	if f := ben.hear("err", "go"); f.Code != "seek-gone" {
		t.Fatalf("the blocked player is told %s", f.Raw)
	}
	if f := ada.hear("wait", "go"); strings.Contains(f.Raw, seek) {
		t.Errorf("once paired, the owner is told %s", f.Raw)
	}
	if again := ada.waits(); again != seek {
		t.Errorf("waits with %s", again)
	}
	cleo, _ := s.visit(s.guest())
	cleo.say(`{"t":"cmd","room":"lobby","id":"c","kind":"accept","seek":%q}`, seek)
	if a, c := ada.goes(), cleo.goes(); a != seek || c != seek {
		t.Errorf("they go to %s and %s", a, c)
	}
}

// Two strangers who look for the same game are paired. One who looks for
// another game is not.
func TestStrangersWhoLookForTheSameGameArePaired(t *testing.T) {
	s := serve(t)
	var people []*talk
	for i, rules := range []string{"kalah", "oware", "kalah"} {
		c, _ := s.visit(s.guest())
		c.say(`{"t":"cmd","room":"lobby","id":"f","kind":"find","key":"k%d","rules":%q,"clock":"5+3"}`, i, rules)
		c.waits()
		people = append(people, c)
	}
	if a, b := people[0].goes(), people[2].goes(); a != b {
		t.Errorf("they go to %s and %s", a, b)
	}
	people[1].say(`{"t":"cmd","room":"lobby","id":"l","kind":"leave"}`)
	if f := people[1].hear("wait", "go"); f.T != "wait" {
		t.Errorf("the third is told %s", f.Raw)
	}
}

// A player who sends their seek again after being paired is sent to the game.
func TestRepeatedSeekLeadsToTheGame(t *testing.T) {
	s := serve(t)
	ada, seek := s.seeker("k")
	ben, _ := s.visit(s.guest())
	ben.say(`{"t":"cmd","room":"lobby","id":"a","kind":"accept","seek":%q}`, seek)
	ada.goes()
	ada.say(`{"t":"cmd","room":"lobby","id":"s9","kind":"seek","key":"k","again":true}`)
	if game := ada.goes(); game != seek {
		t.Errorf("sent to %s", game)
	}
}

// The seek of a player without a page is removed soon.
func TestSeekOfAVanishedVisitorIsRemoved(t *testing.T) {
	s := serve(t)
	ada, seek := s.seeker("k")
	ben, _ := s.visit(s.guest())
	s.eventually("the seek in the list", func() bool {
		ben.say(`{"t":"sub","room":"lobby"}`)
		return strings.Contains(ben.hear("snap").Raw, seek)
	})
	began := time.Now()
	s.must(ada.conn.CloseNow())
	for !strings.Contains(ben.hear("seeks").Raw, `"gone":["`+seek) {
	}
	t.Logf("gone after %v", time.Since(began))
}

// The forms of the lobby work without script.
func TestLobbyWorksWithoutScript(t *testing.T) {
	s := serve(t)
	ada, ben := s.person(), s.person()
	page, err := ada.Post(s.ctx, "/seek", url.Values{"rules": {"oware"}, "clock": {"5+3"}})
	s.must(err)
	if page.Status != http.StatusSeeOther || page.Header.Get("Location") != "/" {
		t.Fatalf("a seek is answered with %d %s", page.Status, page.Body)
	}
	view, err := s.rooms.View(s.ctx, seeks.Room, "")
	s.must(err)
	var state seeks.State
	s.must(json.Unmarshal(view.Snapshot, &state))
	seek := state.Waits[0].ID
	home := s.plain("/", nil).Body
	if !strings.Contains(home, `data-seek="`+seek+`"`) || !strings.Contains(home, `action="/`+seek+`/accept"`) {
		t.Errorf("the home page has no such seek: %s", home)
	}
	path := "/" + seek + "/accept"
	if page, err = ben.Post(s.ctx, path, nil); err == nil && page.Status == http.StatusTemporaryRedirect {
		page, err = ben.Post(s.ctx, page.Header.Get("Location"), nil)
	}
	s.must(err)
	if page.Status != http.StatusSeeOther || page.Header.Get("Location") != "/"+seek {
		t.Fatalf("accepted, it is answered with %d %s", page.Status, page.Body)
	}
	if page, err = s.guest().Post(s.ctx, path, nil); err != nil || page.Status != http.StatusConflict || !strings.Contains(page.Body, "Somebody was faster.") {
		t.Errorf("a later client gets %d %s %v", page.Status, page.Body, err)
	}
	if page, err = ada.Get(s.ctx, "/"+seek); err != nil || page.Status != http.StatusOK {
		t.Errorf("the game is %d, %v", page.Status, err)
	}
}

// Each invalid message to a lobby has its own code.
func TestInvalidLobbyMessagesHaveCodes(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) {
		c.Limits[site.LimitSeeks].N, c.Limits[site.LimitSeeks].Per = 2, time.Hour
	})
	stranger, _ := s.visit(s.person())
	stranger.say(`{"t":"cmd","room":"lobby","id":"x","kind":"seek","key":"k"}`)
	stranger.refused("no-identity")
	me := s.talk(s.bare(s.guest(), nil))
	me.say(`{"t":"cmd","room":"lobby","id":"x","kind":"leave"}`)
	me.refused("not-following")
	me.say(`{"t":"sub","room":"lobby"}`)
	for _, tt := range [][2]string{
		{`{"t":"chat","room":"lobby","id":"x","text":"hello"}`, "bad-frame"},
		{`{"t":"ask","room":"lobby","what":"legal"}`, "bad-frame"},
		{`{"t":"cmd","room":"lobby","id":"x","kind":"leave","key":7}`, "bad-frame"},
		{`{"t":"cmd","room":"lobby","id":"x","kind":"gone"}`, "reserved"},
		{`{"t":"cmd","room":"lobby","id":"","kind":"leave"}`, "bad-command"},
		{fmt.Sprintf(`{"t":"cmd","room":"lobby","id":"x","kind":"seek","key":"k","options":%q}`, strings.Repeat("x", 121)), "bad-command"},
		{`{"t":"cmd","room":"lobby","id":"x","kind":"accept","seek":"../../etc"}`, "slow-down"},
	} {
		me.say("%s", tt[0])
		me.refused(tt[1])
	}
}

// An idle visitor receives few messages about many changes: a few seeks once a
// second.
func TestIdleVisitorGetsFewMessages(t *testing.T) {
	s := serve(t)
	idle, _ := s.visit(s.guest())
	for i := range 200 {
		body := fmt.Appendf(nil, `{"key":"k","rules":"oware","clock":"5+3"}`)
		_, err := s.rooms.Do(s.ctx, seeks.Room, machine.Command{ID: "s", Kind: seeks.KindSeek, By: fmt.Sprint("p", i), Body: body})
		s.must(err)
	}
	shown := 0
	for shown < seeks.MaxShown {
		f := idle.hear("seeks")
		var news struct{ New []seeks.Shown }
		s.must(json.Unmarshal([]byte(f.Raw), &news))
		if shown += len(news.New); len(news.New) > live.MaxNews || len(f.Raw) > 1000 {
			t.Fatalf("%d bytes for %d seeks: %s", len(f.Raw), len(news.New), f.Raw)
		}
	}
	if shown > seeks.MaxShown {
		t.Errorf("%d are shown", shown)
	}
}

// A player whose game is made while their page loads is sent there as soon as
// the page has loaded, and only once.
func TestPlayerPairedWhileLoadingIsSentOnce(t *testing.T) {
	s := serve(t)
	ben := s.guest()
	ada, _ := s.visit(s.guest())
	for i, p := range []*webtest.Person{s.people[1], ben} {
		if page, err := p.Post(s.ctx, "/find", url.Values{"rules": {"kalah"}}); err != nil || page.Status != http.StatusSeeOther {
			t.Fatalf("%d: %d %v", i, page.Status, err)
		}
	}
	game := ada.goes()
	first, _ := s.visit(ben)
	if got := first.goes(); got != game {
		t.Errorf("sent to %s, not %s", got, game)
	}
	for _, c := range []*talk{first, ada} { // both go to the game, and one comes back
		s.must(c.conn.CloseNow())
	}
	s.eventually("an empty lobby", func() bool {
		_, visitors := s.live.Stats()
		return visitors == 0
	})
	second, _ := s.visit(ben)
	second.say(`{"t":"sub","room":"lobby"}`)
	if f := second.hear("go", "snap"); f.T != "snap" {
		t.Errorf("sent once more: %s", f.Raw)
	}
}

// In kids mode a player meets no strangers, by page, form or socket.
func TestKidsMeetNoStrangers(t *testing.T) {
	s := serve(t)
	child := s.guest()
	_, err := child.Patch(s.ctx, "/api/v1/me/settings", `{"kids":"on"}`)
	s.must(err)
	if page, err := child.Get(s.ctx, "/"); err != nil || strings.Contains(page.Body, `action="/find"`) || strings.Contains(page.Body, `id="seeks"`) {
		t.Errorf("the page of a child: %s %v", page.Body, err)
	}
	if page, err := child.Get(s.ctx, "/challenge?player="+s.id(s.guest())); err != nil || page.Status < 400 || !strings.Contains(page.Body, "people you know") {
		t.Errorf("the page for a challenge: %d %v", page.Status, err)
	}
	if page, err := child.Post(s.ctx, "/find", nil); err != nil || page.Status != http.StatusUnprocessableEntity && page.Status != http.StatusBadRequest {
		t.Errorf("a form is answered with %d %v", page.Status, err)
	}
	c, _ := s.visit(child)
	for _, kind := range []string{"seek", "find", "accept"} {
		c.say(`{"t":"cmd","room":"lobby","id":"x","kind":%q,"key":"k","seek":"k3v9qa2mx1"}`, kind)
		c.refused("no-strangers")
	}
}

// Kids mode may be switched on by the API or on another page than the one that waits.
func TestKidsModeWithdrawsTheSeekAndTheChallenges(t *testing.T) {
	s := serve(t)
	child, friend := s.guest(), s.guest()
	c, seek := s.seekerOf(child, "k")
	f, _ := s.visit(friend)
	c.say(`{"t":"cmd","room":"lobby","id":"c","kind":"challenge","key":"c","to":%q}`, s.id(friend))
	f.hear("asked")
	f.say(`{"t":"cmd","room":"lobby","id":"d","kind":"challenge","key":"d","to":%q}`, s.id(child))
	incoming := seeks.GameID(s.id(friend), "d")
	for !strings.Contains(c.hear("asked").Raw, incoming) {
	}
	_, err := child.Patch(s.ctx, "/api/v1/me/settings", `{"kids":"on"}`)
	s.must(err)
	for what, id := range map[string]string{"seek": seek, "challenge": seeks.GameID(s.id(child), "c")} {
		f.say(`{"t":"cmd","room":"lobby","id":"a","kind":"accept","seek":%q}`, id)
		if got := f.hear("err", "go"); got.Code != "seek-gone" {
			t.Fatalf("a player who accepts the child's %s is told %s", what, got.Raw)
		}
	}
	c.say(`{"t":"cmd","room":"lobby","id":"n","kind":"decline","seek":%q}`, incoming)
	for {
		switch a := c.hear("ack", "err"); {
		case a.T == "err":
			t.Fatalf("the child declines and is told %s", a.Raw)
		case strings.Contains(a.Raw, `"id":"n"`):
			return
		}
	}
}

// The lobby is told where each person is, by socket, by form and by the API, so that one
// client cannot fill it.
func TestLobbyIsToldThePlaceOfEachPlayer(t *testing.T) {
	s := serve(t)
	s.seeker("k")
	page, err := s.guest().Post(s.ctx, "/seek", url.Values{"rules": {"oware"}})
	s.must(err)
	if page.Status != http.StatusSeeOther {
		t.Fatalf("%d %s", page.Status, page.Body)
	}
	page, err = s.guest().Send(s.ctx, "/api/v1/seeks", `{"rules":"kalah"}`)
	s.must(err)
	if page.Status >= 300 {
		t.Fatalf("%d %s", page.Status, page.Body)
	}
	want := address.Place(netip.MustParseAddr("127.0.0.1"))
	s.must(s.Policy.Waiting.State(s.ctx, func(state *seeks.State) {
		if len(state.Waits) < 3 {
			t.Errorf("%d wait", len(state.Waits))
		}
		for _, w := range state.Waits {
			if w.Facts.Place != want {
				t.Errorf("%s waits at %q, want %q", w.Player, w.Facts.Place, want)
			}
		}
	}))
}
