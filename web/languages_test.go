package web

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"mancala/lobby"
	"mancala/web/messages"
)

// A visitor without a chosen language reads the language that their browser
// asks for. Every answer that depends on it has the header Vary.
func TestPagesHaveTheLanguageOfTheBrowser(t *testing.T) {
	s := serve(t)
	said := map[string]string{"Accept-Language": "fr-FR,fr;q=0.9"}
	for path, want := range map[string]string{
		"/": "Jouer avec un ami", "/settings": "Réglages", "/learn": "Apprendre le mancala", "/learn/kalah": "Chaque case commence avec 4 graines.",
		"/nothing": "Il n’y a pas de partie ici.", "/offline": "Tu n’as pas de réseau.", "/manifest.webmanifest": `"lang":"fr"`,
	} {
		page := s.plain(path, said)
		if !strings.Contains(page.Body, want) {
			t.Errorf("%s lacks %q", path, want)
		}
		if !strings.Contains(page.Header.Get("Vary"), "Accept-Language") {
			t.Errorf("%s has no header that names its dependence on the language: %q", path, page.Header.Get("Vary"))
		}
		if html := strings.HasPrefix(page.Body, "<!doctype"); html && !strings.Contains(page.Body, `<html lang="fr" dir="ltr"`) {
			t.Errorf("%s does not say in which language it is", path)
		}
		if english := s.plain(path, nil); strings.Contains(english.Body, want) {
			t.Errorf("%s is French for a visitor who has not asked for it", path)
		}
	}
}

// A page's script reads the texts in the page's language. Their address is
// unique to them, so that it can be cached without a limit.
func TestScriptsReadTextsInTheLanguageOfThePage(t *testing.T) {
	s := serve(t)
	id, err := s.person().Make(s.ctx, nil)
	s.must(err)
	for lang, want := range map[string]string{"en": "Your turn.", "fr": "À toi de jouer."} {
		said := map[string]string{"Accept-Language": lang}
		page := s.plain("/"+id, said).Body
		texts := s.plain(regexp.MustCompile(`/static/messages\.[0-9a-f]{10}\.`+lang+`\.json`).FindString(page), nil)
		if !strings.Contains(texts.Body, want) || !strings.Contains(texts.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("the texts in %s: %q lacks %q", lang, texts.Header, want)
		}
		if got := s.plain("/offline", said).Header.Get("Content-Language"); got != lang {
			t.Errorf("the offline page in %s says that it is in %q", lang, got)
		}
	}
}

// A browser that changes language keeps its service worker, which knows the texts of each
// language.
func TestServiceWorkerIsTheSameInAllLanguages(t *testing.T) {
	s := serve(t)
	workers := map[string]string{}
	for _, lang := range lobby.LanguageTags() {
		workers[lang] = s.plain("/sw.js", map[string]string{"Accept-Language": lang}).Body
		if !strings.Contains(workers["en"], "."+lang+".json") {
			t.Errorf("the worker does not know the texts in %s", lang)
		}
	}
	if workers["en"] != workers["fr"] {
		t.Error("the worker depends on the language")
	}
}

// The setting takes precedence over the browser's language: on the next page
// and in messages to the player's sockets.
func TestChosenLanguagePrecedesTheBrowsers(t *testing.T) {
	s := serve(t)
	p := s.person()
	s.post(p, "/settings", "language=fr")
	body := s.settingsPage(p)
	for _, want := range []string{`<html lang="fr"`, `name="language" value="fr" checked`, `<span lang="en">English</span>`, `<span lang="fr">Français</span>`, "Comme mon navigateur"} {
		if !strings.Contains(body, want) {
			t.Errorf("the settings lack %q", want)
		}
	}
	id, err := p.Make(s.ctx, nil)
	s.must(err)
	tab := s.open(p, id)
	f, err := tab.Do(s.ctx, "resign", map[string]any{"what": "game"})
	s.must(err)
	if f.T != "err" || !strings.Contains(f.Raw, "Tu n’as pas de place dans cette partie.") {
		t.Errorf("a command of a client without a seat: %s", f.Raw)
	}
	s.post(p, "/settings", "language=auto")
	if body = s.settingsPage(p); !strings.Contains(body, `<html lang="en"`) {
		t.Error("not as the browser says")
	}
	if page := s.post(p, "/settings", "language=xx"); page.Status != http.StatusUnprocessableEntity {
		t.Errorf("a language that is none: %d", page.Status)
	}
}

// A page has an address in each language, for search engines. The choice of a language by the address
// holds for that page alone.
func TestAddressChoosesTheLanguageOfAPage(t *testing.T) {
	s := serve(t)
	page := s.plain("/learn/kalah?lang=fr", nil).Body
	for _, want := range []string{
		`<html lang="fr"`, `<link rel="canonical" href="` + s.base + `/learn/kalah?lang=fr">`,
		`hreflang="x-default" href="` + s.base + `/learn/kalah">`, `hreflang="en" href="` + s.base + `/learn/kalah?lang=en">`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for path, want := range map[string]string{"/learn/kalah?lang=tlh": `<html lang="en"`, "/learn/kalah": `/learn/kalah">`, "/learn/kalah?options=pits%3D7&lang=fr": "options=pits%3D7&amp;lang=fr"} {
		if !strings.Contains(s.plain(path, nil).Body, want) {
			t.Errorf("%s lacks %q", path, want)
		}
	}
	if page := s.plain("/settings?lang=fr", nil).Body; strings.Contains(page, "hreflang") || !strings.Contains(page, `<html lang="fr"`) {
		t.Error("a page of one person is listed in each language, or is not in French")
	}
}

// The foot of a page offers the other languages, keeps the choice and leads back. It marks a
// translation that no native speaker has read.
func TestFootOfAPageChangesTheLanguage(t *testing.T) {
	s := serve(t)
	p := s.person()
	page, err := p.Get(s.ctx, "/learn/kalah?options=pits%3D7&lang=en")
	s.must(err)
	if !strings.Contains(page.Body, `name="back" value="/learn/kalah?options=pits%3D7"`) || !strings.Contains(page.Body, `lang="fr">Français</button>`) {
		t.Error("the foot of the page lacks the way back or French")
	}
	if strings.Contains(page.Body, "No native speaker") {
		t.Error("English is marked")
	}
	for back, want := range map[string]string{"/learn/kalah?options=pits%3D7": "/learn/kalah?options=pits%3D7", "https://evil.example/": "/settings?saved", "//evil.example": "/settings?saved"} {
		if got := s.post(p, "/settings", "language=fr&back="+url.QueryEscape(back)).Header.Get("Location"); got != want {
			t.Errorf("after a change on %s: %s", back, got)
		}
	}
	page, err = p.Get(s.ctx, "/learn/kalah")
	s.must(err)
	if !strings.Contains(page.Body, `<html lang="fr"`) || !strings.Contains(page.Body, "n’a pas encore été relue") {
		t.Error("the page is not in French, or not marked")
	}
}

// Pages of games have the foot of all pages too: it offers the other languages, and marks a translation
// that no native speaker has read. They lack the light of drawn boards, which they have no use for.
func TestPageOfAGameMarksAnUnreadTranslation(t *testing.T) {
	s := serve(t)
	languages, err := messages.LoadLanguages()
	s.must(err)
	id, err := s.person().Make(s.ctx, nil)
	s.must(err)
	for _, c := range languages.Catalogs {
		for _, path := range []string{"/" + id, "/learn/kalah/lesson", "/local"} {
			page := s.plain(path+"?lang="+c.Lang, nil).Body
			if marked := strings.Contains(page, "<p>"+c.T("footer.unread")+"</p>"); marked == c.Read {
				t.Errorf("%s in %s: marked %t", path, c.Lang, marked)
			}
			if offers := strings.Count(page, `<button class="link" name="language"`); offers != len(languages.Catalogs)-1 {
				t.Errorf("%s in %s offers %d languages", path, c.Lang, offers)
			}
			if strings.Contains(page, "l-board") {
				t.Errorf("%s in %s has the light of drawn boards", path, c.Lang)
			}
		}
	}
}
