package web

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mancala/lobby"
	"mancala/web/pages"
	"mancala/web/site"
	"mancala/web/webtest"
)

// missingText finds the key of a text that the catalog does not have.
var missingText = regexp.MustCompile(`>\s*[a-z-]+(\.[a-z0-9-]+)+\s*<`)

// post sends a form of the page /settings.
func (s *service) post(p *webtest.Person, path, form string) webtest.Page {
	s.Helper()
	values, err := url.ParseQuery(form)
	s.must(err)
	page, err := p.Post(s.ctx, path, values)
	s.must(err)
	return page
}

func (s *service) settingsPage(p *webtest.Person) string {
	s.Helper()
	page, err := p.Get(s.ctx, "/settings")
	s.must(err)
	if page.Status != http.StatusOK {
		s.Fatalf("/settings: %d", page.Status)
	}
	return page.Body
}

// The forms change settings without script, as the controls do with script.
func TestSettingsChangeWithoutScript(t *testing.T) {
	s := serve(t)
	p := s.person()
	body := s.settingsPage(p)
	if p.Cookie() != "" {
		t.Error("viewing a page made the visitor a guest")
	}
	if key := missingText.FindString(body); key != "" {
		t.Errorf("the page shows the key %q instead of a text", key)
	}
	for _, want := range []string{`name="theme" value="system" checked`, `name="volume" min="0" max="100" step="5" value="60"`, "We know nothing about you"} {
		if !strings.Contains(body, want) {
			t.Errorf("a stranger's page has no %s", want)
		}
	}
	page := s.post(p, "/settings", "theme=wood&speed=slow&volume=35")
	if page.Status != http.StatusSeeOther || p.Cookie() == "" {
		t.Fatalf("a change: %d %s", page.Status, page.Body)
	}
	if page = s.post(p, "/settings", "name=Zo%C3%AB"); page.Status != http.StatusSeeOther {
		t.Fatalf("a name: %d %s", page.Status, page.Body)
	}
	body = s.settingsPage(p)
	for _, want := range []string{`name="theme" value="wood" checked`, `name="speed" value="slow" checked`, `step="5" value="35"`, `value="Zoë"`, ` data-theme="wood"`} {
		if !strings.Contains(body, want) {
			t.Errorf("the page has no %s afterwards", want)
		}
	}
}

func TestSavedSettingsStillLeadBackToTheGame(t *testing.T) {
	s := serve(t)
	p := s.person()
	game := lobby.NewRoomID()
	for _, form := range []string{"theme=wood", "name=Zo%C3%AB"} {
		page := s.post(p, "/settings", form+"&game="+game)
		if page.Status != http.StatusSeeOther {
			t.Fatalf("%s: %d %s", form, page.Status, page.Body)
		}
		saved, err := p.Get(s.ctx, page.Header.Get("Location"))
		s.must(err)
		for _, want := range []string{`href="/` + game + `"`, `name="game" value="` + game + `"`} {
			if !strings.Contains(saved.Body, want) {
				t.Errorf("after %s the page has no %s", form, want)
			}
		}
	}
	first := s.request(p, "GET", "/settings", "", "", http.Header{"Referer": {p.Base + "/" + game}})
	if want := `name="back" value="/settings?game=` + game + `"`; !strings.Contains(first.Body, want) {
		t.Errorf("the choice of a language has no %s", want)
	}
	refused := s.post(p, "/settings", "name=%20&game="+game)
	if refused.Status != http.StatusUnprocessableEntity || !strings.Contains(refused.Body, `href="/`+game+`"`) {
		t.Errorf("a refused name: %d, and the page has no way back to the game", refused.Status)
	}
}

// The test sets each setting to each of its values, without script. The form of
// the page keeps the value. Every other page has it in its root element, where
// style sheets and scripts read it.
func TestEachSettingIsKeptWithoutScript(t *testing.T) {
	s := serve(t)
	p := s.person()
	for _, group := range pages.PrefGroups() {
		for _, name := range group {
			pref := lobby.AllPrefs[slices.IndexFunc(lobby.AllPrefs, func(p lobby.Pref) bool { return p.Name == name })]
			values := pref.Values
			if values == nil {
				values = []string{"0", "65"}
			}
			for _, value := range values {
				if page := s.post(p, "/settings", name+"="+value); page.Status != http.StatusSeeOther {
					t.Errorf("%s=%s: %d", name, value, page.Status)
				}
				body := s.settingsPage(p)
				shown := fmt.Sprintf(`name="%s" value="%s" checked`, name, value)
				if pref.Values == nil {
					shown = fmt.Sprintf(`name="%s" min="0" max="%d" step="5" value="%s"`, name, pref.Max, value)
				}
				if !strings.Contains(body, shown) {
					t.Errorf("after %s=%s the page of settings does not show it", name, value)
				}
				if page, err := p.Get(s.ctx, "/about"); err != nil || !strings.Contains(page.Body, fmt.Sprintf(` data-%s="%s"`, name, value)) {
					t.Errorf("%s=%s does not count on other pages (%v)", name, value, err)
				}
			}
		}
	}
}

func TestInvalidSettingsFormsAreExplained(t *testing.T) {
	s := serve(t)
	p := s.person()
	for form, want := range map[string]string{
		"theme=pink":                      "There is no such setting.",
		"colour=dark":                     "There is no such setting.",
		"theme=dark&speed=":               "There is no such setting.",
		"name=":                           "A name needs letters.",
		"name=%22%3E%3Cscript%3Ealert(1)": "letters, numbers, spaces",
		"name=Admin":                      "cannot be taken",
		"name=" + strings.Repeat("W", 40): "too long",
		"name=Ada%01":                     "letters, numbers, spaces",
		"name=" + strings.Repeat("W", 2*site.MaxBody): "too long",
	} {
		page := s.post(p, "/settings", form)
		if page.Status != 422 && page.Status != 413 || !strings.Contains(page.Body, want) || strings.Contains(page.Body, "<script>alert") {
			t.Errorf("%.40s: %d %.3000s", form, page.Status, page.Body)
		}
	}
	if p.Cookie() != "" {
		t.Error("a visitor with invalid settings was made a guest")
	}
	if page := s.request(p, "POST", "/settings", formType, "theme=dark", http.Header{"Sec-Fetch-Site": {"cross-site"}}); page.Status != http.StatusForbidden {
		t.Errorf("another site: %d", page.Status)
	}
}

func TestGuestIsForgottenOnRequest(t *testing.T) {
	s := serve(t)
	ada, ben := s.person(), s.person()
	id, err := ada.Make(s.ctx, nil)
	s.must(err)
	invitation, err := ada.Make(s.ctx, nil)
	s.must(err)
	s.must(ben.Sit(s.ctx, id))
	tab := s.open(ben, id)
	for _, game := range []string{id, invitation} { // viewing a game adds it to Ada's list
		_, err := ada.Get(s.ctx, "/"+game)
		s.must(err)
	}
	s.post(ada, "/settings", "theme=dark")
	cookie := ada.Cookie()

	if page := s.post(ada, "/settings/forget", ""); page.Status != http.StatusSeeOther || ada.Cookie() == "" {
		t.Errorf("without being sure: %d, cookie %q", page.Status, ada.Cookie())
	}
	if page := s.request(ada, "POST", "/settings/forget", formType, "sure=yes", http.Header{"Origin": {"https://evil.example"}}); page.Status != http.StatusForbidden {
		t.Errorf("another site: %d", page.Status)
	}
	if page := s.post(ada, "/settings/forget", "sure=yes"); page.Status != http.StatusSeeOther || ada.Cookie() != "" || page.Header.Get("Clear-Site-Data") != `"storage"` {
		t.Fatalf("being sure: %d %v, cookie %q", page.Status, page.Header, ada.Cookie())
	}

	// The game is given up, and the opponent sees "Deleted player" in place of
	// the name.
	s.must(tab.Until(s.ctx, "the end", func(g *webtest.Game) bool { return g.Text("state") == "over" }))
	s.must(tab.Until(s.ctx, "the name", func(g *webtest.Game) bool {
		for _, seat := range g.Texts("seats") {
			if g.Names[seat] == "Deleted player" {
				return true
			}
		}
		return false
	}))
	page, err := ben.Get(s.ctx, "/"+invitation)
	s.must(err)
	if page.Status != http.StatusGone {
		t.Error("the invitation is still open")
	}
	if page := s.request(s.person(), "GET", "/settings", "", "", http.Header{"Cookie": {site.CookieName + "=" + cookie}}); !strings.Contains(page.Body, "We know nothing about you") || strings.Contains(page.Body, ` data-theme="dark"`) {
		t.Error("the old cookie still identifies a player")
	}
	if page := s.post(s.person(), "/settings/forget", "sure=yes"); page.Status != http.StatusSeeOther {
		t.Errorf("a stranger: %d", page.Status)
	}
}
