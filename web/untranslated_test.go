package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/bot"
	"mancala/web/learn"
	"mancala/web/messages"
	"mancala/web/site"
	"mancala/web/webtest"
)

// pretend makes the server use an invented language, written in a direction.
func (s *service) pretend(direction string) {
	only, err := messages.Pseudo(direction)
	s.must(err)
	s.must(s.Server.pages.SpeakOnly(only))
}

var (
	bracketed = regexp.MustCompile(`⟦[^⟦⟧]*⟧`) // innermost brackets
	letters   = regexp.MustCompile(`\pL{2,}`)
	// said are the attributes that a page shows or a screen reader speaks.
	said = []string{"alt", "title", "placeholder", "aria-label", "aria-description", "data-confirm", "data-done", "data-failed"}
)

// plainWords returns the words of a page that do not come from its catalog,
// except for names.
func plainWords(page string, names []string) (found []string) {
	check := func(text string) {
		for whole := ""; whole != text; {
			whole, text = text, bracketed.ReplaceAllString(text, " ")
		}
		for _, name := range names {
			text = strings.ReplaceAll(text, name, " ")
		}
		if letters.MatchString(text) {
			found = append(found, strings.TrimSpace(text))
		}
	}
	root, err := html.ParseWithOptions(strings.NewReader(page), html.ParseOptionEnableScripting(false)) // includes the content for browsers without scripts
	if err != nil {
		return []string{err.Error()}
	}
	for n := range root.Descendants() {
		if n.Data == "xa" && n.Type == html.ElementNode {
			found = append(found, "a text became an element")
		}
		if n.Type == html.TextNode && !slices.Contains([]string{"script", "style"}, n.Parent.Data) && !isCode(n.Parent) {
			check(n.Data)
		}
		meta := ""
		for _, a := range n.Attr {
			switch {
			case n.Data == "meta" && (a.Key == "name" || a.Key == "property"):
				meta = a.Val
			case n.Data == "html": // settings
			case slices.Contains(said, a.Key),
				a.Key == "content" && slices.Contains([]string{"description", "og:title", "og:description", "og:image:alt"}, meta):
				check(a.Val)
			}
		}
	}
	return found
}

func isCode(n *html.Node) bool {
	return slices.Contains(n.Attr, html.Attribute{Key: "class", Val: "code"})
}

// noPages are routes that answer with no page, or with one that
// TestPagesOfHostsSayNothingThatIsInNoCatalog looks at.
var noPages = []string{
	"GET /me", "GET /tournaments", "GET /ws", "GET /sw.js", "GET /manifest.webmanifest", "GET /face/{player}", "GET /oembed", "GET /position.png",
	"GET /t/{id}/calendar", "GET /t/{id}/log", "GET /t/{id}/plan", "GET /t/{id}/export.trf", "GET /t/{id}/standings.csv", "GET /t/{id}/games.csv",
	"GET /t/{id}/games.ndjson", "GET /t/{id}/tournament.json",
	"GET /t/{id}/host", "GET /t/{id}/screen", "GET /t/{id}/poster", "GET /t/{id}/certificates", "GET /t/{id}/pairings",
}

// The language of the test has long texts with an element of HTML, and is written from right to left: such
// texts break no page.
func TestEveryTextOfThePagesIsInACatalog(t *testing.T) {
	s := serve(t)
	s.pretend("rtl")
	ada, ben := s.member("Ada"), s.member("Ben")
	guest := s.guest()
	s.post(guest, "/settings", "name=Zoe")
	names := []string{"Ada", "Ben", "Zoe", "Open", "Player 1", "Player 2", "QR", "JSON", "a test"}
	for _, row := range engine.Systems {
		names = append(names, row.Title)
		for _, w := range learn.Players(row.Name).Words {
			names = append(names, w.Word)
		}
		for _, source := range learn.BackgroundOf(row.Name).Sources {
			names = append(names, source.Author, source.Title)
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == "" })
	for _, l := range lobby.Languages {
		names = append(names, l.Name)
	}
	for _, c := range bot.Characters {
		names = append(names, c.Name)
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) }) // "Oware Abapa" before "Oware"

	waiting, err := guest.Make(s.ctx, url.Values{"rules": {"wise"}})
	s.must(err)
	cup, _ := s.cup(guest, "name=Zoe&format=swiss&rules=kalah&clock=none&listed=on")
	s.post(ben, "/t/"+cup+"/join", "")
	live, _ := s.rated(ada, ben)
	over, tabs := s.rated(ada, ben)
	s.resigned(tabs)
	offered := s.post(guest, "/account/move", "")
	move := regexp.MustCompile(`/account/move/[^"]+`).FindString(offered.Body)
	kept := s.post(guest, "/rules", "rules=kalah&options=pits%3D7&name=Zoe").Header.Get("Location")
	puzzle := s.puzzle(1)
	s.post(guest, "/puzzles/"+puzzle, "move=d")
	type asked struct {
		who  *webtest.Person
		path string
	}
	pages := []asked{
		{ben, "/" + live + "/analysis"}, {s.person(), "/nothing"}, {s.person(), "/embed/" + live}, {guest, "/bot?level=3"}, {guest, "/here"}, {guest, "/local"}, {ada, "/bot"},
		{s.person(), "/learn/kalah/lesson?step=2&move=a"}, {s.person(), "/learn/basic-teams/lesson"}, {s.person(), "/learn/kalah?options=pits%3D7+capture%3Dnone"}, {guest, "/puzzles/" + puzzle + "?move=d"}, {guest, "/t/" + cup + "/ready"}, {s.person(), move}, {guest, kept},
	}
	for _, path := range []string{"/", "/mine", "/watch", "/learn", "/puzzles", "/puzzles/" + puzzle, "/rules/new?options=fun+rows%3D2", "/rules/compare?rules=kalah&with=oware", "/settings", "/people", "/people/" + s.id(ben), "/@/Ada", "/@/Nobody", "/top", "/top/kalah",
		"/account", "/account/sign-in", "/challenge?player=" + s.id(ben), "/j", "/offline", "/t", "/t/new", "/class", "/t/" + cup, "/t/" + cup + "/p/1", "/t/" + cup + "/embed", "/t/" + s.manyRounds(2, 2) + "/rounds/1", "/" + waiting, "/" + live, "/" + over, "/" + over + "/analysis", "/print/" + over, "/sheet?rules=basic-four"} {
		for _, who := range []*webtest.Person{ada, guest, s.person()} {
			pages = append(pages, asked{who, path})
		}
	}
	for _, row := range engine.Systems {
		pages = append(pages, asked{guest, "/learn/" + row.Name})
	}
	looked := 0
	look := func(what string, page webtest.Page) (isPage bool) {
		if page.Status >= http.StatusInternalServerError {
			t.Errorf("%s: %d", what, page.Status)
		}
		if page.Header.Get("Location") != "" || !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") {
			return false
		}
		looked++
		if strings.Contains(page.Body, "<html") && !strings.Contains(page.Body, ` dir="rtl" `) {
			t.Errorf("%s is not written from right to left", what)
		}
		for _, text := range plainWords(page.Body, append(names, "/"+over, s.base, strings.TrimPrefix(s.base, "http://"))) {
			t.Errorf("%s says, and no catalog does: %q", what, text)
		}
		return true
	}
	routes, left := http.NewServeMux(), map[string]bool{}
	s.routes(func(pattern string, _ site.Handler) {
		routes.HandleFunc(pattern, http.NotFound)
		if strings.HasPrefix(pattern, "GET ") && !strings.HasPrefix(pattern, "GET "+site.ApiPath) && !slices.Contains(noPages, pattern) {
			left[pattern] = true
		}
	})
	for _, p := range pages {
		page, err := p.who.Get(s.ctx, p.path)
		s.must(err)
		if look(p.path, page) {
			_, pattern := routes.Handler(httptest.NewRequest(http.MethodGet, p.path, nil))
			delete(left, pattern)
		}
	}
	for pattern := range left {
		t.Errorf("%s: the test looks at no page of this route", pattern)
	}
	look("POST /account/move", offered)
	for path, form := range map[string]string{
		"/settings": "name=" + strings.Repeat("x", 40), "/j": "code=ABCDEF", "/account/sign-in": "name=Ada&password=wrong",
		"/account/recover": "name=Ada&code=wrong", "/new": "rules=chess", "/t": "name=Zoe&format=swiss&rules=kalah&clock=none", "/account/create": "name=Ada&password=short",
	} {
		look("POST "+path, s.post(s.person(), path, form))
	}
	if looked < 60 {
		t.Errorf("only %d pages were looked at", looked)
	}
}
