package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mancala/web/site"
	"mancala/web/webtest"
)

// atHome opens the socket of the home page for a person with an identity.
func (s *service) atHome(who *webtest.Person) *talk {
	s.Helper()
	c := s.talk(s.bare(who, nil))
	c.say(`{"t":"sub","room":"lobby","quiet":true,"games":true}`)
	c.hear("snap")
	return c
}

// mineUntil waits for changes of the list of games until right reports true for
// it.
func (c *talk) mineUntil(who *webtest.Person, what string, right func(page string) bool) {
	c.Helper()
	for {
		c.hear("games")
		page, err := who.Get(c.ctx, "/mine")
		c.must(err)
		if right(page.Body) {
			return
		}
		c.Logf("waiting for %s", what)
	}
}

// An open home page is told when a game begins, when the turn becomes its
// player's, when it stops being theirs, and when the game is over. Other pages
// of the player are not told.
func TestHomePageIsToldOfChangesOfItsGames(t *testing.T) {
	s := serve(t)
	ada := s.guest()
	home := s.atHome(ada)
	other := s.talk(s.bare(ada, nil))
	other.say(`{"t":"sub","room":"lobby","quiet":true}`)
	other.hear("snap")
	id, err := s.guest().Make(s.ctx, map[string][]string{"start": {"creator"}})
	s.must(err)
	ben := s.people[len(s.people)-1]
	s.must(ada.Sit(s.ctx, id))
	_, err = ada.Get(s.ctx, "/"+id) // the form leads here
	s.must(err)
	bens := s.open(ben, id)
	home.mineUntil(ada, "the game", func(page string) bool {
		return strings.Contains(page, `data-game="`+id+`"`) && strings.Contains(page, `data-due="0"`)
	})
	s.move(bens, "a")
	home.mineUntil(ada, "Ada's turn", func(page string) bool {
		return strings.Contains(page, `data-due="1"`) && strings.Contains(page, "your turn")
	})
	s.must(bens.Must(s.ctx, "resign", nil))
	home.mineUntil(ada, "the end", func(page string) bool {
		return strings.Contains(page, `data-due="0"`) && strings.Contains(page, `<p class="resume" id="resume" hidden>`)
	})
	other.say(`{"t":"ping"}`)
	if f := other.hear("games", "pong"); f.T != "pong" {
		t.Errorf("a page without games is told %s", f.Raw)
	}
	s.must(home.conn.CloseNow())
	s.eventually("the page to be forgotten", func() bool { return len(s.Gamelist.Pages.Shown()) == 0 })
	if page := s.plain("/mine", nil); page.Status != http.StatusNoContent || page.Body != "" {
		t.Errorf("a stranger's games: %d", page.Status)
	}
	for name, value := range map[string]string{"Sec-Fetch-Dest": "document", "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"} {
		if page := s.plain("/mine", map[string]string{name: value}); page.Status != http.StatusSeeOther || page.Header.Get("Location") != "/" {
			t.Errorf("the list as a document, by %s: %d %q", name, page.Status, page.Header.Get("Location"))
		}
	}
}

// However many games are in progress, the games in which the player is on turn
// come first.
func TestGamesOnTurnComeFirst(t *testing.T) {
	s := serve(t)
	ada, ben := s.guest(), s.guest()
	var first string
	for i := range 9 {
		id, err := ada.Make(s.ctx, map[string][]string{"start": {map[bool]string{true: "creator", false: "friend"}[i == 0]}})
		s.must(err)
		s.must(ben.Sit(s.ctx, id))
		_, err = ben.Get(s.ctx, "/"+id) // the form leads here
		s.must(err)
		if i == 0 {
			first = id
			s.Gamelist.Flush() // games that are written together are as old as each other
		}
	}
	s.eventually("Ada's oldest game in front", func() bool {
		page, err := ada.Get(s.ctx, "/mine")
		s.must(err)
		_, list, _ := strings.Cut(page.Body, `<ul class="games">`)
		return strings.Count(list, "data-game=") == 9 && strings.HasPrefix(strings.TrimSpace(list), `<li><a href="/`+first)
	})
}

// The list has the name of a game that waits for players when its creator has changed its rules: on a page, and by
// the API without one.
func TestListNamesTheRulesToWhichAGameHasChanged(t *testing.T) {
	s := serve(t)
	ada := s.guest()
	id, err := ada.Make(s.ctx, nil)
	s.must(err)
	s.page(ada, "/"+id, http.StatusOK) // the form leads here
	lists := func(game string) {
		t.Helper()
		s.eventually(game+" in the list", func() bool {
			return strings.Contains(s.page(ada, "/mine", http.StatusOK), `href="/`+id+`" data-game="`+id+`">`+game)
		})
	}
	lists("Kalah")
	s.plays(ada, id, `{"id":"s1","kind":"settings","rules":"oware"}`)
	lists("Oware")
	tab := s.open(ada, id)
	s.Gamelist.Flush() // the page has listed the game as it was opened
	s.must(tab.Must(s.ctx, "settings", map[string]any{"rules": "giuthi"}))
	lists("Giuthi")
}

// The list asks a game for its turn only after the game has changed, not for
// each view of the list.
func TestListAsksOnlyChangedGamesForTheirTurn(t *testing.T) {
	s := serve(t)
	ada, ben := s.guest(), s.guest()
	id, err := ada.Make(s.ctx, map[string][]string{"start": {"creator"}})
	s.must(err)
	s.must(ben.Sit(s.ctx, id))
	s.page(ben, "/"+id, http.StatusOK) // the form leads here
	due := func(who *webtest.Person) bool {
		return strings.Contains(s.page(who, "/mine", http.StatusOK), `data-due="1"`)
	}
	s.eventually("Ada's turn", func() bool { return due(ada) })
	if due(ben) {
		t.Error("it is Ben's turn as well")
	}
	seqs, err := s.rooms.Seqs(s.ctx, []string{id})
	s.must(err)
	s.Gamelist.LearnTurn(id, seqs[id], "another player")
	if due(ada) {
		t.Error("the game was asked again although nothing has happened")
	}
	s.move(s.open(ada, id), "a")
	if !due(ben) || due(ada) {
		t.Errorf("after Ada's move it is Ben's turn: %t, Ada's: %t", due(ben), due(ada))
	}
}

// A player can have more games than a list shows, and can find all of them. The
// games in which they are on turn come first. The rest are on their own profile
// and in the API.
func TestAllOfManyGamesCanBeFound(t *testing.T) {
	s := serve(t)
	ada, ben := s.guest(), s.guest()
	const games = site.GamesListed + 3
	var first string
	for i := range games {
		id, err := ada.Make(s.ctx, map[string][]string{"start": {map[bool]string{true: "creator", false: "friend"}[i == 0]}})
		s.must(err)
		s.must(ben.Sit(s.ctx, id))
		s.page(ben, "/"+id, http.StatusOK) // the form leads here
		if i == 0 {
			first = id
			s.Gamelist.Flush() // games that are written together are as old as each other
		}
	}
	s.eventually("Ada's oldest game in front, of as many as are listed", func() bool {
		_, list, _ := strings.Cut(s.page(ada, "/mine", http.StatusOK), `<ul class="games">`)
		return strings.Count(list, "data-game=") == site.GamesListed && strings.HasPrefix(strings.TrimSpace(list), `<li><a href="/`+first)
	})
	found := func(page string) (ids []string) {
		_, page, _ = strings.Cut(page, `id="open"`)
		for _, m := range regexp.MustCompile(`data-game="(\w+)"`).FindAllStringSubmatch(page, -1) {
			ids = append(ids, m[1])
		}
		return ids
	}
	me, err := ada.Get(s.ctx, "/me")
	s.must(err)
	own := me.Header.Get("Location")
	s.eventually("all of them on two pages of Ada's profile", func() bool {
		page := s.page(ada, own, http.StatusOK)
		rest := regexp.MustCompile(`\?open=[\w-]+`).FindString(page)
		all := append(found(page), found(s.page(ada, own+rest, http.StatusOK))...)
		slices.Sort(all)
		return rest != "" && len(slices.Compact(all)) == games && slices.Contains(all, first)
	})
	s.page(ada, own+"?open=9-<b>", http.StatusOK)

	type listed []struct {
		Room    string
		Updated int64
	}
	s.eventually("all of them in two answers of the API", func() bool {
		var latest, others listed
		s.must(json.Unmarshal([]byte(s.page(ada, "/api/v1/me/games", http.StatusOK)), &latest))
		last := latest[len(latest)-1]
		s.must(json.Unmarshal([]byte(s.page(ada, fmt.Sprintf("/api/v1/me/games?before=%d-%s", last.Updated, last.Room), http.StatusOK)), &others))
		return len(latest) == site.GamesListed && len(others) == games-site.GamesListed && others[len(others)-1].Room == first
	})
	s.page(ada, "/api/v1/me/games?before=soon", http.StatusBadRequest)
}

func TestGameOfAProgramIsListedWhileNoPageShowsIt(t *testing.T) {
	s := serve(t)
	ada := s.guest()
	for name, body := range map[string]string{
		"against the computer": `{"rules":"kalah","clock":"5+3","start":"creator","bot":1}`,
		"waiting for a player": `{"rules":"kalah","clock":"5+3"}`,
	} {
		made := s.request(ada, http.MethodPost, "/api/v1/games", "application/json", body, nil)
		var game struct{ Room string }
		s.must(json.Unmarshal([]byte(made.Body), &game))
		s.eventually("the game "+name+" in the list", func() bool {
			return game.Room != "" && strings.Contains(s.page(ada, "/api/v1/me/games", http.StatusOK), `"`+game.Room+`"`)
		})
	}
}

// Changes that could not be written to the players' lists are written as soon
// as the database works again.
func TestListOfGamesCatchesUpAfterFailedWrites(t *testing.T) {
	s := serve(t)
	ada := s.guest()
	home := s.atHome(ada)
	id, err := ada.Make(s.ctx, nil)
	s.must(err)
	s.tables.away.Store(true)
	page, err := ada.Get(s.ctx, "/"+id)
	if err != nil || page.Status != http.StatusOK {
		t.Fatalf("the game's page meanwhile: %d %v", page.Status, err)
	}
	s.Gamelist.Flush() // Flush does not wait for failing writes
	page, err = ada.Get(s.ctx, "/mine")
	s.must(err)
	if strings.Contains(page.Body, id) {
		t.Fatal("the list is written although nothing can be")
	}
	s.tables.away.Store(false)
	home.mineUntil(ada, "the game", func(page string) bool { return strings.Contains(page, `data-game="`+id+`"`) })
}
