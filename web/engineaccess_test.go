package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"mancala/lobby/policy"
	"mancala/web/webtest"
)

// asksEngine asks for the worth of a position, a hint and an analysis, and returns which
// of them were refused because of a rated game.
func (s *service) asksEngine(who *webtest.Person, botGame, finished string) string {
	s.Helper()
	var refused []string
	for _, ask := range [][2]string{ // an analysis first: it gives a stranger a cookie
		{"/api/v1/games/" + finished + "/analysis", "{}"}, {"/api/v1/games/" + botGame + "/hint", "{}"}, {"/api/v1/positions", `{"rules":"kalah","worth":true}`},
	} {
		page := s.request(who, "POST", ask[0], "application/json", ask[1], nil)
		if strings.Contains(page.Body, string(policy.CodeRatedGame)) {
			if page.Status != http.StatusUnprocessableEntity {
				s.Errorf("%s: %d", ask[0], page.Status)
			}
			refused = append(refused, ask[0])
		}
	}
	if n := len(refused); n != 0 && n != 3 {
		s.Errorf("only %v was refused", refused)
	}
	return fmt.Sprint(len(refused))
}

// The players of a rated game get no help from an engine until it is over: neither with
// their accounts nor, signed out, in the same browser. Others do.
func TestEngineIsNotServedToPlayersOfARatedGame(t *testing.T) {
	s := serve(t)
	ada, ben, cleo := s.person(), s.person(), s.member("Cleo")
	s.account(ada, "Ada")
	s.account(ben, "Ben")
	finished, tabs := s.game("rules=kalah")
	s.move(tabs[0], "a")
	s.must(tabs[1].Must(s.ctx, "resign", nil))
	botGame, err := cleo.Make(s.ctx, url.Values{"bot": {"1"}, "start": {"creator"}})
	s.must(err)
	expect := func(when string, want map[*webtest.Person]string) {
		t.Helper()
		for who, n := range want {
			if got := s.asksEngine(who, botGame, finished); got != n {
				t.Errorf("%s: %s is refused %s of 3, want %s", when, s.me(who), got, n)
			}
		}
	}
	expect("before the game", map[*webtest.Person]string{ada: "0", ben: "0", cleo: "0"})
	_, seats := s.rated(ada, ben)
	s.move(seats[0], "a")
	expect("during the game", map[*webtest.Person]string{ada: "3", ben: "3", cleo: "0"})
	s.post(ben, "/account/sign-out", "")
	if strings.Contains(s.me(ben), "Ben") {
		t.Fatal("Ben is still signed in")
	}
	expect("signed out in the same browser", map[*webtest.Person]string{ben: "3", cleo: "0"})
	s.must(seats[0].Must(s.ctx, "resign", nil)) // Ada's: Ben's page is closed
	expect("after the game", map[*webtest.Person]string{ada: "0", ben: "0", cleo: "0"})
}

// The operators' list of pairs shows names and figures, also when there is nothing to show.
func TestOperatorsSeePairsThatLookArranged(t *testing.T) {
	s := serve(t)
	o := s.operator()
	if w := o.get("/moderation/pairs"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "No pair looks like that.") {
		t.Errorf("without games: %d\n%.600s", w.Code, w.Body)
	}
	ada, ben := s.member("Ada"), s.member("Ben")
	for range 10 {
		_, seats := s.rated(ada, ben)
		s.resigned(seats)
		s.changes(seats[0])
	}
	w := o.get("/moderation/pairs")
	s.holds("the list", w.Body.String(), `<bdi>Ada</bdi></th><td><bdi>Ben</bdi></td>`, `<td class="n">10</td><td class="n">10.0</td>`)
}
