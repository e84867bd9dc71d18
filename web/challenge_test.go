package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/moderation"
	"mancala/lobby/seeks"
	"mancala/web/site"
	"mancala/web/socket"
	"mancala/web/webtest"
)

// elsewhere opens the socket of a page other than the lobby's.
func (s *service) elsewhere(p *webtest.Person) *talk {
	s.Helper()
	c := s.talk(s.bare(p, nil))
	c.say(`{"t":"sub","room":"lobby","quiet":true}`)
	if f := c.hear("snap"); !strings.Contains(f.Raw, `"seeks":[]`) {
		s.Errorf("elsewhere one sees %s", f.Raw)
	}
	return c
}

// asks challenges a player and returns the challenge's ID.
func (c *talk) asks(to string) string {
	c.Helper()
	c.say(`{"t":"cmd","room":"lobby","id":"ask","kind":"challenge","key":"ask","to":%q,"rules":"oware","clock":"5+3"}`, to)
	asked := c.asked()
	if len(asked) != 1 || !asked[0].Mine {
		c.Fatalf("asked: %+v", asked)
	}
	return asked[0].ID
}

// asked is a frame that lists challenges.
type asked struct{ Asked []site.AskShown }

func (c *talk) asked() []site.AskShown {
	c.Helper()
	var f asked
	c.must(json.Unmarshal([]byte(c.hear("asked").Raw), &f))
	return f.Asked
}

// recordedChallenge returns the frames of two challenges, one declined and one
// accepted.
func (s *service) recordedChallenge() (raw []string) {
	s.Helper()
	ada, ben := s.guest(), s.guest()
	a, b := s.elsewhere(ada), s.elsewhere(ben)
	a.say(`{"t":"cmd","room":"lobby","id":"c1","kind":"challenge","key":"k","to":%q,"rules":"oware","clock":"5+3"}`, s.id(ben))
	f := b.hear("asked")
	raw = append(raw, a.hear("asked").Raw, f.Raw)
	var got asked
	s.must(json.Unmarshal([]byte(f.Raw), &got))
	b.say(`{"t":"cmd","room":"lobby","id":"c2","kind":"decline","seek":%q}`, got.Asked[0].ID)
	return append(raw, a.hear("asked").Raw)
}

// Two players on different pages meet by a challenge. No other player learns of it.
func TestPlayersMeetByAChallenge(t *testing.T) {
	s := serve(t)
	ada, ben := s.guest(), s.guest()
	a, b, other := s.elsewhere(ada), s.elsewhere(ben), s.elsewhere(s.guest())
	seek := a.asks(s.id(ben))
	asked := b.asked()
	if len(asked) != 1 || asked[0].ID != seek || asked[0].Mine || asked[0].Key != "" || !strings.Contains(asked[0].Text, "asks you to play Oware. 5 minutes") {
		t.Fatalf("Ben is asked %+v", asked)
	}
	// A third player cannot learn of the challenge, even by its ID.
	other.say(`{"t":"cmd","room":"lobby","id":"x","kind":"accept","seek":%q}`, seek)
	other.refused("seek-gone")
	b.say(`{"t":"cmd","room":"lobby","id":"y","kind":"accept","seek":%q}`, seek)
	if one, two := a.goes(), b.goes(); one != seek || two != seek {
		t.Fatalf("they go to %s and %s", one, two)
	}
	view, err := s.rooms.View(s.ctx, seek, "")
	s.must(err)
	if m := string(view.Snapshot); !strings.Contains(m, `"state":"live"`) || !strings.Contains(m, s.id(ben)) {
		t.Errorf("the game is %s", m)
	}
	other.say(`{"t":"cmd","room":"lobby","id":"z","kind":"seek","key":"k"}`)
	if f := other.hear("asked", "go", "ack"); f.T != "ack" {
		t.Errorf("another player is told %s", f.Raw)
	}
}

// A player who connects later receives their open challenges. A player who has
// declined is not asked again by the same challenger.
func TestDeclinedChallengerIsNotAskedAboutAgain(t *testing.T) {
	s := serve(t)
	ada, ben := s.guest(), s.guest()
	a := s.elsewhere(ada)
	seek := a.asks(s.id(ben))
	b, _ := s.visit(ben)
	if asked := b.asked(); len(asked) != 1 || asked[0].ID != seek {
		t.Fatalf("Ben is asked %+v", asked)
	}
	b.say(`{"t":"cmd","room":"lobby","id":"x","kind":"decline","seek":%q}`, seek)
	if f := a.hear("asked"); !strings.Contains(f.Raw, "does not want to play now.") {
		t.Errorf("Ada is told %s", f.Raw)
	}
	a.say(`{"t":"cmd","room":"lobby","id":"y","kind":"challenge","key":"l","to":%q}`, s.id(ben))
	a.refused("ask-later")
}

// Nobody can accept the challenge of a player who has deleted their data, or whom an operator has closed.
func TestChallengeOfADepartedPlayerIsWithdrawn(t *testing.T) {
	for name, departs := range map[string]func(s *service, ada *webtest.Person){
		"deleted": func(s *service, ada *webtest.Person) { s.post(ada, "/settings/forget", "sure=yes") },
		"closed": func(s *service, ada *webtest.Person) {
			s.reports(s.guest(), url.Values{"player": {s.id(ada)}, "reason": {"rude"}}, http.StatusSeeOther)
			s.operator().does(moderation.Close, s.queue(1)[0].ID, nil, http.StatusSeeOther)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			ada, ben := s.guest(), s.guest()
			a, b := s.elsewhere(ada), s.elsewhere(ben)
			seek := a.asks(s.id(ben))
			if asked := b.asked(); len(asked) != 1 {
				t.Fatalf("Ben is asked %+v", asked)
			}
			departs(s, ada)
			if asked := b.asked(); len(asked) != 0 {
				t.Errorf("Ben is still asked %+v", asked)
			}
			b.say(`{"t":"cmd","room":"lobby","id":"y","kind":"accept","seek":%q}`, seek)
			b.refused("seek-gone")
		})
	}
}

// Each player's setting decides which players may challenge them.
func TestSettingsDecideWhichPlayersMayChallenge(t *testing.T) {
	s := serve(t)
	ada, ben := s.guest(), s.guest()
	to := s.id(ben)
	a := s.elsewhere(ada)
	n := 0
	tries := func(code string) {
		t.Helper()
		n++
		a.say(`{"t":"cmd","room":"lobby","id":"c%d","kind":"challenge","key":"k%d","to":%q}`, n, n, to)
		if f := a.hear("ack", "err"); f.Code != code {
			t.Errorf("answered with %s, want %q", f.Raw, code)
		}
	}
	set := func(prefs string) {
		t.Helper()
		_, err := ben.Patch(s.ctx, "/api/v1/me/settings", prefs)
		s.must(err)
	}
	tries("")
	set(`{"challenges":"nobody"}`)
	tries("no-challenges")
	set(`{"challenges":"followed"}`)
	tries("no-challenges")
	s.must(s.Social.Follow(s.ctx, to, s.id(ada)))
	tries("")
	set(`{"challenges":"everybody","kids":"on"}`)
	tries("no-challenges")
	set(`{"kids":"off"}`)
	tries("")
	s.must(s.Social.Block(s.ctx, to, s.id(ada)))
	tries("no-challenges")
	to = "pabcdefghij23"
	tries("nobody")
	to = "../../etc"
	tries("nobody")
	to = s.id(ada)
	tries("yourself")
}

// The refusal to join a seek states the reason, by socket and by form.
func TestRefusalToJoinStatesItsReason(t *testing.T) {
	s := serve(t)
	ada, _ := s.visit(s.member("Ada"))
	ada.say(`{"t":"cmd","room":"lobby","id":"s","kind":"seek","key":"k","rules":"oware","clock":"5+3","rated":true}`)
	seek := ada.waits()
	ben := s.guest()
	b, _ := s.visit(ben)
	b.say(`{"t":"cmd","room":"lobby","id":"x","kind":"accept","seek":%q}`, seek)
	b.refused("needs-account")
	if page, err := ben.Post(s.ctx, "/"+seek+"/accept", nil); err != nil || page.Status != http.StatusUnprocessableEntity || !strings.Contains(page.Body, "Rated games need an account.") {
		t.Errorf("the form: %d %v", page.Status, err)
	}
	b.say(`{"t":"cmd","room":"lobby","id":"y","kind":"seek","key":"k","clock":"5+3","rated":true,"facts":{"account":true,"rating":1500}}`)
	b.refused("needs-account") // facts that the client sends do not count
}

// A visitor who has chosen a game and a clock sees only matching seeks,
// including new ones.
func TestVisitorSeesSeeksThatMatchTheirChoice(t *testing.T) {
	s := serve(t)
	me := s.talk(s.bare(s.guest(), nil))
	me.say(`{"t":"sub","room":"lobby","rules":"oware","clock":"5+3"}`)
	me.hear("snap")
	other, _ := s.visit(s.guest())
	other.say(`{"t":"cmd","room":"lobby","id":"s","kind":"seek","key":"k","rules":"kalah","clock":"5+3"}`)
	other.waits()
	_, seek := s.seeker("l")
	var f struct {
		New  []seeks.Shown
		Open int
	}
	s.must(json.Unmarshal([]byte(me.hear("seeks").Raw), &f))
	if len(f.New) != 1 || f.New[0].ID != seek || f.Open != 1 {
		t.Errorf("told of %+v", f)
	}
	for _, bad := range []string{`"rules":"chess"`, `"clock":"1+1"`, `"rules":7`} {
		me.say(`{"t":"sub","room":"lobby",%s}`, bad)
		me.refused("bad-frame")
	}
}

// The limit on challenges counts for each visitor, whatever the answers are.
func TestChallengesAreLimitedForEachVisitor(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) { c.Limits[site.LimitSeeks] = lobby.Rate{N: 2, Per: time.Hour} })
	a := s.elsewhere(s.guest())
	for i, want := range []string{"nobody", "nobody", "slow-down"} {
		a.say(`{"t":"cmd","room":"lobby","id":"c%d","kind":"challenge","key":"k","to":"pabcdefghij23"}`, i)
		a.refused(want)
	}
	stranger := s.talk(s.bare(s.person(), nil))
	stranger.say(`{"t":"sub","room":"lobby","quiet":true}`)
	stranger.hear("snap")
	stranger.say(`{"t":"cmd","room":"lobby","id":"x","kind":"challenge","key":"k","to":"pabcdefghij23"}`)
	stranger.refused("no-identity")
}
