package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/push"
	"mancala/lobby/push/pushtest"
	"mancala/match"
	"mancala/match/machine"
	"mancala/web/webtest"
)

// toldBy starts a service with a push service.
func toldBy(t *testing.T) (*service, *pushtest.Service) {
	t.Helper()
	beside(t)
	remote := pushtest.New(t)
	opt := remote.Options()
	opt.Settle = time.Millisecond
	return serveWith(t, opt), remote
}

// subscribes adds a browser of a person. It returns the devices that the answer lists.
func (s *service) subscribes(remote *pushtest.Service, p *webtest.Person, lang string) (*pushtest.Browser, []string) {
	s.Helper()
	b, sub := remote.Browser()
	body, err := json.Marshal(sub)
	s.must(err)
	page := s.request(p, http.MethodPost, "/api/v1/me/push", "application/json", string(body), http.Header{"Accept-Language": {lang}})
	var answer struct {
		Key, Player string
		Devices     []string
	}
	s.must(json.Unmarshal([]byte(page.Body), &answer))
	if page.Status != http.StatusOK || answer.Key != s.Push.PublicKey() || answer.Player != s.id(p) {
		s.Fatalf("answered %d %s", page.Status, page.Body)
	}
	return b, answer.Devices
}

// ofDays makes a game of days in which Ben moves first and then Ada.
func (s *service) ofDays(ben, ada *webtest.Person, settings url.Values) (id string) {
	s.Helper()
	settings.Set("clock", "3/move")
	settings.Set("start", "creator")
	id, err := ben.Make(s.ctx, settings)
	s.must(err)
	s.must(ada.Sit(s.ctx, id))
	return id
}

// plays moves by the API, so that no page of the person is open.
func (s *service) plays(p *webtest.Person, id, command string) {
	s.Helper()
	page, err := p.Send(s.ctx, "/api/v1/games/"+id+"/commands", command)
	s.must(err)
	if page.Status != http.StatusOK {
		s.Fatalf("%s: %d %s", command, page.Status, page.Body)
	}
}

func TestPlayerIsToldOfTheirTurnWhileNoPageIsOpen(t *testing.T) {
	s, remote := toldBy(t)
	ada, ben := s.guest(), s.guest()
	s.must(renamed(s, ben, "Ben"))
	phone, devices := s.subscribes(remote, ada, "fr")
	if len(devices) != 1 || devices[0] != push.DeviceOf(phone.Endpoint) {
		t.Errorf("the devices are %q", devices)
	}
	for _, tt := range []struct {
		settings url.Values
		body     string
	}{
		{url.Values{"rules": {"oware"}}, ""},
		{url.Values{"rules": {"oware"}, "listed": {"true"}}, "Oware, contre \u2068Ben\u2069"},
	} {
		id := s.ofDays(ben, ada, tt.settings)
		s.plays(ben, id, `{"kind":"move","id":"m1","ply":0,"move":"a"}`)
		list := remote.Await(s.ctx)
		if len(list) != 1 {
			t.Fatalf("%d messages have arrived", len(list))
		}
		m := list[0].Message
		if m.Title != "C’est ton tour" || m.Body != tt.body || m.Path != "/"+id || m.Tag != id || m.Lang != "fr" || m.Dir != "ltr" || !strings.HasPrefix(m.Icon, "/static/icon-192.") {
			t.Errorf("the message is %+v, want the text %q", m, tt.body)
		}
		if list[0].To != phone {
			t.Error("another device was told")
		}
	}
	s.eventually("two messages to be counted", func() bool { return s.counted("push_total", "sent") == 2 })
}

func renamed(s *service, p *webtest.Person, name string) error {
	_, err := p.Patch(s.ctx, "/api/v1/me", `{"name":"`+name+`"}`)
	return err
}

func TestPlayerWithAnOpenPageHearsNothingMore(t *testing.T) {
	s, remote := toldBy(t)
	ada, ben := s.guest(), s.guest()
	s.subscribes(remote, ada, "en")
	bens, _ := s.subscribes(remote, ben, "en")
	home := s.atHome(ada)
	id := s.ofDays(ben, ada, url.Values{"rules": {"oware"}})
	s.plays(ben, id, `{"kind":"move","id":"m1","ply":0,"move":"a"}`)
	s.eventually("the turn to be looked at", func() bool {
		var step int
		err := s.tables.Reader().QueryRow("SELECT step FROM push_turns WHERE room = $1 AND player = $2", id, s.id(ada)).Scan(&step)
		return err == nil && step == 1 // the player was present
	})
	s.plays(ada, id, `{"kind":"move","id":"m1","ply":1,"move":"a"}`)
	if list := remote.Await(s.ctx); len(list) != 1 || list[0].To != bens { // Ben has no page
		t.Errorf("%+v have arrived", list)
	}
	s.must(home.conn.CloseNow())
}

func TestPlayerOfAPausedGameIsNotToldOfTheTurn(t *testing.T) {
	s, _ := toldBy(t)
	id := lobby.NewRoomID()
	c := match.Creation{
		Settings: match.Settings{Rules: "kalah", Clock: "3/move"}, Seats: []string{s.id(s.guest()), s.id(s.guest())}, Expires: -1,
		Event: &match.Event{Room: lobby.NewRoomID(), Round: 1, Board: 1, Game: 1},
	}
	s.must(s.rooms.Create(s.ctx, id, match.Kind, c.Command("create")))
	for _, tt := range []struct {
		act    string
		paused bool
	}{{"", false}, {match.ActPause, true}, {match.ActResume, false}} {
		if tt.act != "" {
			body := fmt.Appendf(nil, `{"act":%q}`, tt.act)
			_, err := s.rooms.Order(s.ctx, id, machine.Command{ID: tt.act, Kind: match.KindArbiter, By: "host", Body: body})
			s.must(err)
		}
		notice, err := s.PushServices().Notice(s.ctx, id, c.Seats[0], true)
		if tt.paused != errors.Is(err, push.ErrPaused) || tt.paused != (notice == nil) {
			t.Errorf("after the order %q: %v, a message: %t", tt.act, err, notice != nil)
		}
	}
}

func TestDeviceIsToldNoMoreAfterItsSignOut(t *testing.T) {
	s, remote := toldBy(t)
	ada := s.guest()
	s.subscribes(remote, ada, "en") // as a guest
	s.account(ada, "Ada")
	list := func(p *webtest.Person) int {
		t.Helper()
		devices, err := s.Push.Devices(s.ctx, s.id(p))
		s.must(err)
		return len(devices)
	}
	if n := list(ada); n != 0 {
		t.Errorf("a new account has %d devices of its guest", n)
	}
	_, own := s.subscribes(remote, ada, "en")
	other := s.person()
	s.signIn(other, "Ada", secret)
	_, devices := s.subscribes(remote, other, "en")
	if len(devices) != 2 {
		t.Errorf("two signed-in devices are %q", devices)
	}
	s.post(other, "/account/sign-out", "")
	if n := list(ada); n != 1 {
		t.Errorf("%d devices are left after one of two has signed out", n)
	}
	page := s.request(ada, http.MethodDelete, "/api/v1/me/push/"+own[0], "", "", nil)
	if page.Status != http.StatusOK || list(ada) != 0 {
		t.Errorf("answered %d %s", page.Status, page.Body)
	}
}

func TestBadSubscriptionMakesNoGuest(t *testing.T) {
	s := serve(t)
	stranger := s.person()
	page, err := stranger.Send(s.ctx, "/api/v1/me/push", `{"endpoint":"https://169.254.169.254/x","keys":{"p256dh":"","auth":""}}`)
	s.must(err)
	if page.Status != http.StatusUnprocessableEntity || !strings.Contains(page.Body, "bad-subscription") || stranger.Cookie() != "" {
		t.Errorf("answered %d %s; cookie %q", page.Status, page.Body, stranger.Cookie())
	}
}
