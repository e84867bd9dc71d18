package web

import (
	"encoding/json"
	"image/png"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/web/site"
	"mancala/web/socket"
	"mancala/web/webtest"
)

func TestManifestNamesIconsThatExist(t *testing.T) {
	s := serve(t)
	page := s.plain("/manifest.webmanifest", nil)
	var m struct {
		Name, Display, StartURL string
		Icons                   []struct{ Src, Sizes, Purpose string }
	}
	s.must(json.Unmarshal([]byte(page.Body), &m))
	if page.Header.Get("Content-Type") != "application/manifest+json" || m.Name != "Mancala" || m.Display != "standalone" {
		t.Errorf("%v %+v", page.Header, m)
	}
	have := map[string]bool{}
	for _, icon := range m.Icons {
		body := s.plain(icon.Src, nil)
		if body.Status != 200 {
			t.Errorf("%s: %d", icon.Src, body.Status)
		}
		have[icon.Sizes+" "+icon.Purpose] = true
	}
	for _, want := range []string{"192x192 any", "512x512 any", "512x512 maskable"} {
		if !have[want] {
			t.Errorf("no icon %s among %v", want, have)
		}
	}
	again := s.plain("/manifest.webmanifest", map[string]string{"If-None-Match": page.Header.Get("ETag")})
	if again.Status != http.StatusNotModified {
		t.Errorf("asked again: %d", again.Status)
	}
}

// A page whose script the worker does not name takes the worker for that of another release, and asks its
// reader to reload.
func TestServiceWorkerNamesTheScriptOfEachPageThatInstallsIt(t *testing.T) {
	s := serve(t)
	worker := s.plain("/sw.js", nil).Body
	for _, path := range []string{"/", "/settings", "/learn/kalah", "/learn/kalah/lesson", "/local", "/rules/new", "/t/new", "/account"} {
		page := s.plain(path, nil).Body
		scripts := regexp.MustCompile(`<script type="module" src="([^"]*)"`).FindAllStringSubmatch(page, -1)
		if len(scripts) == 0 {
			t.Errorf("%s has no script", path)
		}
		for _, script := range scripts {
			if !strings.Contains(worker, `"`+script[1]+`"`) {
				t.Errorf("%s has the script %s, which the worker does not name", path, script[1])
			}
		}
	}
}

// The service worker's script names the files that it keeps, and the server
// serves each of them.
func TestServiceWorkerKeepsFilesThatExist(t *testing.T) {
	s := serve(t)
	page := s.plain("/sw.js", nil)
	if page.Header.Get("Cache-Control") != "no-cache" || !strings.HasPrefix(page.Header.Get("Content-Type"), "text/javascript") || len(page.Body) > 7<<10 { // two paths for each language
		t.Errorf("%d bytes, %v", len(page.Body), page.Header)
	}
	paths := regexp.MustCompile(`"(/[^"]*)"`).FindAllStringSubmatch(strings.SplitN(page.Body, "\n", 2)[0], -1)
	if len(paths) < 6 {
		t.Errorf("it keeps %v", paths)
	}
	for _, path := range paths {
		if got := s.plain(path[1], nil); got.Status != 200 {
			t.Errorf("%s: %d", path[1], got.Status)
		}
	}
}

// One script may compile WebAssembly: that of the worker which plays without a server. No page may, and neither
// may the service worker.
func TestOneScriptMayCompileWebAssembly(t *testing.T) {
	s := serve(t)
	id, _ := s.game("rules=kalah")
	worker := regexp.MustCompile(`/static/localworker\.\w+\.js`).FindString(s.plain("/sw.js", nil).Body)
	if policy := s.plain(worker, nil).Header.Get("Content-Security-Policy"); !strings.Contains(policy, "script-src 'self' 'wasm-unsafe-eval';") {
		t.Errorf("%s: %q", worker, policy)
	}
	for _, path := range []string{"/", "/sw.js", "/local", "/here", "/bot", "/offline", "/learn", "/learn/bao/lesson", "/puzzles", "/rules/new", "/" + id, "/embed/" + id, "/nothing0here"} {
		if policy := s.plain(path, nil).Header.Get("Content-Security-Policy"); !strings.Contains(policy, "script-src 'self';") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: %q", path, policy)
		}
	}
}

// A page may be kept offline only if it shows the player's own finished game.
func TestOnlyOwnFinishedGamesAreKeptOffline(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah")
	may := func(p *webtest.Person, path string) bool {
		s.Helper()
		page, err := p.Get(s.ctx, path)
		s.must(err)
		return page.Header.Get("X-Offline") == "keep"
	}
	paths := []string{"/" + id, "/api/v1/games/" + id + "/replay"}
	for _, path := range paths {
		if may(s.people[0], path) {
			t.Errorf("%s is kept while the game goes on", path)
		}
	}
	s.must(seats[0].Must(s.ctx, "resign", nil))
	for _, path := range paths {
		if !may(s.people[0], path) || !may(s.people[1], path) {
			t.Errorf("%s is not kept by its players", path)
		}
		if may(s.person(), path) {
			t.Errorf("%s is kept by a stranger", path)
		}
	}
	for _, path := range []string{"/", "/offline", "/nothing"} {
		if may(s.people[0], path) {
			t.Errorf("%s is kept", path)
		}
	}
}

// meta returns the value of a name in a page's head.
func meta(page, name string) string {
	found := regexp.MustCompile(`<(?:meta|link) (?:property|name|rel)="` + name + `" (?:content|href)="([^"]*)"`).FindStringSubmatch(page)
	if found == nil {
		return ""
	}
	return found[1]
}

func TestPagesHaveCompleteHeads(t *testing.T) {
	s := serve(t)
	id, err := s.person().Make(s.ctx, nil)
	s.must(err)
	for _, path := range []string{"/", "/" + id, "/offline", "/nothing"} {
		page := s.plain(path, nil).Body
		if n := strings.Count(page, "<h1"); n != 1 {
			t.Errorf("%s has %d first headings", path, n)
		}
		if !strings.Contains(page, ` · Mancala</title>`) || !strings.Contains(page, `<a class="skip" href="#main">`) || !strings.Contains(page, `<main id="main">`) {
			t.Errorf("%s lacks a title, a skip link or its main part", path)
		}
		for _, name := range []string{"description", "og:title", "og:description", "og:image:alt", "theme-color", "manifest"} {
			if meta(page, name) == "" {
				t.Errorf("%s says nothing of %s", path, name)
			}
		}
		if meta(page, "canonical") != s.base+path || meta(page, "og:url") != s.base+path {
			t.Errorf("%s says it is %s", path, meta(page, "canonical"))
		}
		picture, ok := strings.CutPrefix(meta(page, "og:image"), s.base)
		if got := s.plain(strings.ReplaceAll(picture, "&amp;", "&"), nil); !ok || got.Header.Get("Content-Type") != "image/png" {
			t.Errorf("%s: its picture %s: %d", path, picture, got.Status)
		}
	}
}

func (s *service) picture(id string) webtest.Page {
	s.Helper()
	page := s.plain("/"+id+"/og.png", nil)
	img, err := png.Decode(strings.NewReader(page.Body))
	s.must(err)
	if size := img.Bounds().Size(); size.X != 1200 || size.Y != 630 || len(page.Body) > 180<<10 {
		s.Errorf("picture of %v, %d bytes", size, len(page.Body))
	}
	return page
}

// The picture of a game changes with the game, for every kind of board.
func TestPictureFollowsTheGame(t *testing.T) {
	s := serve(t)
	for _, settings := range []string{"rules=kalah", "rules=oware&options=pits=13", "rules=maruba", "rules=basic-four", "rules=basic-teams", "rules=giuthi"} {
		id, seats := s.game(settings)
		before := s.picture(id)
		if again := s.plain("/"+id+"/og.png", map[string]string{"If-None-Match": before.Header.Get("ETag")}); again.Status != http.StatusNotModified {
			t.Errorf("%s: asked again: %d", settings, again.Status)
		}
		var legal string
		s.must(seats[0].Until(s.ctx, "a legal move", func(g *webtest.Game) bool {
			if len(g.Legal) > 0 {
				legal = g.Legal[0]
			}
			return legal != ""
		}))
		s.move(seats[0], legal)
		after := s.picture(id)
		if after.Body == before.Body || after.Header.Get("ETag") == before.Header.Get("ETag") {
			t.Errorf("%s: the picture does not follow the game", settings)
		}
		if old := s.plain("/"+id+"/og.png", map[string]string{"If-None-Match": before.Header.Get("ETag")}); old.Status != http.StatusOK {
			t.Errorf("%s: an old tag: %d", settings, old.Status)
		}
	}
}

// A picture shows what watchers see, even when a player requests it.
func TestPictureShowsPlayersWhatWatchersSee(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=wise")
	before := s.picture(id).Body
	s.must(seats[0].Until(s.ctx, "the lay-out", func(g *webtest.Game) bool { return g.Text("phase") == "setup" }))
	page, err := s.people[0].Get(s.ctx, "/"+id+"/og.png")
	s.must(err)
	if page.Body != before {
		t.Error("the player who lays out gets another picture than a stranger")
	}
}

func TestPicturesAreLimited(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) {
		c.Limits[site.LimitPictures] = lobby.Rate{N: 1, Per: time.Hour}
	})
	first, _ := s.game("rules=kalah")
	second, _ := s.game("rules=oware")
	p := s.person()
	for i, want := range []struct {
		id     string
		status int
	}{{first, 200}, {second, 429}, {first, 200}, {"zzzzzzzzz9", 404}, {"no", 404}} {
		if page := s.request(p, "GET", "/"+want.id+"/og.png?x="+strings.Repeat("9", i), "", "", nil); page.Status != want.status {
			t.Errorf("request %d: %d", i, page.Status)
		}
	}
}
