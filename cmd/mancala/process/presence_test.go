package process

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"mancala/web/webtest"
)

// idOf returns the ID of a person from the API.
func idOf(t *testing.T, p *webtest.Person) string {
	t.Helper()
	page, err := p.Get(t.Context(), "/api/v1/me")
	if err != nil {
		t.Fatal(err)
	}
	var me struct{ ID string }
	if err := json.Unmarshal([]byte(page.Body), &me); err != nil {
		t.Fatal(err)
	}
	return me.ID
}

func TestFollowersSeePlayersOfOtherInstancesComePlayAndGo(t *testing.T) {
	t.Parallel()
	instances := startInstances(t, 3)
	ada, ben := enter(t, instances[0]), enter(t, instances[1])
	id := idOf(t, ben.person)
	if page, err := ada.person.Post(ada.ctx, "/people", url.Values{"do": {"follow"}, "player": {id}}); err != nil || page.Status != 303 {
		t.Fatalf("%d %v", page.Status, err)
	}
	ada.say(`{"t":"sub","room":"people"}`)
	ada.hear("note", id)
	third := enter(t, instances[2])
	third.say(`{"t":"cmd","room":"lobby","id":"s1","kind":"seek","key":"k","rules":"kalah","clock":"5+3"}`)
	var said struct{ Wait struct{ Seek string } }
	if err := json.Unmarshal([]byte(third.hear("wait", "")), &said); err != nil {
		t.Fatal(err)
	}
	seek := said.Wait.Seek
	ben.say(fmt.Sprintf(`{"t":"cmd","room":"lobby","id":"a1","kind":"accept","seek":%q}`, seek))
	ben.hear("go", seek)
	ben.say(fmt.Sprintf(`{"t":"sub","room":%q}`, seek))
	ada.hear("note", seek)
	_ = ben.conn.CloseNow()
	for strings.Contains(ada.hear("note", ""), id) {
	}
}

func TestHomePageIsToldOfATurnOnAnotherInstance(t *testing.T) {
	t.Parallel()
	instances := startInstances(t, 2)
	ada, ben := enter(t, instances[0]), enter(t, instances[1])
	game, err := ada.person.Make(ada.ctx, url.Values{"start": {"creator"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := ben.person.Sit(ben.ctx, game); err != nil {
		t.Fatal(err)
	}
	if _, err := ben.person.Get(ben.ctx, "/"+game); err != nil { // the page that the form leads to
		t.Fatal(err)
	}
	ben.say(`{"t":"sub","room":"lobby","quiet":true,"games":true}`)
	ada.say(fmt.Sprintf(`{"t":"sub","room":%q}`, game))
	ada.hear("snap", game)
	ben.due(1, func() {
		ada.say(fmt.Sprintf(`{"t":"cmd","room":%q,"id":"m","kind":"move","ply":0,"move":"a"}`, game))
	})
}

// due waits until the visitor's home page shows that it is their turn in n games. It calls
// do, if that is not nil, after the first frame that shows something else.
func (v *visitor) due(n int, do func()) {
	v.Helper()
	for {
		v.hear("games", "")
		page, err := v.person.Get(v.ctx, "/mine")
		if err != nil {
			v.Fatal(err)
		}
		if strings.Contains(page.Body, fmt.Sprintf(`data-due="%d"`, n)) {
			return
		}
		if do != nil {
			do()
			do = nil
		}
	}
}

func TestWatchersOfAllInstancesAreNamed(t *testing.T) {
	t.Parallel()
	instances := startInstances(t, 2)
	ada, ben := enter(t, instances[0]), enter(t, instances[1])
	for v, name := range map[*visitor]string{ada: "Ada", ben: "Ben"} {
		page, err := v.person.Post(v.ctx, "/account/create", url.Values{"name": {name}, "password": {"a fine long secret 7"}})
		if err != nil || page.Status != 200 {
			t.Fatalf("%d %v", page.Status, err)
		}
		conn, err := v.person.Dial(v.ctx, nil) // with the new account
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.CloseNow() })
		v.conn = conn
	}
	room := enter(t, instances[0]).room
	for _, v := range []*visitor{ada, ben} {
		v.say(fmt.Sprintf(`{"t":"sub","room":%q}`, room))
	}
	for _, v := range []*visitor{ada, ben} {
		v.hear("note", `"who":["Ada","Ben"]`)
	}
}

// A person follows and blocks a player and turns the mode for children off, by pages of one
// instance. Their page on the other instance changes at once.
func TestChangesReachThePagesOfAPersonOnOtherInstances(t *testing.T) {
	t.Parallel()
	instances := startInstances(t, 2)
	ada, ben := enter(t, instances[0]), enter(t, instances[1])
	other := *ada.person // the same person, by the other instance
	other.Base = instances[1].base()
	tie := func(what, player string) {
		t.Helper()
		if page, err := other.Post(ada.ctx, "/people", url.Values{"do": {what}, "player": {player}}); err != nil || page.Status != 303 {
			t.Fatalf("%s: %d %v", what, page.Status, err)
		}
	}
	grow := func(at *webtest.Person, kids string) {
		t.Helper()
		if page, err := at.Patch(ada.ctx, "/api/v1/me/settings", fmt.Sprintf(`{"kids":%q}`, kids)); err != nil || page.Status != 200 {
			t.Fatalf("kids %s: %d %v", kids, page.Status, err)
		}
	}
	benID := idOf(t, ben.person)
	ada.say(`{"t":"sub","room":"people"}`)
	ada.hear("snap", `"room":"people"`)
	tie("follow", benID)
	for !strings.Contains(ada.next(), benID) {
	}

	room := enter(t, instances[0]).room
	grow(ada.person, "on")
	ada.say(fmt.Sprintf(`{"t":"sub","room":%q}`, room))
	ada.hear("snap", room)
	ben.say(fmt.Sprintf(`{"t":"sub","room":%q}`, room))
	ben.hear("snap", room)
	ben.say(fmt.Sprintf(`{"t":"chat","room":%q,"id":"c","text":"a line of chat"}`, room))
	ben.hear("chat", "a line of chat")
	grow(&other, "off")
	await(t, ada.ctx, func() bool {
		ada.say(fmt.Sprintf(`{"t":"unsub","room":%q}`, room))
		ada.say(fmt.Sprintf(`{"t":"sub","room":%q}`, room))
		ada.say(`{"t":"ping"}`)
		for heard := false; ; {
			frame := ada.next()
			if heard = heard || strings.Contains(frame, "a line of chat"); frame == `{"t":"pong"}` {
				return heard
			}
		}
	})

	ben.say(`{"t":"cmd","room":"lobby","id":"s1","kind":"seek","key":"k","rules":"kalah","clock":"5+3"}`)
	for !strings.Contains(ada.next(), `"seek":`) { // in a frame of one seek or of all
	}
	tie("block", benID)
	ada.hear("snap", `"seeks":[]`)
}

// next waits for the next frame and returns it.
func (v *visitor) next() string {
	v.Helper()
	_, msg, err := v.conn.Read(v.ctx)
	if err != nil {
		v.Fatal(err)
	}
	return string(msg)
}
