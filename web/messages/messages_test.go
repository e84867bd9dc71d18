package messages

import (
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/tournament/crosstable"
	"mancala/match/refusal"
)

var place = regexp.MustCompile(`\{\w+\}`)

// places returns the places of a text, in all its forms.
func places(forms plurals) []string {
	found := map[string]bool{}
	for _, text := range forms {
		for _, p := range place.FindAllString(text, -1) {
			found[p] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// needed returns the plural categories that a language uses for whole numbers.
func needed(c *Catalog) []string {
	found := map[string]bool{}
	for n := range 300 {
		found[c.category(n)] = true
	}
	return slices.Sorted(maps.Keys(found))
}

// Every catalog is complete, and has the same texts and places as the English one.
func TestCatalogsHaveTheTextsOfTheEnglishOne(t *testing.T) {
	english, err := Load("en")
	if err != nil {
		t.Fatal(err)
	}
	there, err := fs.Glob(texts, "*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range there {
		lang := strings.TrimSuffix(path.Base(name), ".json")
		if !slices.Contains(lobby.LanguageTags(), lang) {
			t.Errorf("%s cannot be chosen", lang)
			continue
		}
		c, err := Load(lang)
		if err != nil {
			t.Fatal(err)
		}
		if d := c.T("direction"); d != "ltr" && d != "rtl" {
			t.Errorf("%s is written %q", lang, d)
		}
		forms := needed(c)
		for key, want := range english.text() {
			got, ok := c.text()[key]
			if !ok {
				t.Errorf("%s has no %q", lang, key)
				continue
			}
			if a, b := places(got), places(want); !slices.Equal(a, b) {
				t.Errorf("%s: %q has the places %v, want %v", lang, key, a, b)
			}
			if has := slices.Sorted(maps.Keys(got)); (len(want) > 1 || len(has) > 1) && !slices.Equal(has, forms) {
				t.Errorf("%s: %q has the forms %v, want %v", lang, key, has, forms)
			}
			for form, text := range got {
				if text == "" || strings.TrimSpace(text) != text {
					t.Errorf("%s: %q, form %s, is %q", lang, key, form, text)
				}
			}
		}
		for key := range c.text() {
			if _, ok := english.text()[key]; !ok {
				t.Errorf("%s has %q, which English has not", lang, key)
			}
		}
	}
}

// A duplicate key would hide one of its texts.
func TestCatalogsHaveNoKeyTwice(t *testing.T) {
	line := regexp.MustCompile(`(?m)^  ("[^"]+"):`)
	for _, lang := range lobby.LanguageTags() {
		raw, err := texts.ReadFile(lang + ".json")
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, m := range line.FindAllStringSubmatch(string(raw), -1) {
			if seen[m[1]] {
				t.Errorf("%s has %s twice", lang, m[1])
			}
			seen[m[1]] = true
		}
		if len(seen) < 1000 {
			t.Errorf("%s: only %d keys found", lang, len(seen))
		}
	}
}

// No player can take the name of deleted players, and the texts before a deletion say what readers will see.
func TestNameOfDeletedPlayersIsReservedInEveryLanguage(t *testing.T) {
	for _, lang := range lobby.LanguageTags() {
		c, err := Load(lang)
		if err != nil {
			t.Fatal(err)
		}
		name := c.T("player.deleted")
		if _, err := lobby.CleanName(strings.ToUpper(name)); lobby.CodeOf(err) != lobby.CodeNameReserved {
			t.Errorf("%s: the name %q: %v", lang, name, err)
		}
		for _, key := range []string{"account.delete.what", "prefs.forget.what"} {
			if text := c.T(key); !strings.Contains(text, name) {
				t.Errorf("%s: %s has no %q: %s", lang, key, name, text)
			}
		}
	}
}

func TestPluralsFollowTheLanguage(t *testing.T) {
	for _, tt := range []struct {
		lang, n, want string
	}{
		{"en", "0", "0 seeds"}, {"en", "1", "1 seed"}, {"en", "2", "2 seeds"}, {"en", "1.5", "1.5 seeds"},
		{"fr", "0", "0 graine"}, {"fr", "1", "1 graine"}, {"fr", "1.5", "1.5 graine"}, {"fr", "1,5", "1,5 graine"}, {"fr", "2,5", "2,5 graines"}, {"fr", "2", "2 graines"}, {"fr", "21", "21 graines"},
		{"ar", "0", "لا بذور"}, {"ar", "1", "بذرة واحدة"}, {"ar", "2", "بذرتان"}, {"ar", "3", "\u20683\u2069 بذور"}, {"ar", "11", "\u206811\u2069 بذرة"}, {"ar", "100", "\u2068100\u2069 بذرة"},
	} {
		c, err := Load(tt.lang)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.T("pit.seeds", "n", tt.n); got != tt.want {
			t.Errorf("%s: %s is %q, want %q", tt.lang, tt.n, got, tt.want)
		}
	}
}

func TestLanguageIsFromTheSettingOrTheBrowser(t *testing.T) {
	spoken, err := LoadLanguages()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, chosen, accepts, want string
	}{
		{"a program says nothing", "", "", "en"},
		{"a browser in French", "", "fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "fr"},
		{"a browser in English", "", "en-GB,en;q=0.9,fr;q=0.8", "en"},
		{"English is liked less", "", "en;q=0.5,fr", "fr"},
		{"only what we do not speak", "", "tlh", "en"},
		{"what we do not speak, then French", "", "tlh,fr;q=0.5", "fr"},
		{"as the browser says", "auto", "fr", "fr"},
		{"chosen", "fr", "en", "fr"},
		{"chosen against the browser", "en", "fr", "en"},
		{"chosen in a newer release", "xx", "fr", "fr"},
		{"nonsense", "", "????;q=x,,,", "en"},
		{"far too much", "", strings.Repeat("fr,", 1000), "en"},
	} {
		if got := spoken.Choose(tt.chosen, tt.accepts).Lang; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// The engine describes each option in English. The catalog has the same description,
// so that it can be translated.
func TestEveryOptionHasWords(t *testing.T) {
	c, err := Load("en")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range engine.Options() {
		if got := c.T("option." + o.Name); got != o.What {
			t.Errorf("%s is %q, and for the engine %q", o.Name, got, o.What)
		}
	}
}

// The page of hosts and the command line say the same of a report file.
func TestEveryProblemOfAReportFileHasWords(t *testing.T) {
	c, err := Load("en")
	if err != nil {
		t.Fatal(err)
	}
	for code, english := range crosstable.ProblemTexts {
		if text := c.T("desk.import.why." + code); text != english+"." {
			t.Errorf("%s is %q, and for the command line %q", code, text, english)
		}
	}
}

// The test checks the words of the English texts. A person is "they", never "he". A text uses no
// word of the code, such as "seek", since readers of the pages do not know it.
func TestTextsNameEachPersonByTheWordsOfThePages(t *testing.T) {
	refused := regexp.MustCompile(`(?i)\b(he|him|his|himself|she|her|hers|herself|seeks?|by lot|whoever)\b`)
	english, err := Load("en")
	if err != nil {
		t.Fatal(err)
	}
	for key, forms := range english.text() {
		for _, text := range forms {
			if found := refused.FindString(text); found != "" {
				t.Errorf("%s says %q: %s", key, found, text)
			}
		}
	}
}

// The place of a name in its sentence depends on the language.
func TestTextsHaveThePlacesOfTheirNames(t *testing.T) {
	c, err := Load("de")
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"moderation.did.unmute":  "gab Ada das Wort zurück",
		"moderation.did.reopen":  "öffnete das Konto von Ada wieder",
		"nav.account":            "Konto von Ada",
		"tournament.bracket.won": "Ada kommt weiter",
	} {
		if got := c.T(key, "name", "Ada"); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
}

func TestListsHaveTheCommaOfTheLanguage(t *testing.T) {
	for lang, want := range map[string]string{"en": "4, 3, 2", "pt": "4, 3, 2", "ar": "4، 3، 2"} {
		c, err := Load(lang)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.List([]string{"4", "3", "2"}); got != want {
			t.Errorf("%s: %q, want %q", lang, got, want)
		}
		refused := c.Sentence("must-feed", map[string]any{"legal": []string{"4", "3", "2"}})
		if !strings.Contains(refused, want) {
			t.Errorf("%s: %q does not name %q", lang, refused, want)
		}
	}
}

// Speech input finds a button by its text, so the longer name for screen readers contains it.
func TestLongNamesOfButtonsContainTheirTexts(t *testing.T) {
	languages, err := LoadLanguages()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range languages.Catalogs {
		for _, key := range [][2]string{{"desk.here", "desk.here.name"}, {"person.unfollow", "person.unfollow.who"}} {
			text, name := c.T(key[0]), c.T(key[1], "name", "Ada")
			if !strings.Contains(strings.ToLower(name), strings.ToLower(text)) {
				t.Errorf("%s: %q does not contain %q", c.Lang, name, text)
			}
		}
	}
}

// Pages, the API and lines of chat are refused with these sentences, and nothing repeats what was asked for. A page
// that does repeat a command says so with another text.
func TestRefusalsForNowAskPeopleToTryAgain(t *testing.T) {
	for _, row := range lobby.Languages {
		c, err := Load(row.Tag)
		if err != nil {
			t.Fatal(err)
		}
		sentence := func(code refusal.Code) string { return c.Sentence(code, nil) }
		_, again, _ := strings.Cut(sentence("too-new"), ". ")
		for _, code := range []refusal.Code{"busy", "unavailable"} {
			if got := sentence(code); again == "" || !strings.HasSuffix(got, again) {
				t.Errorf("%s: %q does not end with %q", row.Tag, got, again)
			}
		}
		if strings.HasSuffix(c.T("repeating"), again) {
			t.Errorf("%s: a command that is repeated says %q", row.Tag, c.T("repeating"))
		}
	}
}
