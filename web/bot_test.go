package web

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/web/site"
	"mancala/web/socket"
	"mancala/web/webtest"
)

// against makes a game of a new person against a bot, and opens its page.
func (s *service) against(level string, settings url.Values) (room string, p *webtest.Person, tab *webtest.Client) {
	s.Helper()
	p = s.person()
	settings.Set("bot", level)
	room, err := p.Make(s.ctx, settings)
	s.must(err)
	return room, p, s.open(p, room)
}

// The test plays whole games over sockets, with a watcher. In all kinds of
// games the bots find a move in every phase.
func TestWholeGamesAgainstBots(t *testing.T) {
	for _, tt := range []struct{ rules, options, level string }{
		{"kalah", "", "1"}, {"oware", "", "5"}, {"giuthi", "", "3"}, {"basic-four", "", "2"}, {"basic-teams", "", "4"}, {"wise", "target=1", "2"},
	} {
		t.Run(tt.rules, func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			room, _, tab := s.against(tt.level, url.Values{"rules": {tt.rules}, "options": {tt.options}})
			watcher := s.open(s.person(), room)
			s.must(tab.PlayOn(s.ctx, rand.New(rand.NewPCG(1, 0)), (*webtest.Game).Over))
			s.must(watcher.Until(s.ctx, "the end", (*webtest.Game).Over))
			tab.Look(func(g *webtest.Game) {
				if bots := len(g.Texts("seats")) - 1; !slices.ContainsFunc(g.Texts("seats"), func(id string) bool { return strings.HasPrefix(id, "bot"+tt.level) }) || bots < 1 {
					t.Errorf("seats %v", g.Texts("seats"))
				}
			})
		})
	}
}

// A bot grants each takeback at once, without a limit, and goes on playing.
func TestBotTakesBackWithoutALimit(t *testing.T) {
	s := serve(t)
	_, _, tab := s.against("3", url.Values{"start": {"creator"}})
	for range 3 {
		s.must(tab.Until(s.ctx, "my turn", func(g *webtest.Game) bool { return g.Number("turn") == 0 && g.Number("ply") == 0 }))
		s.move(tab, "a")
		s.must(tab.Until(s.ctx, "the bot's move", func(g *webtest.Game) bool { return g.Number("turn") == 0 && g.Number("ply") > 1 }))
		var ply int
		tab.Look(func(g *webtest.Game) { ply = g.Number("ply") })
		s.must(tab.Must(s.ctx, "offer", map[string]any{"what": "takeback", "ply": ply}))
	}
}

// The seat on turn in a game against bots gets the best move as a hint. Other
// players and watchers get none, and hints are limited.
func TestSeatOnTurnGetsHintsAgainstBots(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) { c.Limits[site.LimitHints] = lobby.Rate{N: 2, Per: time.Hour} })
	room, p, _ := s.against("3", url.Values{"start": {"creator"}})
	ask := func(who *webtest.Person, room string) webtest.Page {
		return s.request(who, "POST", "/api/v1/games/"+room+"/hint", "application/json", "", nil)
	}
	first := ask(p, room)
	var h struct {
		Move string
		Line []string
		Ply  int
	}
	s.must(json.Unmarshal([]byte(first.Body), &h))
	if first.Status != 200 || h.Move != "c" || h.Ply != 0 || h.Line[0] != "c" {
		t.Errorf("%d %s", first.Status, first.Body)
	}
	ask(p, room)
	if third := ask(p, room); third.Status != 429 || third.Header.Get("Retry-After") == "" || !strings.Contains(third.Body, "slow-down") {
		t.Errorf("the third: %d %s", third.Status, third.Body)
	}
	if other := ask(s.person(), room); other.Status != 401 {
		t.Errorf("a stranger: %d %s", other.Status, other.Body)
	}
	room, _ = s.game("")
	for _, who := range s.people {
		if page := ask(who, room); page.Status == 200 {
			t.Errorf("in a game of people: %d %s", page.Status, page.Body)
		}
	}
}

// A player who makes many games against bots must wait.
func TestGamesAgainstBotsAreLimited(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) {
		c.Limits[site.LimitBotGames] = lobby.Rate{N: 2, Per: time.Hour}
	})
	p := s.person()
	statuses := []int{}
	for range 3 {
		page := s.request(p, "POST", "/new", formType, "bot=1", nil)
		statuses = append(statuses, page.Status)
	}
	if !slices.Equal(statuses, []int{200, 200, 429}) && !slices.Equal(statuses, []int{303, 303, 429}) {
		t.Errorf("statuses %v", statuses)
	}
	for _, form := range []string{"bot=0", "bot=9", "bot=-1", "bot=x", "bot=1&rules=chess", "bot=1&rated=true&clock=5%2B3", "bot=1&forOthers=true", "bot=1&start=youngest", "bot=99999999999999999999"} {
		if page := s.request(s.person(), "POST", "/new", formType, form, nil); page.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", form, page.Status)
		}
	}
}

// The page shows each level with its name, picture, style and strength. In kids
// mode the bots are animals without ratings.
func TestPageOfBotsShowsEachLevel(t *testing.T) {
	s := serve(t)
	p := s.person()
	page, err := p.Get(s.ctx, "/bot?rules=oware&level=5")
	s.must(err)
	for _, want := range []string{`value="8"`, "Pip", "Sankofa", "Rating about 500", "Plans a few moves ahead", `value="5" data-level="5" aria-describedby="style-5" checked`} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if !regexp.MustCompile(`value="oware"[^>]* checked`).MatchString(page.Body) {
		t.Error("the game that the link names is not chosen")
	}
	if n := strings.Count(page.Body, `<span class="face"><svg`); n != 8 {
		t.Errorf("%d pictures", n)
	}
	if page, err = p.Post(s.ctx, "/settings", url.Values{"kids": {"on"}}); err != nil || page.Status >= 400 {
		t.Fatal(page.Status, err)
	}
	page, err = p.Get(s.ctx, "/bot?level=0%27")
	s.must(err)
	if !strings.Contains(page.Body, "Pip the mouse") || strings.Contains(page.Body, "about 500") {
		t.Error("no animals, or they are rated")
	}
}

// A bot has no profile. It cannot be followed, blocked or challenged.
func TestBotsHaveNoProfile(t *testing.T) {
	s := serve(t)
	_, p, _ := s.against("1", url.Values{})
	for path, form := range map[string]url.Values{
		"/people":    {"do": {"follow"}, "player": {"bot1"}},
		"/challenge": {"to": {"bot1"}},
		"/report":    {"player": {"bot1"}, "reason": {"rude"}},
	} {
		page, err := p.Post(s.ctx, path, form)
		s.must(err)
		if page.Status < 400 {
			t.Errorf("%s: %d", path, page.Status)
		}
	}
	for _, path := range []string{"/people/bot1", "/@/Pip"} {
		if page, _ := p.Get(s.ctx, path); page.Status != 404 {
			t.Errorf("%s: %d", path, page.Status)
		}
	}
}
