package process

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"mancala/web/webtest"
)

// idOf is who somebody is to the API.
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

// TestPeopleAcrossInstances: who follows somebody sees him come, play and go, wherever
// he is connected.
func TestPeopleAcrossInstances(t *testing.T) {
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

// TestMyTurnAcrossInstances: the home page of somebody on one instance hears that it is
// his turn in a game that is played on another.
func TestMyTurnAcrossInstances(t *testing.T) {
	instances := startInstances(t, 2)
	ada, ben := enter(t, instances[0]), enter(t, instances[1])
	game, err := ada.person.Make(ada.ctx, url.Values{"start": {"creator"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := ben.person.Sit(ben.ctx, game); err != nil {
		t.Fatal(err)
	}
	if _, err := ben.person.Get(ben.ctx, "/"+game); err != nil { // where the form leads
		t.Fatal(err)
	}
	ben.say(`{"t":"sub","room":"lobby","quiet":true,"games":true}`)
	ada.say(fmt.Sprintf(`{"t":"sub","room":%q}`, game))
	ada.hear("snap", game)
	ben.due(1, func() {
		ada.say(fmt.Sprintf(`{"t":"cmd","room":%q,"id":"m","kind":"move","ply":0,"move":"a"}`, game))
	})
}

// due waits until the home page is told that it is somebody's turn in so many games,
// after something was done.
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

// TestWatchersAcrossInstances: who watches is named to all, wherever they are connected.
func TestWatchersAcrossInstances(t *testing.T) {
	instances := startInstances(t, 2)
	ada, ben := enter(t, instances[0]), enter(t, instances[1])
	for who, name := range map[*visitor]string{ada: "Ada", ben: "Ben"} {
		page, err := who.person.Post(who.ctx, "/account/create", url.Values{"name": {name}, "password": {"a fine long secret 7"}})
		if err != nil || page.Status != 200 {
			t.Fatalf("%d %v", page.Status, err)
		}
		conn, err := who.person.Dial(who.ctx, nil) // as who he is now
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.CloseNow() })
		who.conn = conn
	}
	room := enter(t, instances[0]).room
	for _, who := range []*visitor{ada, ben} {
		who.say(fmt.Sprintf(`{"t":"sub","room":%q}`, room))
	}
	for _, who := range []*visitor{ada, ben} {
		who.hear("note", `"who":["Ada","Ben"]`)
	}
}

// TestChangesAcrossInstances: what somebody changes by a page of one instance is seen on
// his page that is connected to another: whom he follows, whom he has blocked, and that
// he is a child no longer.
func TestChangesAcrossInstances(t *testing.T) {
	instances := startInstances(t, 2)
	ada, ben := enter(t, instances[0]), enter(t, instances[1])
	other := *ada.person // the same cookies
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
	his := idOf(t, ben.person)
	ada.say(`{"t":"sub","room":"people"}`)
	ada.hear("snap", `"room":"people"`)
	tie("follow", his)
	for !strings.Contains(ada.next(), his) {
	}

	room := enter(t, instances[0]).room
	grow(ada.person, "on")
	ada.say(fmt.Sprintf(`{"t":"sub","room":%q}`, room))
	ada.hear("snap", room)
	ben.say(fmt.Sprintf(`{"t":"sub","room":%q}`, room))
	ben.hear("snap", room)
	ben.say(fmt.Sprintf(`{"t":"chat","room":%q,"id":"c","text":"words of his own"}`, room))
	ben.hear("chat", "words of his own")
	grow(&other, "off")
	await(t, ada.ctx, func() bool {
		ada.say(fmt.Sprintf(`{"t":"unsub","room":%q}`, room))
		ada.say(fmt.Sprintf(`{"t":"sub","room":%q}`, room))
		ada.say(`{"t":"ping"}`)
		for heard := false; ; {
			frame := ada.next()
			if heard = heard || strings.Contains(frame, "words of his own"); frame == `{"t":"pong"}` {
				return heard
			}
		}
	})

	ben.say(`{"t":"cmd","room":"lobby","id":"s1","kind":"seek","key":"k","rules":"kalah","clock":"5+3"}`)
	for !strings.Contains(ada.next(), `"seek":`) { // alone, or with all that there are
	}
	tie("block", his)
	ada.hear("snap", `"seeks":[]`)
}

// next waits for the next frame.
func (v *visitor) next() string {
	v.Helper()
	_, msg, err := v.conn.Read(v.ctx)
	if err != nil {
		v.Fatal(err)
	}
	return string(msg)
}
