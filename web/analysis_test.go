package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"mancala/lobby"
	"mancala/web/site"
	"mancala/web/socket"
	"mancala/web/webtest"
)

// over plays a game to its end, and returns its ID and the players' tabs.
func (s *service) over(settings string) (string, []*webtest.Client) {
	s.Helper()
	id, tabs := s.game(settings)
	s.playOut(tabs)
	return id, tabs
}

// analysed asks for the analysis of a game with the form of its page, and waits
// for it.
func (s *service) analysed(who *webtest.Person, id string) string {
	s.Helper()
	if page := s.post(who, "/"+id+"/analysis", ""); page.Status != http.StatusSeeOther {
		s.Fatalf("asked for: %d\n%.600s", page.Status, page.Body)
	}
	var body string
	s.eventually("the analysis", func() bool {
		body = s.page(who, "/"+id+"/analysis", http.StatusOK)
		return strings.Contains(body, `id="asking" aria-labelledby="asking-heading" hidden`)
	})
	return body
}

// Without script, a form starts the analysis of a finished game. The result is
// a table, sentences and a record to download.
func TestGameIsAnalysedWithoutScript(t *testing.T) {
	s := serve(t)
	id, _ := s.over("rules=kalah&options=pits=3 seeds=2")
	who := s.person()
	s.holds("before anybody asked", s.page(who, "/"+id+"/analysis", http.StatusOK), `action="/`+id+`/analysis"`, "Show analysis", `name="pit"`)
	s.page(who, "/"+id+"/annotated", http.StatusNotFound)
	body := s.analysed(who, id)
	s.holds("the analysis", body, "<th scope=\"col\">Cost</th>", " to look at.", `/annotated"`)
	if !regexp.MustCompile(`aria-label="Move \d+, [^"]+ [1-3]\. (Cost \d+ seeds?\. Better: [1-3]|Fine|The only move)\."`).MatchString(body) {
		t.Errorf("there is no sentence about a move:\n%.3000s", body)
	}
	s.holds("the text", s.page(who, "/"+id+"/annotated", http.StatusOK), `[Rules "kalah"]`, "{at first ")
}

// After an analysis, the page of a game has the worth of each position. In a
// game for four, the worths are from the view of each seat.
func TestPageHasTheWorthOfEachPosition(t *testing.T) {
	s := serve(t)
	id, _ := s.over("rules=basic-four&options=pits=3 seeds=2&start=creator")
	who := s.person()
	if strings.Contains(s.page(who, "/"+id, http.StatusOK), `id="worths"`) {
		t.Error("an analysis is shown that was not requested")
	}
	s.analysed(who, id)
	_, text, _ := strings.Cut(s.page(who, "/"+id, http.StatusOK), `id="worths">`)
	var worths [][][2]float64
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&worths); err != nil || len(worths) != 1 || len(worths[0]) < 4 {
		t.Fatalf("%v, %v in %.200s", worths, err, text)
	}
	seats := map[float64]bool{}
	for _, w := range worths[0] {
		seats[w[0]] = true
	}
	if len(seats) != 4 {
		t.Errorf("seen by %d seats", len(seats))
	}
}

// The rounds of a match are analysed one by one, including lay-outs.
func TestRoundsOfAMatchAreAnalysedOneByOne(t *testing.T) {
	s := serve(t)
	id, tabs := s.game("rules=wise&start=creator")
	s.must(tabs[0].Must(s.ctx, "move", map[string]any{"ply": 0, "move": "=0.9.10.8.9.0/0.10.9.9.8.0"}))
	s.must(tabs[1].Until(s.ctx, "the lay-out", func(g *webtest.Game) bool { return g.Number("ply") == 1 }))
	s.must(tabs[1].Must(s.ctx, "move", map[string]any{"ply": 1, "move": "keep"}))
	s.must(tabs[0].Must(s.ctx, "resign", map[string]any{"what": "match"}))
	s.must(tabs[1].Until(s.ctx, "the end", func(g *webtest.Game) bool { return g.Over() }))
	s.holds("the analysis", s.analysed(s.person(), id), "lay-out", "keep")
}

// A game in progress is not analysed. A player who asks too often must wait.
func TestGameInProgressIsNotAnalysed(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) { c.Limits[site.LimitAnalyses] = lobby.Rate{N: 1, Per: 1 << 40} })
	id, tabs := s.game("rules=kalah&options=pits=3 seeds=2")
	who := s.person()
	s.holds("a game that goes on", s.page(who, "/"+id+"/analysis", http.StatusConflict), "still being played", `href="/`+id+`"`)
	if page := s.post(who, "/"+id+"/analysis", ""); page.Status != http.StatusConflict {
		t.Errorf("asked for while it goes on: %d", page.Status)
	}
	s.playOut(tabs)
	if page := s.post(who, "/"+id+"/analysis", ""); page.Status != http.StatusTooManyRequests {
		t.Errorf("asked for twice: %d", page.Status)
	}
	s.page(who, "/nosuchgam0/analysis", http.StatusNotFound)
	s.analysed(s.person(), id)
	s.page(who, "/"+id+"/analysis", http.StatusOK) // a finished analysis is public
}

// The page shows a position that the visitor has set up, and the worth of its
// moves.
func TestPositionOfAVisitorIsAnalysed(t *testing.T) {
	s := serve(t)
	id, _ := s.over("rules=kalah")
	set := func(pits, stores, seat string) string {
		q := url.Values{"pit": strings.Fields(pits), "store": strings.Fields(stores), "seat": {seat}}
		return s.page(s.person(), "/"+id+"/analysis?"+q.Encode(), http.StatusOK)
	}
	s.holds("a position", set("0 0 4 0 0 1 0 0 4 0 3 0", "18 18", "0"), "to move: 0 seeds.", `<th scope="row">3</th><td>0</td>`, `data-pit="2" data-owner="0" data-count="4"`)
	for name, body := range map[string]string{
		"too many seeds": set("250 250 0 0 0 0 0 0 0 0 0 0", "0 0", "0"),
		"too few pits":   set("1 2", "0 0", "0"),
		"no number":      set("x 0 4 0 0 1 0 0 4 0 3 0", "18 18", "0"),
		"no seat":        set("0 0 4 0 0 1 0 0 4 0 3 0", "18 18", "7"),
		"nothing":        set("", "", ""),
	} {
		if name != "nothing" && !strings.Contains(body, "This position is not possible.") {
			t.Errorf("%s: it is not said that this is no position", name)
		}
	}
}
