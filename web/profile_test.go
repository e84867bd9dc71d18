package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/rating"
	"mancala/web/webtest"
)

// past stores n finished games between two players and counts them. The first
// player wins all games except the last, which is a draw.
func (s *service) past(n int, a, b string) {
	s.Helper()
	ada, err := s.People.Named(s.ctx, a)
	s.must(err)
	ben, err := s.People.Named(s.ctx, b)
	s.must(err)
	for i := range n {
		g := lobby.Game{
			Room: lobby.NewRoomID(), Title: "Kalah", System: "kalah", State: "over", Ended: true, Rated: i%2 == 0, Listed: true, Won: []int{0},
			Updated: time.UnixMilli(int64(1_000_000 * (i + 1))), In: []lobby.Part{{Player: ada.ID, Seat: 0}, {Player: ben.ID, Seat: 1}},
		}
		score := 1.0
		if i == n-1 {
			g.Won, g.Shared, score = []int{0, 1}, true, 0.5
		}
		s.must(s.Games.Put(s.ctx, g))
		_, err := s.Ratings.Count(s.ctx, rating.Game{Room: g.Room, System: "kalah", Speed: "blitz", Players: [2]string{ada.ID, ben.ID}, Score: score})
		s.must(err)
	}
}

// page returns the body of a page as this person sees it, and expects a status.
func (s *service) page(who *webtest.Person, path string, status int) string {
	s.Helper()
	page, err := who.Get(s.ctx, path)
	s.must(err)
	if page.Status != status {
		s.Errorf("%s: %d, want %d: %.300s", path, page.Status, status, page.Body)
	}
	return page.Body
}

func (s *service) holds(what, page string, wanted ...string) {
	s.Helper()
	for _, text := range wanted {
		if !strings.Contains(page, text) {
			s.Errorf("%s has no %q", what, text)
		}
	}
}

func TestProfileListsGamesPageByPage(t *testing.T) {
	s := serve(t)
	ada, ben, stranger := s.member("Ada Lovelace"), s.member("Ben"), s.person()
	s.past(25, "Ada Lovelace", "Ben")
	page := s.page(stranger, "/@/Ada%20Lovelace", http.StatusOK)
	s.holds("the profile", page, "<bdi>Ada Lovelace</bdi>", `data-rating="kalah.blitz"`, "<svg", "The last games as a table", "drawn · rated", `name="do" value="follow"`)
	if n := strings.Count(page, "data-game="); n != 20 {
		t.Errorf("%d games on the first page", n)
	}
	if strings.Contains(page, "Your games together") {
		t.Error("a stranger is told of games against them")
	}

	_, older, _ := strings.Cut(page, `href="/@/Ada%20Lovelace?before=`)
	older, _, _ = strings.Cut(older, "#games")
	page = s.page(stranger, "/@/Ada%20Lovelace?before="+older, http.StatusOK)
	if n := strings.Count(page, "data-game="); n != 5 || strings.Contains(page, `rel="next"`) || !strings.Contains(page, `rel="first"`) {
		t.Errorf("%d games on the second page, or its links are wrong", n)
	}
	for filter, want := range map[string]int{
		"result=drawn": 1, "result=lost": 0, "system=oware": 0, "rated=yes": 13, "rated=no&result=won&system=kalah": 12,
		"result=%27;--&rated=x&before=9-%3Cb%3E": 20, "before=99999999999999999999-k3v9qa2mxy": 20,
	} {
		if n := strings.Count(s.page(stranger, "/@/Ada%20Lovelace?"+filter, http.StatusOK), "data-game="); n != want {
			t.Errorf("%s: %d games, want %d", filter, n, want)
		}
	}
	s.holds("what Ben sees", s.page(ben, "/@/Ada%20Lovelace", http.StatusOK), "Your games together: 0 won, 1 drawn, 24 lost")
	if own := s.page(ada, "/@/Ada%20Lovelace", http.StatusOK); strings.Contains(own, "Follow, block, report") {
		t.Error("one can follow oneself")
	}
	id, err := ada.Make(s.ctx, nil)
	s.must(err)
	link := `href="/` + id + `"`
	s.page(ada, "/"+id, http.StatusOK) // viewing a game adds it to Ada's list
	s.holds("her own profile", s.page(ada, "/@/Ada%20Lovelace", http.StatusOK), link)
	if strings.Contains(s.page(ben, "/@/Ada%20Lovelace", http.StatusOK), link) {
		t.Error("others see the waiting games of Ada")
	}
	for from, to := range map[string]string{"/me": "/@/Ada%20Lovelace", "/@/ada%20lovelace": "/@/Ada%20Lovelace"} {
		if page, err := ada.Get(s.ctx, from); err != nil || page.Header.Get("Location") != to {
			t.Errorf("%s leads to %q, %v; want %s", from, page.Header.Get("Location"), err, to)
		}
	}
}

// The profile of a guest is visible to that guest only, since other guests may
// have the same name.
func TestGuestsProfileIsVisibleToThatGuestOnly(t *testing.T) {
	s := serve(t)
	guest, other, stranger := s.guest(), s.guest(), s.person()
	for _, p := range []*webtest.Person{guest, other} {
		page, err := p.Patch(s.ctx, "/api/v1/me", `{"name":"Zoe-..1"}`)
		s.must(err)
		if page.Status != http.StatusOK {
			t.Fatalf("no such name: %s", page.Body)
		}
	}
	page, err := guest.Get(s.ctx, "/me")
	s.must(err)
	own := page.Header.Get("Location")
	s.holds("the profile", s.page(guest, own, http.StatusOK), "Guest on this device", `data-action="upgrade"`, "<bdi>Zoe-..1</bdi>")
	s.holds("to a stranger", s.page(stranger, own, http.StatusNotFound), "No player here.")
	if page, err := stranger.Get(s.ctx, "/me"); err != nil || page.Header.Get("Location") != "/" {
		t.Errorf("a stranger is led to %q, %v", page.Header.Get("Location"), err)
	}
}

// The profile of an unknown name looks like the profile of a deleted player.
func TestUnknownNameLooksLikeADeletedPlayer(t *testing.T) {
	s := serve(t)
	ada := s.member("Ada")
	s.member("Ben")
	s.past(22, "Ada", "Ben")
	s.past(20, "Ben", "Ada")
	_, err := ada.Post(s.ctx, "/settings/forget", url.Values{"sure": {"yes"}})
	s.must(err)
	for _, name := range []string{"Ada", "Nobody", "%00", "%3Cscript%3E", "a%2Fb", strings.Repeat("x", 3000), lobby.DeletedName} {
		s.holds(name, s.page(s.person(), "/@/"+strings.ReplaceAll(name, " ", "%20"), http.StatusNotFound), "No player here.")
	}
	s.holds("the list of Ben", s.page(s.person(), "/@/Ben", http.StatusOK), "with Deleted player")
	s.holds("the list of Ben in French", s.page(s.person(), "/@/Ben?lang=fr", http.StatusOK), "avec Compte supprimé")
	if top := s.page(s.person(), "/top/kalah?speed=blitz", http.StatusOK); strings.Contains(top, "Deleted") || !strings.Contains(top, "Ben") {
		t.Error("the leaderboard has a deleted player, or lacks a present one")
	}
}

func TestLeaderboardHasNoProvisionalRatings(t *testing.T) {
	s := serve(t)
	ada, cleo := s.member("Ada"), s.member("Cleo")
	s.member("Ben")
	s.past(20, "Ben", "Ada")
	s.past(22, "Ada", "Ben")
	s.past(2, "Cleo", "Ben")
	top := s.page(ada, "/top/kalah?speed=blitz", http.StatusOK)
	s.holds("the leaderboard", top, "at least 10 rated games", `data-rank="1" aria-current="true"`, `href="/@/Ada"`, `href="/@/Ben"`)
	if strings.Contains(top, "Cleo</bdi>") {
		t.Error("a provisional rating is on the leaderboard")
	}
	s.holds("for Cleo", s.page(cleo, "/top/kalah?speed=blitz", http.StatusOK), "not in this list yet, with 2 of 10 games")
	s.holds("another speed", s.page(ada, "/top/kalah?speed=days", http.StatusOK), "Nobody has played enough rated games yet.")
	s.holds("an unknown speed", s.page(ada, "/top/kalah?speed=%3Cb%3E", http.StatusOK), `aria-current="page">Blitz`)
	s.holds("all", s.page(s.person(), "/top", http.StatusOK), `href="/top/kalah?speed=blitz">Blitz</a> (2 players)`, `href="/top/oware"`)
	for _, path := range []string{"/top/chess", "/top/basic-four", "/top/%2e%2e"} {
		if page, err := ada.Get(s.ctx, path); err != nil || page.Status != http.StatusNotFound {
			t.Errorf("%s: %d, %v", path, page.Status, err)
		}
	}
}

// A finished game that was neither rated nor listed is only in the lists of its
// own players, on the pages and in the API. Its link still opens it.
func TestUnlistedGamesStayWithTheirPlayers(t *testing.T) {
	s := serve(t)
	ada, ben, cleo := s.member("Ada"), s.member("Ben"), s.member("Cleo")
	play := func(settings url.Values) string {
		t.Helper()
		settings.Set("start", "creator")
		id, err := ada.Make(s.ctx, settings)
		s.must(err)
		s.must(ben.Sit(s.ctx, id))
		tabs := s.bySeat([]*webtest.Client{s.open(ada, id), s.open(ben, id)})
		s.resigned(tabs)
		for _, tab := range tabs {
			s.must(tab.Until(s.ctx, "the end", (*webtest.Game).Over))
		}
		s.Server.Gamelist.Flush()
		return id
	}
	private := play(url.Values{})
	listed := play(url.Values{"listed": {"true"}})
	rated := play(url.Values{"rated": {"true"}, "clock": {"5+3"}})
	paths := []string{
		"/@/Ada", "/@/Ben", "/@/Ada?rated=no", "/@/Ada?result=won", "/@/Ada?system=kalah&before=99999999999999-k3v9qa2mxy",
		"/api/v1/players/Ada/games", "/api/v1/players/Ben/games", "/api/v1/players/Ada/games?rated=no&system=kalah&result=won",
		"/watch", "/watch?game=kalah", "/api/v1/games", "/people", "/", "/top", "/api/v1/leaderboards",
	}
	for name, who := range map[string]*webtest.Person{"a stranger": s.person(), "a guest": s.guest(), "another member": cleo} {
		for _, path := range paths {
			page, err := who.Get(s.ctx, path)
			s.must(err)
			if strings.Contains(page.Body, private) {
				t.Errorf("%s finds the unlisted game at %s", name, path)
			}
		}
		s.holds("the profile for "+name, s.page(who, "/@/Ada", http.StatusOK), listed, rated)
		s.holds("the list for "+name, s.page(who, "/api/v1/players/Ben/games", http.StatusOK), listed, rated)
		s.page(who, "/"+private, http.StatusOK) // every client with the link may open it
	}
	for name, who := range map[string]*webtest.Person{"Ada": ada, "Ben": ben} {
		for _, path := range paths[:8] {
			s.holds(path+" for "+name, s.page(who, path, http.StatusOK), private)
		}
	}
}
