package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"mancala/web/webtest"
)

// looks returns every view of a game that is open to a person without a seat.
func (s *service) looks(id string) map[string]string {
	s.Helper()
	shown := map[string]string{}
	for _, path := range []string{"/" + id, "/embed/" + id, "/api/v1/games/" + id, "/api/v1/games/" + id + "/replay", "/" + id + "/record", "/" + id + "/analysis", "/" + id + "/game.gif", "/api/v1/games/" + id + "/analysis",
		"/oembed?maxwidth=1200&maxheight=630&url=" + s.base + "/" + id} {
		shown[path] = timeless(s.plain(path, nil).Body)
	}
	shown["picture"] = s.plain("/"+id+"/og.png", nil).Header.Get("ETag")
	return shown
}

// timeless removes the time of the request from a body.
func timeless(body string) string {
	before, after, ok := strings.Cut(body, `"now":`)
	if !ok {
		return body
	}
	return before + strings.TrimLeft(after, "0123456789")
}

// A watcher of a game with a delay sees nothing of the present in any view. A
// player sees the present at once.
func TestDelayHidesThePresent(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah&delay=60")
	fan := s.person()
	_, err := fan.Make(s.ctx, nil) // gives the fan a name
	s.must(err)
	watcher := s.open(fan, id)
	before := s.looks(id)
	s.move(seats[0], "a")
	s.must(seats[1].Until(s.ctx, "the move", func(g *webtest.Game) bool { return g.Number("ply") == 1 }))
	s.must(seats[1].Must(s.ctx, "resign", nil))
	s.must(seats[0].Until(s.ctx, "the end", func(g *webtest.Game) bool { return g.Over() }))

	for what, now := range s.looks(id) {
		if now != before[what] {
			t.Errorf("%s shows the present:\n%.2000s\nbefore:\n%.2000s", what, now, before[what])
		}
	}
	for name, tab := range map[string]*webtest.Client{"who watched": watcher, "who comes": s.open(s.person(), id)} {
		tab.Send(s.ctx, fmt.Sprintf(`{"t":"ask","room":%q,"id":"q1","what":"legal"}`, id))
		f, err := tab.Expect(s.ctx, "an answer", func(f webtest.Frame) bool { return f.T == "legal" })
		s.must(err)
		if !strings.Contains(f.Raw, `"m":"a"`) {
			t.Errorf("%s is told the moves of another position: %s", name, f.Raw)
		}
		tab.Look(func(g *webtest.Game) {
			if g.Number("ply") != 0 || g.Over() {
				t.Errorf("%s sees ply %d, over %v", name, g.Number("ply"), g.Over())
			}
		})
	}
	for kind, fields := range map[string]map[string]any{"move": {"ply": 1, "move": "a"}, "resign": nil, "next": nil, "offer": {"what": "rematch"}} {
		s.refused(watcher, "not-playing", kind, fields)
	}

	player := s.people[0]
	for _, path := range []string{"/" + id, "/api/v1/games/" + id} {
		page, err := player.Get(s.ctx, path)
		s.must(err)
		if !strings.Contains(page.Body, `"reason":"resign"`) {
			t.Errorf("%s does not show a player the end", path)
		}
	}
	record, err := player.Get(s.ctx, "/"+id+"/record")
	s.must(err)
	if !strings.Contains(record.Body, "resign") {
		t.Errorf("a player's record is\n%s", record.Body)
	}
}

// Everybody can read profiles, leaderboards and ratings. So they show the end
// of a game only when its watchers see it.
func TestDelayHidesTheResult(t *testing.T) {
	s := serve(t)
	ada, ben := s.member("Ada"), s.member("Ben")
	id, err := ada.Make(s.ctx, url.Values{"rated": {"true"}, "clock": {"5+3"}, "start": {"creator"}, "delay": {"10"}})
	s.must(err)
	s.must(ben.Sit(s.ctx, id))
	tabs := s.bySeat([]*webtest.Client{s.open(ada, id), s.open(ben, id)})
	public := func() string {
		t.Helper()
		s.Gamelist.Changed(id)
		s.Gamelist.Flush()
		all := ""
		for _, path := range []string{"/@/Ada", "/api/v1/players/Ada", "/api/v1/players/Ada/games", "/api/v1/players/Ben/games"} {
			all += path + "\n" + s.plain(path, nil).Body
		}
		return all
	}
	before := public()
	s.resigned(tabs)
	if after := public(); after != before {
		t.Errorf("the public can read\n%s\nbefore:\n%s", after, before)
	}
	page, err := ada.Get(s.ctx, "/"+id) // Ada's own page shows the end, and records that the game exists
	s.must(err)
	if !strings.Contains(page.Body, `"reason":"resign"`) {
		t.Error("Ada's page does not show the end")
	}
	if after := public(); after != before {
		t.Errorf("once Ada has looked, the public can read\n%s\nbefore:\n%s", after, before)
	}
	s.changes(tabs[0])
	if after := public(); after == before {
		t.Error("the result is never told")
	}
}

// A delay must be one of the offered values, and is agreed before the game.
func TestDelayIsChecked(t *testing.T) {
	s := serve(t)
	for _, delay := range []string{"5", "-10", "3600", "x"} {
		page, err := s.person().Post(s.ctx, "/new", map[string][]string{"delay": {delay}})
		s.must(err)
		if page.Status != http.StatusUnprocessableEntity {
			t.Errorf("a delay of %s: %d", delay, page.Status)
		}
	}
	id, seats := s.game("rules=kalah")
	s.refused(seats[0], "not-waiting", "settings", map[string]any{"delay": 60})
	var answer struct {
		Snap map[string]any `json:"snap"`
	}
	s.must(json.Unmarshal([]byte(s.plain("/api/v1/games/"+id, nil).Body), &answer))
	if _, there := answer.Snap["delay"]; there {
		t.Error("a game without a delay speaks of one")
	}
}
