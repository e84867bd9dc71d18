package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"mancala/lobby/rating"
	"mancala/lobby/showcase"
	"mancala/match"
	"mancala/web/webtest"
)

// on waits until a page lists a game, or no longer lists it, and returns the
// page.
func (s *service) on(path, id string, want bool) string {
	s.Helper()
	var body string
	s.eventually(fmt.Sprintf("%s on %s: %v", id, path, want), func() bool {
		body = s.plain(path, nil).Body
		return strings.Contains(body, `data-game="`+id+`"`) == want
	})
	return body
}

// look opens the game's page as its first player. That adds the game to the
// lists.
func (s *service) look(id string) {
	s.Helper()
	_, err := s.people[0].Get(s.ctx, "/"+id)
	s.must(err)
}

// Everybody can watch a listed game, also without script. A game between
// friends is not shown.
func TestListedGamesAreWatchedWithoutScript(t *testing.T) {
	s := serve(t)
	friends, _ := s.game("rules=kalah")
	id, seats := s.game("rules=oware&clock=5+3&listed=true")
	s.move(seats[0], "a")
	body := s.on("/watch", id, true)
	if strings.Contains(body, friends) {
		t.Error("a game between friends is shown to all")
	}
	for _, want := range []string{`<a href="/` + id + `">`, "<b>Oware</b>", "5&#43;3", `data-at="11"`, `data-score="1"`} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	s.on("/watch?game=oware", id, true)
	s.on("/watch?game=kalah", id, false)
	s.on("/watch?game=%3Cscript%3E", id, true)
	s.on("/", id, true)
	s.eventually("a move that is counted", func() bool { return strings.Contains(s.plain("/"+id+"/card", nil).Body, ">1 move<") })
	for path, want := range map[string]int{"/zzzzzzzzz9/card": http.StatusNotFound, "/" + id + "/card": http.StatusOK} {
		if got := s.plain(path, nil).Status; got != want {
			t.Errorf("%s: %d, want %d", path, got, want)
		}
	}
	s.must(seats[1].Must(s.ctx, "resign", nil))
	s.on("/watch", id, false)
}

func TestCardOfALiveGameNamesThePlayerOnTurnAndHasClocks(t *testing.T) {
	s := serve(t)
	if body := s.plain("/watch", nil).Body; !strings.Contains(body, `action="/new"`) || !strings.Contains(body, `href="/bot"`) {
		t.Error("an empty page does not lead to a game")
	}
	id, seats := s.game("rules=oware&listed=true&clock=5%2B3")
	turn := func(ply int) (row string) {
		s.eventually(fmt.Sprintf("a card after %d plies", ply), func() bool {
			body := s.plain("/"+id+"/card", nil).Body
			if ply > 0 && !strings.Contains(body, fmt.Sprintf(">%d move<", ply)) || strings.Count(body, "data-turn") != 1 || strings.Count(body, "data-time=") != 2 {
				return false
			}
			_, row, _ = strings.Cut(body, "data-turn")
			row, _, _ = strings.Cut(row, "</b>")
			return true
		})
		return row
	}
	if row := turn(0); !strings.Contains(row, `data-score="0"`) {
		t.Errorf("at first the player on turn is %s", row)
	}
	s.move(seats[0], "a")
	if row := turn(1); !strings.Contains(row, `data-score="1"`) {
		t.Errorf("then the player on turn is %s", row)
	}
}

// The numbers on a card are the scores, or the seeds in hand.
func TestCardNamesSeedsInHand(t *testing.T) {
	s := serve(t)
	for rules, want := range map[string]int{"bao": 2, "oware": 0} {
		id, _ := s.game("rules=" + rules + "&listed=true")
		s.eventually("a card of "+rules, func() bool {
			body := s.plain("/"+id+"/card", nil).Body
			return strings.Contains(body, "data-score") && strings.Count(body, "In hand") == want
		})
	}
}

// When there is no public game, the page shows a good game of the last days.
func TestWatchPageReplaysAGoodGame(t *testing.T) {
	s := serve(t)
	if body := s.plain("/watch", nil).Body; !strings.Contains(body, "Nobody is playing in public right now. Start a game") {
		t.Error("an empty page says nothing")
	}
	id, seats := s.game("rules=oware&listed=true")
	for _, move := range []string{"a", "b", "c", "d"} {
		s.move(seats[0], move)
		s.move(seats[1], move)
	}
	s.must(seats[1].Must(s.ctx, "resign", nil))
	s.eventually("a replay", func() bool {
		return regexp.MustCompile(`data-game="` + id + `" data-over`).MatchString(s.plain("/watch", nil).Body)
	})
}

// The page shows a game with a delay as late as its watchers see it.
func TestWatchPageIsAsLateAsTheGame(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah&delay=60&listed=true")
	before := s.on("/watch", id, true)
	board := regexp.MustCompile(`(?s)<li class="showing" data-game="` + id + `".*?</li>`)
	s.move(seats[0], "a")
	s.must(seats[1].Must(s.ctx, "resign", nil))
	s.look(id)
	if card := s.plain("/"+id+"/card", nil).Body; strings.TrimSpace(card) != board.FindString(before) {
		t.Errorf("the card shows the present: %s", card)
	}
	if body := s.on("/watch", id, true); board.FindString(body) != board.FindString(before) {
		t.Errorf("the page shows the present")
	}
	if list := s.plain("/api/v1/games?live", nil).Body; !strings.Contains(list, `"ply":0`) || !strings.Contains(list, `"delay":60`) {
		t.Errorf("the list says %s", list)
	}
}

// A glance shows a player the board as others see it. It does not count as a
// watcher, does not take the game over from the tab that plays, and gives no
// commands.
func TestGlanceTakesNoSeatAndCountsAsNoWatcher(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah&listed=true")
	other, _ := s.game("rules=oware&listed=true")
	glance := s.talk(s.bare(s.people[0], nil))
	for _, room := range []string{id, other} {
		glance.say(`{"t":"sub","room":%q,"glance":true}`, room)
		if f := glance.hear("snap"); !strings.Contains(f.Raw, `"as":-1`) {
			t.Errorf("a player glances as %s", f.Raw)
		}
		glance.hear("sync")
	}
	for _, msg := range []string{`{"t":"cmd","room":%q,"id":"c1","kind":"resign"}`, `{"t":"chat","room":%q,"id":"c2","preset":"hello"}`, `{"t":"ask","room":%q,"what":"legal"}`} {
		glance.say(msg, id)
		glance.refused("not-following")
	}
	s.move(seats[0], "a")
	if f := glance.hear("ev"); strings.Contains(f.Raw, `"you"`) {
		t.Errorf("a glance is told %s", f.Raw)
	}
	for _, f := range seats[0].Frames() {
		if f.T == "note" && f.Kind != "presence" {
			t.Errorf("a glance has led to %s", f.Raw)
		}
	}
	seq, watching, _ := s.live.Progress(id)
	if watching != 0 || seq == 0 {
		t.Errorf("%d watch as of %d", watching, seq)
	}
}

// The showcase is updated with the plies of a game and its number of watchers,
// a few seconds later.
func TestShowcaseFollowsItsGame(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=oware&listed=true")
	s.on("/watch", id, true)
	fan := s.open(s.person(), id)
	s.move(seats[0], "a")
	var list struct {
		Games []struct{ Ply, Watchers int }
	}
	defer func() { t.Logf("the list says %+v", list) }()
	s.eventually("a count of moves and watchers", func() bool {
		s.must(json.Unmarshal([]byte(s.plain("/api/v1/games?live", nil).Body), &list))
		return len(list.Games) == 1 && list.Games[0].Ply == 1 && list.Games[0].Watchers == 1
	})
	s.must(fan.Until(s.ctx, "the move", func(g *webtest.Game) bool { return g.Number("ply") == 1 }))
}

// Among games with the same number of watchers, the games of the strongest
// players come first. An uncertain rating does not count as strong.
func TestStrongestPlayersComeFirst(t *testing.T) {
	s := serve(t)
	ada, ben := s.member("Ada"), s.member("Ben")
	id, _ := s.rated(ada, ben)
	view, err := s.rooms.View(s.ctx, id, "")
	s.must(err)
	g, err := match.ReadPublic(id, view.Snapshot)
	s.must(err)
	game := showcase.Game{System: g.Rules, Clock: g.ClockText, Seats: g.Seats}
	count := func(i int) {
		t.Helper()
		_, err := s.Ratings.Count(s.ctx, rating.Game{Room: fmt.Sprint("past", i), System: g.Rules, Speed: match.SpeedOf(g.ClockText), Players: [2]string(g.Seats), Score: 0.5})
		s.must(err)
	}
	count(0)
	if got := s.Shows.Strength(s.ctx, &game); got != 0 {
		t.Errorf("after one game they are %d strong", got)
	}
	for i := range 30 {
		count(i + 1)
	}
	if got := s.Shows.Strength(s.ctx, &game); got != 1500 {
		t.Errorf("after many draws they are %d strong, want 1500", got)
	}
	game.Clock = "none"
	if got := s.Shows.Strength(s.ctx, &game); got != 0 {
		t.Errorf("without a clock there are no ratings, and they are %d strong", got)
	}
}
